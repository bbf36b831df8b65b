// Engine: all lines of the analysis, and how many there shall be.

import { h, grouped, short } from "../dom.js";
import { moveLine } from "../moveline.js";
import { known, score, verdict, view } from "../values.js";
import { empty, failed, waiting } from "./state.js";

export function engine(store, host, analysis) {
  const draw = () => {
    if (!store.answer) return;
    if (!analysis.possible)
      return host.replaceChildren(
        empty(
          "This game has no engine.",
          h(
            "p",
            { class: "quiet" },
            `The solver knows whether it can be solved, and which ${store.game.move_words[1]} are fatal.`,
          ),
        ),
      );
    const focused = document.activeElement?.id;
    host.replaceChildren(count(analysis), ...exact(store), content(store, analysis));
    if (focused === "engine-lines") document.getElementById(focused)?.focus({ preventScroll: true });
  };
  draw();
  return { report: draw, solved: draw };
}

function count(analysis) {
  const select = h(
    "select",
    { id: "engine-lines", onchange: (event) => analysis.ask(Number(event.target.value)) },
    [1, 2, 3, 5, 8].map((n) => h("option", { value: n, selected: n === analysis.lines }, n)),
  );
  return h("div", { class: "row" }, h("label", { for: "engine-lines" }, "Lines"), select);
}

// What is known needs no estimate.
function exact(store) {
  const { solved } = store.tree.current;
  if (!known(solved)) return [];
  return [
    h(
      "p",
      { class: "known" },
      `The exact value is known: ${verdict(solved, store.answer.side, store.game)} `,
      h("span", { class: "quiet" }, "The lines below are the engine's own."),
    ),
  ];
}

function content(store, analysis) {
  if (analysis.problem) return failed(analysis.problem, () => analysis.toggle(true));
  if (store.answer.outcome) return empty("The game is over here.");
  if (analysis.report) return lineList(store, analysis.report);
  if (analysis.on) return waiting("Thinking …");
  return h(
    "p",
    { class: "quiet" },
    "Switched on, the engine looks ahead from the position on the board for as long as you listen.",
  );
}

function lineList(store, report) {
  const row = (line) => {
    const first = store.answer.moves.find((move) => move.move === line.pv[0]);
    return h(
      "li",
      { onpointerenter: () => store.tell("point", first?.steps), onpointerleave: () => store.tell("point", null) },
      h("span", { class: "score" }, score(line.score, store.answer.side, store.game)),
      moveLine(store, line.pv),
    );
  };
  const lines = report.lines.length ? report.lines : [{ score: report.score, pv: report.pv }];
  return h(
    "div",
    {},
    h(
      "p",
      { class: "quiet numbers" },
      `depth ${report.depth} · ${grouped(report.nodes)} nodes · ${short(report.nodes_per_second)}/s · ${report.method} · ${view(store.game)}`,
    ),
    h("ol", { class: "lines" }, lines.map(row)),
  );
}
