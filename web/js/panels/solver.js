// Solver: the exact value, where it can be worked out; for puzzles hints and the solution to play through.

import { h, grouped } from "../dom.js";
import { moveLine } from "../moveline.js";
import { moveTable } from "../moves.js";
import { playback } from "../playback.js";
import { badge, known, verdict } from "../values.js";
import { empty, failed, waiting } from "./state.js";

// What shall be reached: any end, the middle, or a place of one's own.
function goals(store) {
  const { geometry } = store.answer.board;
  const far = (cell) => Math.hypot(cell.x - geometry.width / 2 - 0.25, cell.y - geometry.height / 2 + 0.25);
  const middle = [...geometry.cells].sort((a, b) => far(a) - far(b))[0].id;
  const option = ([value, text]) => h("option", { value, selected: value === (store.goal ?? "") }, text);
  const places = geometry.cells.map((cell) => [cell.id, `One left at ${cell.id}`]);
  return h(
    "p",
    { class: "row" },
    h("label", { for: "goal" }, "Goal"),
    h(
      "select",
      { id: "goal", onchange: (event) => store.aim(event.target.value || undefined) },
      [
        ["", "The board's own"],
        ["any", "One left, anywhere"],
        [middle, `One left in the middle (${middle})`],
      ].map(option),
      places.filter(([id]) => id !== middle).map(option),
    ),
  );
}

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
    const aims = store.game.players === 1 && store.answer ? [goals(store)] : [];
    if (problem)
      return host.replaceChildren(
        ...aims,
        failed(problem, () => store.solve(true)),
      );
    if (!solved)
      return host.replaceChildren(
        waiting(store.game.players === 1 ? "Looking for a solution …" : "Working it out …", node.stop),
      );
    const puzzle = store.game.players === 1;
    const head = known(solved)
      ? h(
          "p",
          { class: "verdict" },
          badge(solved.value, solved.distance, solved.distance_exact),
          " ",
          verdict(solved, store.answer?.side ?? 0, store.game),
        )
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
      ...aims,
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
      ...(rows.length && values.size ? [moveTable(store, rows, { values, exact: solved.distance_exact })] : []),
    );
  };
  draw();
  store.solve();
  return { solved: draw };
}

const line = (store, moves) => h("p", {}, h("span", { class: "quiet" }, "Best play "), moveLine(store, moves, 24));
