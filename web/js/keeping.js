// What the book keeps of the games that are put into it, beside their counts: remembered in this browser.

import { h } from "./dom.js";

const PARTS = [
  ["White,Black", "Players"],
  ["Event", "Event"],
  ["Date", "Date"],
  ["Opening", "Opening"],
];
const MOVES = "moves";
const USUAL = ["White,Black", "Event", "Date", MOVES];

function chosen() {
  try {
    return JSON.parse(localStorage.getItem("keeping")) ?? USUAL;
  } catch {
    return USUAL; // Without a place to remember it, the usual is kept.
  }
}

// The choice as the server is asked.
export function keepQuery() {
  const kept = chosen();
  const tags = PARTS.map(([tags]) => tags).filter((tags) => kept.includes(tags));
  return new URLSearchParams({ tags: tags.join(), moves: kept.includes(MOVES) ? "yes" : "no" });
}

// The choice as people make it.
export function keeping() {
  const change = (part, on) => {
    const kept = chosen().filter((known) => known !== part);
    try {
      localStorage.setItem("keeping", JSON.stringify(on ? [...kept, part] : kept));
    } catch {
      // The usual is kept.
    }
  };
  const box = ([part, text]) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: chosen().includes(part),
        onchange: (event) => change(part, event.target.checked),
      }),
      text,
    );
  return h(
    "details",
    { class: "keeping" },
    h("summary", {}, "What is kept of each game"),
    h("p", { class: "quiet" }, "About 75 bytes a move, so that the games can be listed, filtered and opened again."),
    h("div", { class: "row" }, [...PARTS, [MOVES, "Moves"]].map(box)),
  );
}
