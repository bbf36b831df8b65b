// Captured material: what stood on the board at the start and does not any more. Counting is no rule of any game.

import { $, s } from "./dom.js";
import { outline } from "./paint.js";

const count = (pieces) => {
  const counts = new Map();
  for (const piece of pieces) {
    const id = `${piece.side} ${piece.name}`;
    const known = counts.get(id) ?? { piece, number: 0 };
    known.number++;
    counts.set(id, known);
  }
  return counts;
};

export function watchMaterial(store) {
  const draw = () => {
    const dark = store.answer?.board.dark_side;
    const first = store.tree.root.answer;
    const two = store.game.players === 2 && first;
    const now = two && count(store.answer.board.picture.pieces);
    const gone = two
      ? [...count(first.board.picture.pieces)].flatMap(([id, { piece, number }]) => {
          const lost = number - (now.get(id)?.number ?? 0);
          return Array.from({ length: Math.max(0, lost) }, () => piece);
        })
      : [];
    for (const [id, light] of [
      ["taken-top", !store.flipped],
      ["taken-bottom", store.flipped],
    ]) {
      // Beside each player: what that player has taken.
      const mine = gone.filter((piece) => piece.side && ((piece.side === "second") === (dark === 1)) !== light);
      $(id).replaceChildren(...mine.map((piece) => small(piece, light ? "light" : "dark")));
      $(id).title = mine.length ? `Captured: ${mine.map((piece) => piece.name).join(", ")}` : "";
    }
  };
  for (const what of ["position", "look", "line"]) store.on(what, draw);
}

const small = (piece, tone) =>
  s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("g", { class: `piece ${tone}` }, outline(piece, tone)));
