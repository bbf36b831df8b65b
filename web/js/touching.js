// A person touches cells: that selects, goes on, plays, asks which move is meant, or is refused with a reason.

import { address, get } from "./api.js";
import { $, h } from "./dom.js";
import { t, told } from "./i18n.js";
import { fitting, touch } from "./steps.js";

// How long a reason stays.
const READING = 4000;

export function touching(store, board) {
  const waits = (cell) => board.cells.get(cell)?.shape === "tray";
  const moves = () => (store.live() ? store.answer.moves : []);

  board.onTouch = (cell) => {
    if (!store.live()) return refuse(store, board, cell, store.blocked());
    const result = touch(store.answer.moves, store.touched, cell, waits);
    store.touched = result.touched ?? [];
    store.tell("touched");
    if (result.play) store.play(result.play.move);
    if (result.choose) choose(store, result.choose);
    if (result.refused) explain(store, board, result.refused);
  };

  // A drag starts where a move starts, unless the cell is the next step of what has been touched.
  board.mayDrag = (cell) => {
    const goesOn = store.touched.length > 0 && fitting(moves(), [...store.touched, cell]).length > 0;
    const starts = fitting(moves(), [cell]);
    return !goesOn && starts.some((move) => move.steps.length > 1);
  };

  // A piece that cannot be moved is lifted all the same, and goes back with a word why.
  board.onStray = (from, to) => (store.live() ? explain(store, board, [from, to]) : board.onTouch(from));

  store.on("position", () => hush());
  store.on("touched", () => hush());
}

// Why a touch does nothing, in words that hold for every game; the server may know better.
async function explain(store, board, cells) {
  const at = cells.at(-1);
  const piece = board.top(cells[0]);
  const marked = board.picture.marks.find((mark) => mark.cell === cells[0]);
  const side = ["first", "second"][store.answer.side];
  if (store.answer.outcome) return refuse(store, board, at, t("The game is over."));
  // A touch of an empty cell means nothing.
  if (cells.length === 1 && !piece) return;
  const general =
    piece?.side && piece.side !== side && store.game.players === 2
      ? t("{who} to move", { who: t(store.answer.side_name) })
      : marked
        ? t(`${marked.name[0].toUpperCase()}${marked.name.slice(1)}.`)
        : cells.length === 1
          ? t("It cannot move now.")
          : t("Not a legal move.");
  refuse(store, board, at, general);
  const node = store.tree.current;
  try {
    const { reason } = await get(`/games/${store.game.id}/refusal`, { ...store.query(), steps: cells.join(",") });
    if (reason && node === store.tree.current && !store.touched.length) refuse(store, board, at, told(reason));
  } catch {
    // The general words stay.
  }
}

let timer = 0;

function refuse(store, board, cell, words) {
  if (!words) return;
  const sign = $("refusal");
  const place = board.place(cell);
  sign.textContent = t(words);
  sign.hidden = false;
  if (place) {
    sign.style.left = `${place.x}px`;
    sign.style.top = `${place.y}px`;
    sign.classList.toggle("below", place.y < 48);
  }
  board.shake(cell);
  clearTimeout(timer);
  timer = setTimeout(hush, READING);
}

function hush() {
  $("refusal").hidden = true;
}

// Several moves share their cells: which is meant?
function choose(store, moves) {
  const dialog = $("chooser");
  const pick = (move) =>
    h(
      "button",
      {
        type: "button",
        "data-move": move.move,
        onclick: () => {
          dialog.close();
          store.play(move.move);
        },
        onpointerenter: () => store.tell("point", move.steps),
      },
      h("img", { src: address(`/games/${store.game.id}/board.svg`, { pos: move.position }), alt: "" }),
      h("strong", {}, move.choice ?? move.move),
      move.choice ? h("span", { class: "quiet" }, move.move) : null,
    );
  $("choices").replaceChildren(...moves.map(pick));
  dialog.onclose = () => store.tell("point", null);
  dialog.showModal();
}
