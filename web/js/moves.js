// The table of legal moves: what each is worth, and what happened when it was played.

import { h, grouped, plural } from "./dom.js";
import { t } from "./i18n.js";
import { badge } from "./values.js";

// The moves as the book counts them: those that are the same by symmetry share a row, or their games would be counted
// several times.
export function merged(moves, stats) {
  const twins = new Map((stats?.moves ?? []).flatMap(({ move, same }) => (same ?? []).map((twin) => [twin, move])));
  const legal = new Set(moves.map((move) => move.move));
  return moves
    .filter((move) => !legal.has(twins.get(move.move)))
    .map((move) => ({ ...move, same: moves.filter((twin) => twins.get(twin.move) === move.move) }));
}

// Whole numbers that add up to 100.
export function shares(parts) {
  const total = Math.max(
    1,
    parts.reduce((sum, part) => sum + part, 0),
  );
  const exact = parts.map((part) => (100 * part) / total);
  const whole = exact.map(Math.floor);
  const missing = parts.some(Boolean) ? 100 - whole.reduce((sum, part) => sum + part, 0) : 0;
  const order = exact.map((part, i) => [part - whole[i], i]).sort((a, b) => b[0] - a[0]);
  for (const [, i] of order.slice(0, missing)) whole[i]++;
  return whole;
}

// Every move named once, with what is known of it. `values` and `counts` are maps by the move's text.
export function moveTable(store, rows, { values, counts, exact = true }) {
  const total = counts ? Math.max(1, ...[...counts.values()].map((count) => Number(count.total))) : 1;
  const row = (move) => {
    const value = values?.get(move.move);
    const count = counts?.get(move.move);
    const cells = [
      h(
        "td",
        { class: "name" },
        h("button", { type: "button", class: "move", onclick: () => store.play(move.move) }, move.move),
        move.same?.length
          ? h(
              "span",
              { class: "quiet", title: `the same by symmetry: ${move.same.map((twin) => twin.move).join(", ")}` },
              ` ${t("+{count} alike", { count: move.same.length })}`,
            )
          : null,
      ),
      values
        ? h(
            "td",
            { class: "worth" },
            value
              ? badge(value.value, value.distance, value.distance_exact ?? exact)
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
  // The light part is the light pieces'.
  const tones = store.answer?.board.dark_side === 0 ? ["second", "first"] : ["first", "second"];
  const parts = [
    [tones[0], Number(count.wins0), store.game.sides[0]],
    ["draws", Number(count.draws), "draws"],
    [tones[1], Number(count.wins1), store.game.sides[1] ?? "lost"],
  ];
  const total = Math.max(1, Number(count.total));
  const whole = shares(parts.map(([, number]) => number));
  const text = parts.map(([, , name], i) => `${name} ${whole[i]}%`).join(", ");
  const part = ([kind, number], i) => {
    const share = (100 * number) / total;
    const span = h("span", { class: `part ${kind}` }, share >= 18 ? `${whole[i]}%` : "");
    span.style.width = `${share}%`;
    return share > 0 ? span : null;
  };
  const element = h(
    "span",
    { class: "bar", role: "img", "aria-label": `${plural(count.total, "game")}: ${text}`, title: text },
    parts.map(part),
  );
  element.style.width = `${Math.max(14, 100 * Math.sqrt(total / most))}%`;
  return element;
}
