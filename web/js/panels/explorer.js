// Explorer: what happened in played games, and what each move is worth where that is known.

import { get, post } from "../api.js";
import { h, grouped, plural } from "../dom.js";
import { bar, merged, moveChips, moveTable } from "../moves.js";
import { empty, failed, waiting } from "./state.js";

const GAMES = 100;

export function explorer(store, host, signal) {
  const draw = (stats, problem) => {
    if (!store.answer) return host.replaceChildren(waiting("Looking at the position …"));
    const counts =
      stats && new Map(stats.moves.flatMap((move) => [move.move, ...(move.same ?? [])].map((text) => [text, move])));
    const solved = store.tree.current.solved;
    const values = solved?.moves?.length ? new Map(solved.moves.map((move) => [move.move, move])) : null;
    const worth = (move) => (counts?.has(move.move) ? Number(counts.get(move.move).total) : 0);
    const rows = merged(store.answer.moves, stats).sort((a, b) => worth(b) - worth(a));
    const total = Number(stats?.total ?? 0);
    host.replaceChildren(
      ...(problem
        ? [failed(problem, ask)]
        : !stats
          ? [waiting("Asking the book …")]
          : total
            ? [summary(stats)]
            : [nothing()]),
      !rows.length
        ? empty("The game is over here.")
        : values || total
          ? moveTable(store, rows, { values, counts: total ? counts : null, exact: solved?.distance_exact })
          : moveChips(store, rows),
    );
  };
  const summary = (stats) =>
    h(
      "div",
      { class: "summary" },
      h(
        "p",
        {},
        h("strong", {}, grouped(stats.total)),
        ` ${Number(stats.total) === 1 ? "game" : "games"} met this position`,
      ),
      bar(store, stats),
    );
  const nothing = () => {
    const state = h("p", { class: "quiet", role: "status" });
    const button = h(
      "button",
      { type: "button", onclick: () => selfplay(store, button, state, ask) },
      `Play ${GAMES} games`,
    );
    return empty(
      "No recorded game met this position.",
      h(
        "p",
        { class: "quiet" },
        "The book grows with games you import, and with games the machine plays against itself from here.",
      ),
      button,
      state,
    );
  };
  const ask = async () => {
    draw(store.tree.current.stats);
    const node = store.tree.current;
    try {
      node.stats = await get(`/games/${store.game.id}/stats`, store.query(), signal);
      draw(node.stats);
      store.tell("stats");
    } catch (problem) {
      if (problem.name !== "AbortError") draw(null, problem);
    }
  };
  ask();
  return { solved: () => draw(store.tree.current.stats) };
}

async function selfplay(store, button, state, done) {
  button.disabled = true;
  try {
    const player = store.game.players === 2 && store.can("search") ? "greedy" : "random";
    let job = await post(`/games/${store.game.id}/selfplay`, {
      games: GAMES,
      pos: store.answer.position,
      player,
      opening_plies: 2,
      seed: Math.floor(Math.random() * 2 ** 31),
    });
    while (job.status === "running") {
      state.textContent = `${plural(job.games, "game")} played …`;
      await new Promise((resolve) => setTimeout(resolve, 400));
      job = await get(`/jobs/${job.id}`);
    }
    if (job.status === "failed") throw new Error(job.messages.at(-1) ?? "the games could not be played");
    done();
  } catch (error) {
    state.textContent = error.message;
    button.disabled = false;
  }
}
