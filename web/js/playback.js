// A slider over a solution: the board shows it, runs through it at a chosen speed, and nothing is played until asked
// for; then what is shown is what is played.

import { t } from "./i18n.js";
import { h, plural } from "./dom.js";

const SPEEDS = [
  ["slow", 1200],
  ["even", 600],
  ["quick", 250],
];
let pace = 600;
// The position whose solution is running: the panel may be drawn anew meanwhile.
let running = null;

export function playback(store, moves) {
  const [one, many] = store.game.move_words;
  const node = store.tree.current;
  const all = plural(moves.length, one, many);
  const label = h("span", { class: "quiet", id: "playback-at", role: "status" }, all);
  const slider = h("input", {
    type: "range",
    min: 0,
    max: moves.length,
    value: 0,
    "aria-label": `Solution, ${one} by ${one}`,
    oninput: () => show(Number(slider.value)),
  });
  const run = h("button", { type: "button", id: "playback-run", onclick: () => (timer ? pause() : start()) }, "▶ Run");
  const speed = h(
    "select",
    { "aria-label": "Speed", onchange: (event) => (pace = Number(event.target.value)) },
    SPEEDS.map(([name, value]) => h("option", { value, selected: value === pace }, name)),
  );
  const next = h("button", { type: "button", onclick: () => play() }, t("Play {move}", { move: moves[0] }));
  const rest = h("button", { type: "button", onclick: () => store.playLine(moves) }, "Play it all");
  let timer = 0;
  const at = () => Number(slider.value);
  const play = () => (at() ? store.playLine(moves.slice(0, at())) : store.play(moves[0]));
  const tell = (to) => {
    slider.value = to;
    label.textContent = to
      ? t("{one} {at} of {all}: {move}", { one, at: to, all: moves.length, move: moves[to - 1] })
      : all;
    slider.setAttribute("aria-valuetext", label.textContent);
    next.textContent = to ? t("Play to here") : `Play ${moves[0]}`;
  };
  const show = (to) => {
    tell(to);
    store.preview(to ? moves.slice(0, to) : null);
  };
  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    if (slider.isConnected) running = null;
    run.textContent = t("▶ Run");
  };
  const step = () => {
    if (!slider.isConnected || node !== store.tree.current || at() >= moves.length) return pause();
    show(at() + 1);
    timer = setTimeout(step, pace);
  };
  const start = () => {
    if (at() >= moves.length) show(0);
    running = node;
    run.textContent = t("❚❚ Pause");
    timer = setTimeout(step, 0);
  };
  if (store.shown) tell(Math.min(store.shownMoves, moves.length));
  if (running === node) setTimeout(start, pace);
  return h("div", { class: "playback" }, slider, label, h("div", { class: "row" }, run, speed, next, rest));
}
