// Puzzles: one move is right.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { moveLine } from "../moveline.js";
import { placeOf } from "../place.js";

const PROOFS = {
  tables: "Every move was looked up in tables of exact values.",
  solver: "Every move was worked out exactly.",
  proof: "Every move was tried to the end of the win.",
  "second search": "Two searches that share nothing agree.",
};

const task = ({ value, plies, verified }, who) =>
  ({
    win:
      verified === "proof"
        ? t("{who} wins within {plies} plies, with one move only.", { who, plies })
        : t("{who} wins, with one move only.", { who }),
    draw: t("{who} saves the game, with one move only.", { who }),
    gain: t("{who} gains, with one move only.", { who }),
    solvable: t("Exactly one move leaves a way to the goal, {plies} moves away.", { plies }),
  })[value];

export function puzzles(store, host, trainer) {
  const button = (text, act, more = {}) => h("button", { type: "button", onclick: act, ...more }, text);
  const draw = () => {
    const { puzzle, record, state } = trainer;
    const who = t(store.game.sides[trainer.tree?.root.answer?.side ?? 0]);
    const said = {
      open: "",
      wrong: t("{move} is not it. Try again.", { move: trainer.tried }),
      solved: t("Right!"),
      shown: t("The move was {move}.", { move: puzzle?.move }),
    }[state];
    const done = state === "solved" || state === "shown";
    host.replaceChildren(
      ...[
        h(
          "p",
          { class: "quiet", id: "puzzle-record" },
          t("Your rating {rating}, {streak} in a row (best {best}).", record),
        ),
        puzzle
          ? h("p", { class: "verdict", id: "puzzle-task" }, task(puzzle, who))
          : h("p", {}, "One move is right. Find it on the board."),
        puzzle && h("p", { role: "status", id: "puzzle-said", class: state }, said ?? ""),
        h(
          "p",
          { class: "row" },
          puzzle && !done && button("Hint", () => trainer.hint(), { id: "puzzle-hint" }),
          puzzle && !done && button("Solution", () => trainer.solution(), { id: "puzzle-solution" }),
          button(puzzle ? "Next puzzle" : "A puzzle", () => trainer.next(), { id: "puzzle-next" }),
          button("Puzzle of the day", () => trainer.daily(), { id: "puzzle-daily" }),
        ),
        ...(puzzle && done
          ? [
              puzzle.line.length
                ? h("p", {}, h("span", { class: "quiet" }, "It goes on "), moveLine(store, puzzle.line, 24))
                : null,
              h(
                "p",
                { id: "puzzle-themes" },
                puzzle.themes.flatMap((theme, i) => [i ? ", " : "", theme]),
              ),
              h("p", { class: "quiet" }, PROOFS[puzzle.verified] ?? ""),
            ]
          : []),
        puzzle &&
          h(
            "p",
            { class: "quiet" },
            t("Rated {rating}.", puzzle),
            " ",
            h("a", { href: placeOf(store.game.id, [["puzzle", puzzle.id]]), id: "puzzle-link" }, "Link to this puzzle"),
          ),
      ].filter(Boolean),
    );
  };
  draw();
  return { puzzle: draw };
}
