// The rules in short.

import { address } from "../api.js";
import { h, s } from "../dom.js";
import { outline } from "../paint.js";
import { reporting } from "../report.js";

export function rules(store, host) {
  const { game, answer } = store;
  const sentences = (text) => text.split(/(?<=\.)\s+(?=[A-Z])/).map((sentence) => h("p", {}, marked(sentence)));
  const parts = [
    h("h2", {}, game.name),
    sentences(game.rules),
    ...drawn(game),
    ...pieces(store),
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
      store.can("report") ? h("li", {}, reporting(store)) : [],
      h("li", {}, h("a", { href: address("/openapi.json") }, "The API")),
    ),
  ];
  host.replaceChildren(...parts.flat(Infinity));
}

// `d4` between backticks is code.
const marked = (text) => text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));

// Examples, drawn like the board itself.
const drawn = (game) =>
  game.examples?.length
    ? [
        h(
          "div",
          { class: "examples" },
          game.examples.map(({ about, position }) =>
            h(
              "figure",
              {},
              h("img", { src: address(`/games/${game.id}/board.svg`, { pos: position }), alt: "", loading: "lazy" }),
              h("figcaption", {}, about),
            ),
          ),
        ),
      ]
    : [];

// Every kind of piece with its picture, where there are several.
function pieces(store) {
  const first = (store.tree.root.answer ?? store.answer)?.board;
  const kinds = new Map();
  for (const piece of first?.picture.pieces ?? []) {
    const light = (piece.side === "first") === (first.dark_side === 1);
    if (!kinds.has(piece.name) || light)
      kinds.set(piece.name, { piece, tone: piece.side ? (light ? "light" : "dark") : "own" });
  }
  if (kinds.size < 2) return [];
  const words = new Map((store.game.piece_words ?? []).map(({ name, about }) => [name, about]));
  const row = ({ piece, tone }) =>
    h(
      "tr",
      {},
      h(
        "td",
        {},
        s(
          "svg",
          { viewBox: "0 0 100 100", "aria-hidden": "true" },
          s("g", { class: `piece ${tone}` }, outline(piece, tone)),
        ),
      ),
      h("th", { scope: "row" }, piece.name),
      h("td", {}, h("code", {}, piece.ascii)),
      h("td", {}, words.get(piece.name) ?? ""),
    );
  return [h("h3", {}, "Pieces"), h("table", { class: "kinds" }, h("tbody", {}, [...kinds.values()].map(row)))];
}
