// The analysis in one strip, always there: the engine's switch, the score, the first line, and the solver's word.

import { $, h } from "./dom.js";
import { t } from "./i18n.js";
import { moveLine } from "./moveline.js";
import { known, score, verdict, view } from "./values.js";

export function watchStrip(store, analysis) {
  const strip = $("strip");
  let shown = "";
  const draw = () => {
    if (!store.answer) return;
    const parts = [
      h("div", { class: "row" }, toggle(analysis), ...head(store, analysis), hint(store)),
      h("div", { class: "first-line" }, body(store, analysis)),
    ];
    // What looks the same is left alone: a button under the pointer must not be exchanged for its twin.
    const text = parts.map((part) => part.outerHTML).join("") + store.tree.moves().join();
    if (text === shown) return;
    shown = text;
    const focused = strip.contains(document.activeElement) && document.activeElement.id;
    strip.replaceChildren(...parts);
    if (focused) $(focused)?.focus({ preventScroll: true });
  };
  for (const what of ["position", "report", "solved", "value"]) store.on(what, draw);
}

// Puzzles have a hint: the first move of the solution, shown on the board.
function hint(store) {
  const { solved } = store.tree.current;
  const move = store.game.players === 1 && store.answer.moves.find((one) => one.move === solved?.line?.[0]);
  if (!move) return null;
  return h("button", { type: "button", id: "hint", onclick: () => store.tell("point", move.steps) }, "Hint");
}

function toggle(analysis) {
  if (!analysis.possible) return null;
  return h(
    "button",
    {
      type: "button",
      role: "switch",
      class: "switch",
      id: "engine-run",
      "aria-checked": String(analysis.on),
      title: analysis.on ? "Stop the engine (e)" : "Let the engine look at every position (e)",
      onclick: () => analysis.toggle(),
    },
    h("i", { "aria-hidden": "true" }),
    "Engine",
  );
}

// The number: exact where that is known, or else the engine's.
function head(store, analysis) {
  const { game, answer } = store;
  const { solved } = store.tree.current;
  const { report } = analysis;
  if (known(solved))
    return [
      h("strong", { class: "score exact", id: "score" }, verdict(solved, answer.side, game).replace(/\.$/, "")),
      h("span", { class: "quiet" }, "exact"),
    ];
  if (!analysis.possible) return [h("span", { class: "quiet" }, solved ? "Not worked out." : "Working it out …")];
  if (!report) return [h("span", { class: "quiet" }, analysis.on ? "thinking …" : "")];
  return [
    h("strong", { class: "score", id: "score", title: view(game) }, score(report.score, answer.side, game)),
    h("span", { class: "quiet" }, t("depth {depth}", report)),
    "estimate" in report.score ? h("span", { class: "quiet view" }, view(game)) : null,
  ];
}

function body(store, analysis) {
  const { solved } = store.tree.current;
  if (store.answer.outcome) return h("span", { class: "quiet" }, "The game is over here.");
  if (analysis.problem)
    return h(
      "span",
      { class: "failed", role: "alert" },
      `${analysis.problem.message} `,
      h("button", { type: "button", class: "link", onclick: () => analysis.toggle(true) }, "Try again"),
    );
  // The solution of a puzzle is for those who ask.
  if (store.game.players === 1) return h("span", { class: "quiet" }, "The solver tab has the solution.");
  if (known(solved) && solved.moves.length > 1 && solved.moves.every((move) => move.best))
    return h("span", { class: "quiet" }, "All moves are equally good.");
  if (known(solved) && solved.line.length) return moveLine(store, solved.line);
  const best = solved?.moves?.find((move) => move.best);
  if (known(solved) && best) return moveLine(store, [best.move]);
  if (analysis.report) return moveLine(store, analysis.report.lines[0]?.pv ?? analysis.report.pv);
  return h("span", { class: "quiet" }, analysis.on || !analysis.possible ? " " : "The engine is off.");
}
