// Values as people read them: a word, a sign and a colour, never the colour alone.

import { h } from "./dom.js";

const WORDS = {
  win: ["win", "W"],
  loss: ["loss", "L"],
  draw: ["draw", "D"],
  unknown: ["unknown", "?"],
  solvable: ["solvable", "✓"],
  unsolvable: ["lost", "✗"],
};

export const word = (value) => WORDS[value]?.[0] ?? value;

// A badge such as "W 12".
export function badge(value, distance) {
  const [name, letter] = WORDS[value] ?? [value, value];
  const far = distance === undefined || distance === null ? "" : ` ${distance}`;
  const title = far ? `${name} in ${distance}` : name;
  return h("span", { class: `badge ${value}`, title, "aria-label": title }, letter + far);
}

// The score of a search: { win: 5 }, { loss: 5 }, { draw: true } or { estimate: 34 }.
export function score(score) {
  if ("win" in score) return `win in ${score.win}`;
  if ("loss" in score) return `loss in ${score.loss}`;
  if ("draw" in score) return "draw";
  return (score.estimate > 0 ? "+" : score.estimate < 0 ? "−" : "") + (Math.abs(score.estimate) / 100).toFixed(2);
}

// Between -1 and 1, for the side to move.
export function level(score) {
  if ("win" in score) return 1;
  if ("loss" in score) return -1;
  if ("draw" in score) return 0;
  return Math.tanh(score.estimate / 400);
}

export const LEVELS = { win: 1, loss: -1, draw: 0, solvable: 1, unsolvable: -1 };

// The same for player 0.
export const absolute = (level, side) => (side === 0 ? level : -level);
