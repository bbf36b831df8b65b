// Solver: the exact value, where it can be worked out; for puzzles hints and the solution to play through.

import { h, grouped, plural } from "../dom.js";
import { moveTable } from "../moves.js";
import { badge, word } from "../values.js";
import { empty, failed, waiting } from "./state.js";

const SOURCES = {
  over: "The game is over.",
  table: "From a table of all positions.",
  strong: "Every position that can be reached was worked out.",
  proof: "By a search for a proof.",
};

export function solver(store, host) {
  const draw = () => {
    const node = store.tree.current;
    const { solved, problem } = node;
    if (problem) return host.replaceChildren(failed(problem, () => store.solve(true)));
    if (!solved)
      return host.replaceChildren(
        waiting(store.game.players === 1 ? "Looking for a solution …" : "Working it out …", node.stop),
      );
    const puzzle = store.game.players === 1;
    const known = solved.value !== "unknown";
    const head = known
      ? h("p", { class: "verdict" }, badge(solved.value, solved.distance), " ", verdict(store, solved))
      : empty(
          "Not worked out.",
          h(
            "p",
            { class: "quiet" },
            "This position is too far from the end for an exact answer in a few seconds. The engine has an opinion.",
          ),
          h("button", { type: "button", onclick: () => store.solve(true, 15) }, "Try for longer"),
        );
    const source = [
      SOURCES[solved.method] ?? (puzzle ? `By the puzzle's own solver (${solved.method}).` : `By ${solved.method}.`),
      solved.reason && !["over", "table"].includes(solved.method)
        ? ` ${solved.reason[0].toUpperCase()}${solved.reason.slice(1)}.`
        : "",
    ];
    const values = new Map(solved.moves.map((move) => [move.move, move]));
    const order = new Map(solved.moves.map((move, i) => [move.move, i]));
    const rows = [...(store.answer?.moves ?? [])].sort(
      (a, b) => (order.get(a.move) ?? 999) - (order.get(b.move) ?? 999),
    );
    host.replaceChildren(
      head,
      h(
        "p",
        { class: "quiet" },
        source,
        Number(solved.positions)
          ? ` ${grouped(solved.positions)} positions, ${solved.seconds < 1 ? `${Math.round(solved.seconds * 1000)} ms` : `${solved.seconds.toFixed(1)} s`}.`
          : "",
      ),
      ...(solved.line.length ? [puzzle ? playback(store, solved.line) : line(store, solved.line)] : []),
      ...(puzzle && node.stop ? [waiting(`Looking for fatal ${store.game.move_words[1]} …`, node.stop)] : []),
      ...(rows.length && values.size ? [moveTable(store, rows, { values })] : []),
    );
  };
  draw();
  store.solve();
  return { solved: draw };
}

function verdict(store, solved) {
  const side = store.answer?.side_name ?? "";
  const left = solved.distance === null ? "" : ` in ${solved.distance}`;
  switch (solved.value) {
    case "win":
      return solved.distance === 0 ? `${side} has won.` : `${side} to move wins${left}.`;
    case "loss":
      return solved.distance === 0 ? `${side} has lost.` : `${side} to move loses${left}.`;
    case "draw":
      return "Nobody can force a win.";
    case "solvable":
      return solved.distance === 0
        ? "Solved."
        : `There is a solution in ${plural(solved.distance, ...store.game.move_words)}.`;
    case "unsolvable":
      return "It can no longer be solved.";
    default:
      return word(solved.value);
  }
}

const line = (store, moves) =>
  h(
    "p",
    { class: "pv" },
    h("span", { class: "quiet" }, "Best play "),
    moves
      .slice(0, 24)
      .map((move, i) => [
        i ? " " : "",
        i === 0
          ? h("button", { type: "button", class: "move", onclick: () => store.play(move) }, move)
          : h("span", {}, move),
      ]),
    moves.length > 24 ? " …" : "",
  );

// A slider over the solution: the board shows it, and nothing is played until asked for.
function playback(store, moves) {
  const [one] = store.game.move_words;
  const all = plural(moves.length, ...store.game.move_words);
  const label = h("span", { class: "quiet", id: "playback-at" }, all);
  const slider = h("input", {
    type: "range",
    min: 0,
    max: moves.length,
    value: 0,
    "aria-label": `Solution, ${one} by ${one}`,
  });
  const show = () => {
    const at = Number(slider.value);
    label.textContent = at ? `${one} ${at} of ${moves.length}: ${moves[at - 1]}` : all;
    slider.setAttribute("aria-valuetext", label.textContent);
    store.preview(at ? moves.slice(0, at) : null);
  };
  slider.addEventListener("input", show);
  const next = h("button", { type: "button", onclick: () => store.play(moves[0]) }, `Play ${moves[0]}`);
  const rest = h("button", { type: "button", onclick: () => store.playLine(moves) }, "Play it all");
  return h("div", { class: "playback" }, slider, label, h("div", { class: "row" }, next, rest));
}
