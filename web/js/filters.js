// Which games of the book are counted: by result, player, years, and whether machines played them.

import { h } from "./dom.js";

const RESULTS = ["1-0", "1/2-1/2", "0-1"];

// What the book is asked with.
export const query = (store) => {
  const { result, player, from, to, people } = store.filters ?? {};
  return { result, player, from, to, selfplay: people ? "no" : undefined };
};

// Shown where the book keeps something to choose by.
export function filters(store, stats, ask) {
  if (!stats.games?.length && !stats.filtered) return "";
  const now = (store.filters ??= {});
  let timer;
  const change = (name, value, wait = 0) => {
    now[name] = value;
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  };
  const field = (name, label, attributes) =>
    h(
      "label",
      {},
      label,
      h("input", {
        name,
        value: now[name] ?? "",
        autocomplete: "off",
        ...attributes,
        onchange: (event) => change(name, event.target.value.trim()),
      }),
    );
  const { sides } = store.game;
  const names = { "1-0": `${sides[0]}`, "1/2-1/2": "draw", "0-1": `${sides[1]}` };
  return h(
    "details",
    { class: "filters", open: now.open, ontoggle: (event) => (now.open = event.target.open) },
    h("summary", {}, "Choose games"),
    h(
      "div",
      { class: "choices-of-games" },
      h(
        "label",
        {},
        "Won by",
        h(
          "select",
          { name: "result", onchange: (event) => change("result", event.target.value) },
          h("option", { value: "" }, "anybody"),
          RESULTS.map((value) => h("option", { value, selected: now.result === value }, names[value])),
        ),
      ),
      field("player", "Player", {}),
      field("from", "From", { inputmode: "numeric", size: 5, placeholder: "1850" }),
      field("to", "To", { inputmode: "numeric", size: 5, placeholder: "2020" }),
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          name: "people",
          checked: now.people,
          onchange: (event) => change("people", event.target.checked),
        }),
        "without self-play",
      ),
    ),
  );
}
