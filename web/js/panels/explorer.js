// Explorer: what happened in played games, and what each move is worth where that is known.

import { get } from "../api.js";
import { filters, query } from "../filters.js";
import { growing, tools } from "../growing.js";
import { h, grouped, plural } from "../dom.js";
import { t } from "../i18n.js";
import { load } from "../load.js";
import { bar, merged, moveChips, moveTable } from "../moves.js";
import { badge, word } from "../values.js";
import { empty, failed, waiting } from "./state.js";

export function explorer(store, host, signal) {
  const draw = (stats, problem) => {
    if (!store.answer) return host.replaceChildren(waiting("Looking at the position …"));
    const solved = store.tree.current.solved;
    const values = solved?.moves?.length ? new Map(solved.moves.map((move) => [move.move, move])) : null;
    const total = Number(stats?.total ?? 0);
    const focused = host.contains(document.activeElement) && document.activeElement.name;
    host.replaceChildren(
      ...(problem
        ? [failed(problem, ask)]
        : !stats
          ? [waiting("Asking the book …")]
          : total
            ? [summary(store, stats)]
            : [nothing(store, ask)]),
      stats ? filters(store, stats, ask) : "",
      ...moves(store, values, total ? stats : null, solved?.distance_exact),
      total ? tools(store, stats, ask) : "",
    );
    if (focused) host.querySelector(`[name="${focused}"]`)?.focus({ preventScroll: true });
  };
  const ask = async () => {
    draw(store.tree.current.stats);
    const node = store.tree.current;
    try {
      node.stats = await get(`/games/${store.game.id}/stats`, { ...store.query(), ...query(store) }, signal);
      draw(node.stats);
      store.tell("stats");
    } catch (problem) {
      if (problem.name !== "AbortError") draw(null, problem);
    }
  };
  ask();
  return { solved: () => draw(store.tree.current.stats) };
}

const summary = (store, stats) =>
  h(
    "div",
    { class: "summary" },
    h(
      "p",
      {},
      h("strong", {}, grouped(stats.total)),
      " ",
      Number(stats.total) === 1 ? "game met this position" : "games met this position",
    ),
    bar(store, stats),
  );

const nothing = (store, done) =>
  empty(
    "No recorded game met this position.",
    h(
      "p",
      { class: "quiet" },
      "The book grows with games you import, and with games the machine plays against itself from here.",
    ),
    growing(store, done),
  );

// Played moves with their games, and the games themselves; then the moves that nobody played.
function moves(store, values, stats, exact) {
  if (!store.answer.moves.length) return [empty("The game is over here.")];
  if (stats) {
    const counts = new Map(stats.moves.map((move) => [move.move, move]));
    const games = ({ move }) => Number(counts.get(move)?.total ?? 0);
    const rows = merged(store.answer.moves, stats).sort((a, b) => games(b) - games(a));
    const rest = rows.filter((move) => !games(move));
    return [
      moveTable(
        store,
        rows.filter((move) => games(move)),
        { values, counts, exact },
      ),
      stats.games?.length ? samples(store, stats.games) : "",
      rest.length
        ? h("details", { class: "rest" }, h("summary", {}, unplayed(rest)), others(store, rest, values, exact))
        : "",
    ];
  }
  return [others(store, store.answer.moves, values, exact)];
}

const unplayed = (moves) => t("{count} legal moves that nobody played", { count: moves.length });

// Moves without games: by their value, where it is known.
function others(store, moves, values, exact) {
  if (!values) return moveChips(store, moves);
  return h(
    "div",
    {},
    groups(moves, values).map((group) => section(store, group, exact)),
  );
}

// Moves of equal value together, the best first: solvers list them so.
function groups(moves, values) {
  const found = new Map();
  for (const move of moves) {
    const value = values.get(move.move);
    const key = value ? `${value.value} ${value.distance ?? ""}` : "";
    if (!found.has(key)) found.set(key, { value, moves: [] });
    found.get(key).moves.push(move);
  }
  const rank = ({ value }) => [...values.values()].indexOf(value);
  return [...found.values()].sort((a, b) => (a.value ? rank(a) : Infinity) - (b.value ? rank(b) : Infinity));
}

function section(store, { value, moves }, exact) {
  const all = moves.length === store.answer.moves.length && moves.length > 1;
  const many = all ? t("all {count} moves", { count: moves.length }) : plural(moves.length, "move");
  return h(
    "section",
    { class: "group", "aria-label": value ? t(word(value.value)) : t("unknown") },
    h("h3", {}, value ? badge(value.value, value.distance, exact) : null, " ", many),
    moveChips(store, moves, false),
  );
}

// Some games behind the numbers.
const samples = (store, games) =>
  h(
    "section",
    { class: "samples", "aria-label": "Games" },
    h("h3", {}, "Some of these games"),
    h(
      "ul",
      {},
      games.map((game) => sample(store, game)),
    ),
  );

// Of each, what is kept; with its moves it can be opened.
function sample(store, { id, white, black, event, date, opening, result, selfplay, moves }) {
  const names = [white, black].filter(Boolean).join(" – ") || t("unnamed");
  // Days that nobody knows are written as question marks.
  const about = [selfplay ? "" : event, date?.replace(/(\.?\?+)+$/, ""), opening].filter(
    (text) => text && text !== "?",
  );
  const open = () => show(store, id).catch((problem) => store.tell("fatal", problem.message));
  return h(
    "li",
    {},
    moves ? h("button", { type: "button", class: "link", onclick: open }, names) : h("span", {}, names),
    h("span", { class: "result" }, result),
    h("span", { class: "quiet" }, selfplay ? h("span", { class: "chip name" }, "self-play") : "", about.join(", ")),
  );
}

// Opens a game of the book, as far in as the board is now: there it met the position, but for another order of moves.
async function show(store, id) {
  const depth = store.tree.moves().length;
  const game = await get(`/games/${store.game.id}/records/${id}`);
  await load(store, { ...game, kind: "game", game: store.game.id });
  const line = store.tree.path(store.tree.end());
  await store.go(line[Math.min(depth, line.length - 1)], "keep");
}
