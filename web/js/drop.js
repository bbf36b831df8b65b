// Games of a file into the book, piece by piece, with what was skipped and why.

import { get, raw } from "./api.js";
import { grouped, h } from "./dom.js";
import { t } from "./i18n.js";
import { keepQuery } from "./keeping.js";

// Less than the server takes at once.
const PIECE = 4_000_000;
// Skipped games that are named.
const NAMED = 20;

// A long text cut between its games: before a line of tags that follows an empty line, or at the end of a line.
function pieces(text) {
  const cut = [];
  let rest = text;
  while (rest.length > PIECE) {
    const tags = rest.lastIndexOf("\n\n[", PIECE);
    const at = tags > 0 ? tags + 2 : Math.max(rest.lastIndexOf("\n", PIECE) + 1, 1);
    cut.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...cut, rest];
}

export async function enter(store, game, text, state) {
  const bar = h("progress", { max: text.length, value: 0, "aria-label": "Games read" });
  const words = h("p", {});
  state.replaceChildren(bar, words);
  const media = text.trimStart().startsWith("{") ? "application/x-ndjson" : "text/plain";
  let [games, done] = [0, 0];
  const skipped = [];
  try {
    for (const piece of pieces(text)) {
      let job = await raw(`/games/${game}/records?${keepQuery()}`, piece, media);
      while (job.status === "running") {
        words.textContent = t("{count} games in the book …", { count: grouped(games + job.games) });
        await new Promise((resolve) => setTimeout(resolve, 300));
        job = await get(`/jobs/${job.id}`);
      }
      if (job.status === "failed") throw new Error(job.messages.at(-1));
      games += job.games;
      done += piece.length;
      skipped.push(...job.messages);
      bar.value = done;
    }
    bar.remove();
    words.textContent = t("{count} games are in the book.", { count: grouped(games) });
    if (skipped.length) state.append(leftOut(skipped));
    store.tell("book");
  } catch (problem) {
    words.textContent = problem.message;
  }
}

export const leftOut = (reasons) =>
  h(
    "details",
    {},
    h("summary", {}, t("{count} were left out", { count: reasons.length })),
    h(
      "ul",
      { class: "plain" },
      reasons.slice(0, NAMED).map((reason) => h("li", {}, reason)),
    ),
  );
