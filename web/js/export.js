// Ways out: the game as a file with its marks, the board as a picture, the game as one that plays itself.

import { post, text } from "./api.js";
import { h } from "./dom.js";
import { written } from "./load.js";

// Written when a game has no files of its own.
const PLAIN = ["jsonl"];
// The width of a picture made of dots.
const PIXELS = 1200;

export function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function game(store, format) {
  const { tree } = store;
  const body = {
    start: tree.start,
    line: written(tree.root),
    tags: tree.tags,
    result: tree.result ?? undefined,
    format,
    annotation: tree.annotation,
  };
  const { text, name } = await post(`/games/${store.game.id}/write`, body);
  save(name, new Blob([text], { type: "text/plain" }));
}

const svg = (store, what, node) => text(`/games/${store.game.id}/${what}.svg`, store.query(node));

async function picture(store) {
  const drawn = await svg(store, "board");
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(drawn);
  await image.decode();
  const canvas = h("canvas", { width: PIXELS, height: Math.round((PIXELS * image.height) / image.width) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(`${store.game.id}.png`, blob));
}

async function vector(store, what, node) {
  save(`${store.game.id}.svg`, new Blob([await svg(store, what, node)], { type: "image/svg+xml" }));
}

// A menu of them.
export function exports(store) {
  const formats = store.game.files.filter((id) => ["pgn", "pdn"].includes(id));
  const state = h("p", { class: "quiet", role: "status" });
  const entry = (name, act) =>
    h(
      "button",
      {
        type: "button",
        onclick: async () => {
          state.textContent = "";
          await act().then(
            () => menu.removeAttribute("open"),
            (problem) => (state.textContent = problem.message),
          );
        },
      },
      name,
    );
  const end = () => {
    let at = store.tree.root;
    while (at.children.length) at = at.children[0];
    return at;
  };
  const menu = h(
    "details",
    {
      class: "menu",
      onkeydown: (event) => event.key === "Escape" && menu.removeAttribute("open"),
      onfocusout: (event) => event.relatedTarget && !menu.contains(event.relatedTarget) && menu.removeAttribute("open"),
    },
    h("summary", {}, "Export"),
    h(
      "div",
      { class: "entries" },
      (formats.length ? formats : PLAIN).map((format) => entry(format.toUpperCase(), () => game(store, format))),
      entry("Picture (PNG)", () => picture(store)),
      entry("Picture (SVG)", () => vector(store, "board")),
      entry("The game, animated (SVG)", () => vector(store, "movie", end())),
      state,
    ),
  );
  return menu;
}
