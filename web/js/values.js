// Values as people read them: a word, a sign and a colour, never the colour alone.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const WORDS = {
  win: ["win", "W"],
  loss: ["loss", "L"],
  draw: ["draw", "D"],
  unknown: ["unknown", "?"],
  solvable: ["solvable", "✓"],
  unsolvable: ["lost", "✗"],
};

export const word = (value) => WORDS[value]?.[0] ?? value;

// A badge such as "W 12"; "W ≤12" when it may be sooner.
export function badge(value, distance, exact = true) {
  const [name, letter] = WORDS[value] ?? [value, value];
  const far = distance === undefined || distance === null ? "" : ` ${exact ? "" : "≤"}${distance}`;
  const title = far ? `${name} in ${exact ? "" : "at most "}${distance}` : name;
  return h("span", { class: `badge ${value}`, title, "aria-label": title, role: "img" }, letter + far);
}

// One point of view everywhere: plus is good for the player who is named first.
export const view = (game) => t("+ is good for {side}", { side: game.sides[0] });

const signed = (hundredths) =>
  (hundredths > 0 ? "+" : hundredths < 0 ? "−" : "") + (Math.abs(hundredths) / 100).toFixed(2);

// The score of a search for the side to move: { win: 5 }, { loss: 5 }, { draw: true } or { estimate: 34 }; told
// from the first player's view.
export function score(score, side, game) {
  if ("win" in score) return t("{side} wins in {count}", { side: game.sides[side], count: score.win });
  if ("loss" in score) return t("{side} wins in {count}", { side: game.sides[1 - side], count: score.loss });
  if ("draw" in score) return t("draw");
  return signed(absolute(score.estimate, side));
}

// The same in four letters at most, where a bar shows who is better.
export function brief(score, side) {
  if ("win" in score || "loss" in score) return "win" in score === (side === 0) ? "1–0" : "0–1";
  if ("draw" in score) return "½";
  return (Math.abs(score.estimate) / 100).toFixed(1);
}

// The exact value of a position in a sentence; `side` is to move.
export function verdict(solved, side, game) {
  const { value, distance: count } = solved;
  const far = count === null || count === undefined ? "" : solved.distance_exact === false ? "most" : "just";
  switch (value) {
    case "win":
    case "loss": {
      const winner = { side: game.sides[value === "win" ? side : 1 - side], count };
      if (count === 0) return t("{side} has won.", winner);
      const words = { "": "{side} wins.", just: "{side} wins in {count}.", most: "{side} wins in at most {count}." };
      return t(words[far], winner);
    }
    case "draw":
      return t("A draw with best play.");
    case "solvable":
      if (count === 0) return t("Solved.");
      return t(
        far === "most" ? "It can be solved in at most {count} {moves}." : "It can be solved in {count} {moves}.",
        {
          count,
          moves: game.move_words[count === 1 ? 0 : 1],
        },
      );
    case "unsolvable":
      return t("It can no longer be solved.");
    default:
      return t(word(value));
  }
}

export const known = (solved) => Boolean(solved) && solved.value in LEVELS;

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
