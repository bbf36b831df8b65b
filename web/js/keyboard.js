// Keys for the whole page; the board and the tabs have their own while they are focused.

import { $ } from "./dom.js";

export function keyboard(store, tabs) {
  const keys = {
    ArrowLeft: () => $("back").click(),
    ArrowRight: () => $("forward").click(),
    ArrowUp: () => $("first").click(),
    ArrowDown: () => $("last").click(),
    f: () => $("flip").click(),
    "?": () => $("help").showModal(),
    m: () => $("typed-move").focus(),
    e: () => $("engine-run")?.click(),
    v: () => $("values")?.click(),
    " ": () => best(store),
    Escape: () => {
      store.touched = [];
      store.tell("touched");
    },
  };
  tabs.forEach((tab, i) => (keys[i + 1] = () => store.look({ tab })));
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=radio]):not([type=range]), textarea, select, dialog[open]");
    if (event.key === "Escape" && event.target.matches?.("input")) return event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !store.answer) return;
    // A dialog that has just been closed may still hold the focus for a moment.
    const presses =
      event.key === " " && event.target.closest?.("button, a, [role=tab]") && !event.target.closest("dialog");
    if (!keys[event.key] || presses || (event.target.matches?.("input") && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    keys[event.key]();
  });
}

// Plays the best move that is known here: the solver's, the engine's, or the book's.
async function best(store) {
  const node = store.tree.current;
  if (!store.live() || store.secret()) return;
  // Puzzles are solved quickly; in games for two only a table is.
  await (store.game.players === 1 ? store.solve() : node.probing);
  if (node !== store.tree.current) return;
  const solved = node.solved?.moves?.find((move) => move.best)?.move ?? node.solved?.line?.[0];
  const move = solved ?? node.best ?? (await store.think?.()) ?? node.stats?.moves?.[0]?.move;
  if (move && node === store.tree.current) store.play(move);
}
