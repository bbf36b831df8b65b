// More games for the book: files, and games the machine plays against itself; and its numbers as a table.

import { get, post } from "./api.js";
import { enter } from "./drop.js";
import { h, plural } from "./dom.js";
import { t } from "./i18n.js";
import { save } from "./export.js";
import { keeping } from "./keeping.js";

const GAMES = 100;

// Buttons that put games into the book, and what they say; `done` when there are more.
export function growing(store, done) {
  const state = h("div", { class: "quiet", role: "status" });
  const play = h(
    "button",
    { type: "button", onclick: () => selfplay(store, play, state, done) },
    t("Play {count} games", { count: GAMES }),
  );
  const file = h("input", {
    type: "file",
    hidden: true,
    onchange: async () => {
      for (const chosen of file.files) await enter(store, store.game.id, await chosen.text(), state);
      file.value = "";
      setTimeout(done, 1500);
    },
  });
  const read = h("button", { type: "button", onclick: () => file.click() }, "Import a file …");
  return h("div", { class: "growing" }, h("div", { class: "row" }, play, read, file), keeping(), state);
}

// The same below the table, with a way to take the numbers elsewhere.
export function tools(store, stats, done) {
  const write = h("button", { type: "button", onclick: () => table(store, stats) }, "Save as a table (CSV)");
  return h("details", { class: "book-tools" }, h("summary", {}, "The book"), growing(store, done), write);
}

function table(store, stats) {
  const row = ({ move, total, wins0, draws, wins1 }) => [`"${move}"`, total, wins0, draws, wins1].join(",");
  const [first, second] = store.game.sides;
  const head = ["move", "games", `won by ${first}`, "drawn", `won by ${second ?? "nobody"}`].join(",");
  save(`${store.game.id}.csv`, new Blob([[head, ...stats.moves.map(row)].join("\n") + "\n"], { type: "text/csv" }));
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
      state.textContent = `${plural(job.games, "game")} …`;
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
