// Codes: every encoding of the position, and its bits with their meaning.

import { get } from "../api.js";
import { h, s } from "../dom.js";
import { failed, waiting } from "./state.js";

export function codes(store, host, signal) {
  const draw = (fields, problem) => {
    const { game, answer } = store;
    if (!answer) return host.replaceChildren(waiting("Looking at the position …"));
    const about = new Map(game.formats.map((format) => [format.id, format]));
    const row = ([id, code]) =>
      h(
        "div",
        { class: "code" },
        h("dt", {}, id, about.get(id)?.reversible ? null : h("span", { class: "quiet" }, " (a hash)")),
        h(
          "dd",
          {},
          h("code", {}, code),
          h(
            "button",
            {
              type: "button",
              class: "icon small",
              title: `Copy ${id}`,
              "aria-label": `Copy ${id}`,
              onclick: (event) => copy(event.currentTarget, code),
            },
            copyIcon(),
          ),
        ),
        h("dd", { class: "quiet" }, about.get(id)?.about ?? ""),
      );
    host.replaceChildren(
      h("dl", { class: "codes" }, Object.entries(answer.codes).map(row)),
      h(
        "p",
        { class: "quiet" },
        "Canonical form ",
        h("code", {}, answer.canonical),
        ` by ${answer.symmetry}, key `,
        h("code", {}, answer.canonical_key),
        ". Every code that is not a hash can be pasted below the board.",
      ),
      problem ? failed(problem) : fields ? bits(store, fields) : waiting("Taking the codes apart …"),
    );
  };
  draw();
  get(`/games/${store.game.id}/codes`, store.query(), signal).then(
    ({ fields }) => draw(fields),
    (problem) => problem.name === "AbortError" || draw(null, problem),
  );
}

const copyIcon = () =>
  s(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true", class: "outline" },
    s("path", { d: "M9 9h11v11H9zM15 9V4H4v11h5" }),
  );

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "✓";
  } catch {
    button.textContent = "✗";
  }
  setTimeout(() => button.replaceChildren(copyIcon()), 1200);
}

function bits(store, fields) {
  const meaning = h("p", { class: "meaning quiet", role: "status" }, "Point at a bit to see what it says.");
  const say = (field, run) => {
    meaning.textContent = `${field.name}: ${run.meaning}`;
    store.tell("point", run.cell ? [run.cell] : null);
  };
  const quiet = () => store.tell("point", null);
  const places = new Map(store.answer.board.geometry.cells.map((cell) => [cell.id, cell.text_at]));
  const group = (field, run) =>
    h(
      "span",
      { class: "run", title: run.meaning, onpointerenter: () => say(field, run), onpointerleave: quiet },
      [...run.bits].map((bit) => h("i", { class: bit === "1" ? "on" : "" }, bit)),
    );
  // A bit for every cell is drawn where the cell is.
  const onBoard = (field) => field.runs.every((run) => run.bits.length === 1 && places.has(run.cell));
  const placed = (field, run) => {
    const element = group(field, run);
    [element.style.gridRow, element.style.gridColumn] = places.get(run.cell).map((at) => at + 1);
    return element;
  };
  const drawn = (field) =>
    onBoard(field)
      ? h(
          "div",
          { class: "bitboard" },
          field.runs.map((run) => placed(field, run)),
        )
      : h(
          "div",
          { class: "bits" },
          field.runs.map((run) => group(field, run)),
        );
  const row = (field) =>
    h(
      "div",
      { class: onBoard(field) ? "bitrow small" : "bitrow" },
      h("h4", {}, field.name, " ", h("code", {}, field.value)),
      drawn(field),
      field.runs.length <= 6
        ? h(
            "ul",
            { class: "says" },
            field.runs.map((run) => h("li", {}, h("code", {}, run.bits), " ", run.meaning)),
          )
        : null,
    );
  return h(
    "section",
    { "aria-label": "Bits" },
    h("h3", {}, "Bit by bit"),
    meaning,
    h("div", { class: "bitrows" }, fields.map(row)),
  );
}
