// Pieces under the pointer: drawn where they stand, and carried from one place to another.

import { h, s } from "./dom.js";

const drawn = (piece) => "data:image/svg+xml," + encodeURIComponent(piece.svg);

export const picture = (piece) => h("img", { src: drawn(piece), alt: "", draggable: "false" });

// The pieces of all cells; those that stand on others a little higher.
export function drawPieces(board, cells, pieces) {
  const images = [];
  for (const [id, cell] of board.cells) {
    const stack = [...(cells[id] ?? "")];
    const size = Math.min(cell.w, cell.h, 100) * (stack.length > 1 ? 0.72 : 0.9);
    const rise = stack.length > 1 ? Math.min(26, (cell.h - size) / (stack.length - 1)) : 0;
    // What waits beside the board stands on its ground, the rest in the middle of its cell.
    const ground =
      cell.shape === "tray" ? cell.y + cell.h / 2 - size : cell.y - size / 2 + (rise * (stack.length - 1)) / 2;
    stack.forEach((letter, level) => {
      const piece = pieces.get(letter);
      if (!piece) return;
      const y = ground - rise * level;
      images.push(s("image", { href: drawn(piece), x: cell.x - size / 2, y, width: size, height: size }));
    });
    const names = stack.map((letter) => pieces.get(letter)?.name ?? letter);
    cell.element.setAttribute("aria-label", [cell.name ?? id, ...names].join(", "));
  }
  board.layers.pieces.replaceChildren(...images);
}

// Carries a piece until it is let go; `dropped` hears on which cell, or nothing beside the board.
export function pickUp(event, piece, dropped) {
  const carried = picture(piece);
  const from = [event.clientX, event.clientY];
  let moved = false;
  const host = event.target.closest("dialog") ?? document.body;
  const move = (now) => {
    moved ||= Math.hypot(now.clientX - from[0], now.clientY - from[1]) > 6;
    if (!moved) return;
    if (!carried.isConnected) {
      carried.className = "carried";
      host.append(carried);
    }
    carried.style.left = `${now.clientX}px`;
    carried.style.top = `${now.clientY}px`;
  };
  const end = (now) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    carried.remove();
    if (!moved || now.type !== "pointerup") return;
    dropped(document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-cell]")?.dataset.cell ?? null);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
