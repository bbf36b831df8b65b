// The table of legal moves: what each is worth, and what happened when it was played.

import { h, grouped, plural } from "./dom.js";
import { badge } from "./values.js";

// Every move named once, with what is known of it. `values` and `counts` are maps by the move's text.
export function moveTable(store, rows, { values, counts }) {
  const total = counts ? Math.max(1, ...[...counts.values()].map((count) => Number(count.total))) : 1;
  const row = (move) => {
    const value = values?.get(move.move);
    const count = counts?.get(move.move);
    const cells = [
      h(
        "td",
        { class: "name" },
        h("button", { type: "button", class: "move", onclick: () => store.play(move.move) }, move.move),
        move.same?.length ? h("span", { class: "same" }, `= ${move.same.join(", ")}`) : null,
      ),
      values
        ? h(
            "td",
            { class: "worth" },
            value
              ? badge(value.value, value.distance)
              : h("span", { class: "badge unknown", "aria-label": "unknown" }, "·"),
          )
        : null,
      counts ? h("td", { class: "times" }, count ? grouped(count.total) : "–") : null,
      counts ? h("td", { class: "bars" }, count ? bar(store, count, total) : null) : null,
    ];
    return h(
      "tr",
      {
        onpointerenter: () => store.tell("point", move.steps),
        onpointerleave: () => store.tell("point", null),
        onfocusin: () => store.tell("point", move.steps),
        onfocusout: () => store.tell("point", null),
        onclick: (event) => event.target.closest("button") || store.play(move.move),
      },
      cells,
    );
  };
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "Move"),
    values ? h("th", { scope: "col" }, "Value") : null,
    counts ? h("th", { scope: "col" }, "Games") : null,
    counts ? h("th", { scope: "col" }, "Results") : null,
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Legal moves" },
    h("table", { class: "moves" }, h("thead", {}, head), h("tbody", {}, rows.map(row))),
  );
}

// The legal moves when nothing is known of them but their names.
export function moveChips(store, rows, headed = true) {
  const chip = (move) => {
    const [point, leave] = [() => store.tell("point", move.steps), () => store.tell("point", null)];
    return h(
      "button",
      {
        type: "button",
        class: "move",
        onclick: () => store.play(move.move),
        onpointerenter: point,
        onpointerleave: leave,
        onfocus: point,
        onblur: leave,
      },
      move.move,
    );
  };
  return h(
    "section",
    { "aria-label": "Legal moves" },
    headed ? h("h3", {}, plural(rows.length, "legal move")) : null,
    h("div", { class: "chips" }, rows.map(chip)),
  );
}

// Wins, draws and losses as shares of a bar whose length is the number of games.
export function bar(store, count, most = Number(count.total)) {
  const shares = [
    ["first", count.wins0, store.game.sides[0]],
    ["draws", count.draws, "draws"],
    ["second", count.wins1, store.game.sides[1] ?? "lost"],
  ];
  const total = Math.max(1, Number(count.total));
  const text = shares.map(([, number, name]) => `${name} ${Math.round((100 * Number(number)) / total)}%`).join(", ");
  const part = ([kind, number]) => {
    const share = (100 * Number(number)) / total;
    const span = h("span", { class: `part ${kind}` }, share >= 18 ? `${Math.round(share)}%` : "");
    span.style.width = `${share}%`;
    return share > 0 ? span : null;
  };
  const element = h(
    "span",
    { class: "bar", role: "img", "aria-label": `${plural(count.total, "game")}: ${text}`, title: text },
    shares.map(part),
  );
  element.style.width = `${Math.max(14, 100 * Math.sqrt(total / most))}%`;
  return element;
}
