// The dialog for what a person likes: the board, the pieces, sounds, marks.

import { $, h } from "./dom.js";

const BOARDS = [
  ["wood", "Wood"],
  ["slate", "Slate"],
  ["meadow", "Meadow"],
];
const PIECES = [
  ["carved", "Carved"],
  ["coins", "Coins"],
];
const SWITCHES = [
  ["values", "Show on the board what moves are worth"],
  ["arrows", "Show the best line as arrows"],
  ["sounds", "Sounds"],
];

export function likes(settings) {
  const choice = (title, name, options) =>
    h(
      "fieldset",
      {},
      h("legend", {}, title),
      h(
        "div",
        { class: "picks" },
        options.map(([value, text]) =>
          h(
            "label",
            { class: "pick" },
            h("input", {
              type: "radio",
              name,
              value,
              checked: settings[name] === value,
              onchange: () => settings.set(name, value),
            }),
            h("i", { class: `swatch ${value}`, "aria-hidden": "true" }),
            h("span", {}, text),
          ),
        ),
      ),
    );
  const toggle = ([name, text]) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        name,
        checked: settings[name],
        onchange: (event) => settings.set(name, event.target.checked),
      }),
      text,
    );
  $("likes-open").onclick = () => {
    $("likes-body").replaceChildren(
      choice("Board", "board", BOARDS),
      choice("Pieces", "pieces", PIECES),
      ...SWITCHES.map(toggle),
    );
    $("likes").showModal();
  };
}
