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
export const view = (game) => t("+ is good for {who}", { who: t(game.sides[0]) });

const signed = (hundredths) =>
  (hundredths > 0 ? "+" : hundredths < 0 ? "−" : "") + (Math.abs(hundredths) / 100).toFixed(2);

const wins = (who, count) => t("{who} wins in {count}", { who: t(who), count });

// The score of a search for the side to move: { win: 5 }, { loss: 5 }, { draw: true } or { estimate: 34 }; told
// from the first player's view.
export function score(score, side, game) {
  if ("win" in score) return wins(game.sides[side], score.win);
  if ("loss" in score) return wins(game.sides[1 - side], score.loss);
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
  const bound = solved.distance_exact === false;
  const count = bound ? t("at most {count}", { count: solved.distance }) : solved.distance;
  const over = solved.distance === 0;
  const won = (who) =>
    over
      ? t("{who} has won.", { who: t(who) })
      : solved.distance === null
        ? t("{who} wins.", { who: t(who) })
        : `${wins(who, count)}.`;
  switch (solved.value) {
    case "win":
      return won(game.sides[side]);
    case "loss":
      return won(game.sides[1 - side]);
    case "draw":
      return t("A draw with best play.");
    case "solvable":
      return over ? t("Solved.") : t("It can be solved: {count} to go.", { count });
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
