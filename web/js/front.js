// The front page: what this is, the box that takes anything, and every game playing by itself.

import { get } from "./api.js";
import { Board } from "./board.js";
import { $, calm, grouped, h } from "./dom.js";
import { t } from "./i18n.js";
import { below, gameAt, placeOf } from "./place.js";

// Between two moves of a small board.
const PACE = 1600;
// What the box says of itself: where there is little room, and where there is more.
const SHORT = "Paste a game, a position, a code or a link";
const LONG =
  "Paste anything: a game (PGN, PDN), a list of moves, a position (FEN), a code of any game, a link. Or drop a file.";

// Gives back what shows the front page when the address is its own, and says whether it is.
export function front(store) {
  const host = $("front");
  let leave = null;
  const hide = () => {
    leave?.();
    leave = null;
    document.body.classList.remove("at-front");
    document.querySelector("main .left").prepend($("paste"));
    Object.assign($("paste-text"), { rows: 1, placeholder: t(SHORT) });
  };
  const show = () => {
    if (gameAt(new URL(location.href))) {
      if (leave) hide();
      return false;
    }
    if (leave) return true;
    document.title = "Tabia";
    document.body.classList.add("at-front");
    delete document.body.dataset.game;
    for (const link of $("games").children) link.removeAttribute("aria-current");
    const boards = h("div", { class: "invitations" });
    host.append($("paste"), boards);
    Object.assign($("paste-text"), { value: "", rows: 3, placeholder: t(LONG) });
    leave = fill(store, boards);
    return true;
  };
  document.querySelector(".brand").onclick = (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (gameAt(new URL(location.href))) history.pushState(null, "", below(""));
    show();
  };
  // Whoever opens a game has left.
  store.on("game", () => {
    if (leave) hide();
  });
  return show;
}

// A card for each game; gives back what stops them.
function fill(store, host) {
  const stop = new AbortController();
  const moving = calm()
    ? null
    : new IntersectionObserver((seen) =>
        seen.forEach(({ target, isIntersecting }) => {
          target.dataset.seen = isIntersecting ? "1" : "";
        }),
      );
  for (const game of store.games) {
    const board = h("div", { class: "small board", inert: true, "aria-hidden": "true" });
    const played = h("span", { class: "quiet" });
    const card = h(
      "a",
      {
        class: "card invitation",
        href: placeOf(game.id),
        "data-game": game.id,
        onclick: (event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          store.open(game);
        },
      },
      board,
      h("h2", {}, game.name),
      h("p", {}, game.invitation.line),
      played,
    );
    host.append(card);
    moving?.observe(card);
    live(game, new Board(board, { small: true }), card, stop.signal).catch(() => {});
    get(`/games/${game.id}/stats`, {}, stop.signal).then(
      ({ total }) => Number(total) && (played.textContent = t("{count} games in the book", { count: grouped(total) })),
      () => {},
    );
  }
  return () => {
    stop.abort();
    moving?.disconnect();
    host.remove();
  };
}

// Plays the moves of the invitation, again and again, while the card can be seen.
async function live(game, board, card, signal) {
  const moves = game.invitation.moves;
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const frames = [];
  // Whoever wants calm sees a position from the middle, and nothing moves.
  for (let at = calm() ? Math.ceil(moves.length / 2) : 0; !signal.aborted; at = (at + 1) % (moves.length + 1)) {
    frames[at] ??= await get(`/games/${game.id}/position`, { play: moves.slice(0, at).join(","), board: true }, signal);
    if (signal.aborted) return;
    board.lay(frames[at].board, false, game.name);
    board.show(frames[at].board, frames[at].last, calm() ? null : frames[at].last?.steps);
    if (calm() || !moves.length) return;
    await wait(at === moves.length ? 3 * PACE : PACE * (0.8 + 0.4 * Math.random()));
    while (!card.dataset.seen && !signal.aborted) await wait(PACE);
  }
}
