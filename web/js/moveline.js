// A line of moves that can be looked at: every move is played by a click, up to it, and shows its board in small
// while it is pointed at.

import { address } from "./api.js";
import { calm, h } from "./dom.js";

export const moveLine = (store, moves, most = 16) =>
  h(
    "span",
    { class: "pv" },
    moves.slice(0, most).map((move, i) => {
      const line = moves.slice(0, i + 1);
      const button = h("button", { type: "button", class: "move", onclick: () => leave(store.playLine(line)) }, move);
      pictured(button, () => address(`/games/${store.game.id}/board.svg`, played(store, line)));
      return [i ? " " : "", button];
    }),
    moves.length > most ? " …" : "",
  );

const played = (store, line) => ({ pos: store.tree.start, play: [...store.tree.moves(), ...line].join(",") });

const leave = (result) => {
  document.getElementById("small")?.remove();
  return result;
};

// Shows a picture beside an element while it is pointed at.
export function pictured(element, source) {
  const show = () => {
    leave();
    const box = element.getBoundingClientRect();
    const small = h("div", { id: "small", class: calm() ? "" : "fades" }, h("img", { src: source(), alt: "" }));
    small.style.left = `${Math.max(8, Math.min(box.left - 60, innerWidth - 208))}px`;
    if (box.bottom > innerHeight / 2) small.style.bottom = `${innerHeight - box.top + 8}px`;
    else small.style.top = `${box.bottom + 8}px`;
    document.body.append(small);
  };
  element.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show());
  element.addEventListener("pointerleave", () => leave());
  element.addEventListener("focus", () => element.matches(":focus-visible") && show());
  element.addEventListener("blur", () => leave());
}
