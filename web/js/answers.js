// Answers on the board: what is best known of every move, drawn where the move goes. Exact values come first, then
// the engine's, then the book's; the source is named, and no mark is told by its colour alone.

import { $, h } from "./dom.js";
import { t } from "./i18n.js";
import { reach } from "./steps.js";
import { LEVELS, level, score, word } from "./values.js";

const SIGNS = { win: "+", draw: "=", loss: "−", solvable: "✓", unsolvable: "✗" };
// How much worse than the best an estimate may be, and still be good; or fair.
const [GOOD, FAIR] = [0.06, 0.2];

// { source, kinds, of: a map from a move's text to { kind, text, rank, says } }, or nothing.
export function knowledge(store) {
  const node = store.tree.current;
  if (store.secret() || !node.answer) return null;
  return exact(node.solved, store.game) ?? estimated(node, store) ?? played(node, store);
}

function exact(solved, game) {
  const moves = solved?.moves?.filter((move) => move.value in LEVELS) ?? [];
  if (!moves.length) return null;
  const of = new Map();
  // Where all moves are as good as each other, none is marked as the best.
  const alike = moves.every(({ best }) => best);
  for (const { move, value, distance, best } of moves) {
    const far = distance === null || distance === undefined ? "" : ` in ${distance}`;
    const rank = LEVELS[value] * 1e4 + (best ? 1e3 : 0);
    of.set(move, { kind: value, text: SIGNS[value], rank, best: best && !alike, says: word(value) + far });
  }
  const kinds = Object.keys(SIGNS).filter((kind) => moves.some(({ value }) => value === kind));
  const words = kinds.map((kind) => [kind, SIGNS[kind], game.players === 2 ? WORDS[kind] : word(kind)]);
  return { source: "exact", words, of };
}

const WORDS = { win: "wins", draw: "draws", loss: "loses" };

function estimated(node, store) {
  const lines = node.report?.lines ?? [];
  if (lines.length < 2) return null;
  const best = level(lines[0].score);
  const of = new Map();
  lines.forEach((line, i) => {
    const behind = best - level(line.score);
    const kind = behind <= GOOD ? "good" : behind <= FAIR ? "fair" : "poor";
    const text = score(line.score, node.answer.side, store.game);
    of.set(line.pv[0], { kind, text: text.length > 6 ? "#" : text, rank: -i, best: !i, says: text });
  });
  return { source: "engine", words: [["good", "±", t("the engine's best {count}", { count: lines.length })]], of };
}

function played(node, store) {
  const moves = node.stats?.moves ?? [];
  if (!moves.length || store.game.players !== 2) return null;
  const of = new Map();
  for (const move of moves) {
    const points = Math.round(100 * move.score);
    const mark = { kind: "book", text: `${points}%`, rank: Number(move.total), says: `${points}% of ${move.total}` };
    for (const text of [move.move, ...(move.same ?? [])]) of.set(text, mark);
  }
  return {
    source: "book",
    words: [["book", "%", t("points for {who}, from played games", { who: t(node.answer.side_name) })]],
    of,
  };
}

// The best mark among moves that go to the same place.
const top = (marks) => marks.filter(Boolean).sort((a, b) => b.rank - a.rank)[0];

// Where to draw what: after a touch at the cells that can be touched next; before it where one touch is enough, and
// in puzzles at the pieces all of whose moves are fatal.
export function marks(store, facts, waits) {
  const found = new Map();
  if (!facts || !store.live()) return found;
  const { moves } = store.answer;
  const put = (cell, list, mark = top(list.map((move) => facts.of.get(move.move)))) => mark && found.set(cell, mark);
  if (store.touched.length) {
    for (const [cell, list] of reach(moves, store.touched)) put(cell, list);
    return found;
  }
  const starts = reach(moves, []);
  for (const [cell, list] of starts) {
    if (list.every((move) => move.steps.length === 1)) put(cell, list);
    else if (store.game.players === 1) {
      const mark = top(list.map((move) => facts.of.get(move.move)));
      if (mark && LEVELS[mark.kind] < 0) found.set(cell, { ...mark, small: true });
    }
  }
  const brought = moves.filter((move) => waits(move.steps[0]) && move.steps.length === 2 && !starts.has(move.steps[1]));
  for (const [cell, list] of Map.groupBy(brought, (move) => move.steps[1])) put(cell, list);
  return found;
}

const SOURCES = { exact: "exact", engine: "by the engine", book: "by the book" };

// What the marks mean, with a switch.
export function watchLegend(store, settings) {
  const legend = $("legend");
  const draw = () => {
    const facts = knowledge(store);
    const button = h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(settings.values),
        title: "Show on the board what moves are worth (v)",
        id: "values",
        onclick: () => settings.set("values", !settings.values),
      },
      "Values",
    );
    const focused = document.activeElement?.id === "values";
    const word = ([kind, sign, text]) => h("span", { class: "word" }, h("i", { class: `sign ${kind}` }, sign), text);
    legend.replaceChildren(
      button,
      ...(settings.values && facts
        ? [...facts.words.map(word), h("span", { class: "quiet" }, SOURCES[facts.source])]
        : []),
    );
    if (focused) button.focus();
  };
  for (const what of ["position", "solved", "report", "stats"]) store.on(what, draw);
  settings.addEventListener("change", draw);
}
