// The rules in short.

import { h } from "../dom.js";
import { address } from "../api.js";

export function rules(store, host) {
  const { game, answer } = store;
  const sentences = (text) => text.split(/(?<=\.)\s+(?=[A-Z])/).map((sentence) => h("p", {}, marked(sentence)));
  const parts = [
    h("h2", {}, game.name),
    sentences(game.rules),
    h("h3", {}, "Notation"),
    sentences(game.notation),
    game.starts.length > 1
      ? [
          h("h3", {}, "Openings and boards"),
          h(
            "ul",
            { class: "plain" },
            game.starts.map((start) =>
              h(
                "li",
                {},
                h(
                  "button",
                  { type: "button", class: "link", onclick: () => store.open(game, start.position) },
                  start.id,
                ),
                " ",
                start.about,
              ),
            ),
          ),
        ]
      : [],
    h("h3", {}, "Elsewhere"),
    h(
      "ul",
      { class: "plain" },
      h(
        "li",
        {},
        h("a", { href: address(`/games/${game.id}/board.svg`, { pos: answer?.position }) }, "This board as a picture"),
      ),
      h(
        "li",
        {},
        h("a", { href: address(`/games/${game.id}/position`, { pos: answer?.position }) }, "This position as JSON"),
      ),
      h("li", {}, h("a", { href: address("/openapi.json") }, "The API")),
    ),
  ];
  host.replaceChildren(...parts.flat(Infinity));
}

// `d4` between backticks is code.
const marked = (text) => text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
