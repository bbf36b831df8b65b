// A game against the engine, or of two people at one screen: whose move it is, taking back, giving up, the result.
// The tree of moves is the game; `node` is its last position, wherever one looks.

import { look } from "./analysis.js";
import { get } from "./api.js";
import { t } from "./i18n.js";
import { absolute, level } from "./values.js";

// Ten levels of which each wins three games of four against the one below, and all that the engine can do.
const NAMES = "Newcomer,Beginner,Learner,Casual,Improver,Club,Strong,Expert,Master,Champion".split(",");
export const LEVELS = [
  ...NAMES.map((name, i) => ({ name, about: `${i + 1} / ${NAMES.length}`, limits: { level: i + 1 } })),
  { name: "Strongest", about: "all of its time", limits: {} },
];

const KEY = "game in progress";
// A draw is taken by an engine that does not think it is better than this.
const CONTENT = 0.05;

export class Play {
  constructor(store, settings) {
    Object.assign(this, { store, settings, now: null, node: null, abort: null, asked: "", stuck: false });
    store.on("position", ({ forward }) => this.moved(forward));
    store.on("game", () => this.now && this.now.tree !== store.tree && this.leave());
    // What the page must not show, and what a hand may not do.
    store.secret = () => this.going;
    store.blocked = () => this.blocked();
  }

  // Whether a game against the engine is being played: its thoughts are hidden then.
  get going() {
    return Boolean(this.now && !this.now.over && this.now.you !== null);
  }

  get thinking() {
    return Boolean(this.abort);
  }

  // Begins: { you: 0, 1 or null for both, level, time, hints, start }.
  async begin(how) {
    const { store } = this;
    this.stop();
    this.now = null;
    await store.open(store.game, how.start);
    this.now = { ...how, tree: store.tree, over: null, used: 0 };
    this.node = store.tree.current;
    const turned = how.you !== null && how.you === store.answer.board.dark_side;
    if (turned !== store.flipped) store.look({ flipped: turned });
    store.tell("play");
    store.tell("report");
    this.moved(false);
  }

  // A move was played, or somebody looks elsewhere.
  moved(forward) {
    const { store, now } = this;
    if (!now || now.tree !== store.tree) return;
    if (forward && store.tree.current.parent === this.node) this.node = store.tree.current;
    this.keep();
    if (this.node === store.tree.current && store.answer.outcome) this.end(store.answer.outcome);
    else this.answer();
    if (now.you === null && this.settings.turning && this.node === store.tree.current) this.turn();
    store.tell("play");
  }

  turn() {
    const turned = this.store.answer.side === this.store.answer.board.dark_side;
    if (turned !== this.store.flipped) this.store.look({ flipped: turned });
  }

  // The engine moves when it is its turn, however far back one looks.
  async answer() {
    const { store, now, node } = this;
    if (!this.going || this.abort || node.answer?.side === now.you || node.answer?.outcome) return;
    const abort = (this.abort = new AbortController());
    this.stuck = false;
    store.tell("play");
    try {
      const report = await look(store.game, store.query(node), this.limits(), abort.signal);
      if (abort.signal.aborted) return;
      this.abort = null;
      if (report?.move) await this.reply(node, report);
    } catch (problem) {
      if (abort.signal.aborted) return;
      Object.assign(this, { abort: null, asked: problem.message, stuck: true });
      store.tell("play");
    }
  }

  limits() {
    const { level, time } = this.now;
    return { ...LEVELS[level].limits, time };
  }

  async reply(node, report) {
    const { store } = this;
    this.now.worth = absolute(level(report.score), node.answer.side);
    const child = store.tree.child(node, report.move);
    this.asked = "";
    if (store.tree.current === node) return store.go(child);
    child.answer ??= await get(`/games/${store.game.id}/position`, { ...store.query(child), board: true });
    this.node = child;
    this.keep();
    store.tell("play");
  }

  // Why a hand may not move now.
  blocked() {
    const { store, now, node } = this;
    if (store.shown) return t("This is only shown. Play it to here, or go back first.");
    if (!now || now.tree !== store.tree) return "";
    if (now.over) return "";
    if (store.tree.current !== node) return t("You look back: go to the end to play on, or take back.");
    if (this.going && store.answer.side !== now.you) return t("It is the engine's move.");
    return "";
  }

  // Back to the last position in which the person was to move.
  async takeBack() {
    const { store, now } = this;
    this.stop();
    let node = this.node;
    do node = node.parent ?? node;
    while (now.you !== null && node.parent && node.answer?.side !== now.you);
    const gone = this.node;
    this.node = node;
    now.over = null;
    this.asked = "";
    for (let at = gone; at !== node; at = at.parent) store.tree.remove(at);
    store.tree.current = node;
    await store.go(node);
  }

  resign() {
    const loser = this.now.you ?? this.node.answer.side;
    this.end(loser === 0 ? "win1" : "win0", t("{who} gave up.", { who: t(this.store.game.sides[loser]) }));
  }

  // The engine takes a draw when it is not better; two people need nobody's leave.
  offerDraw() {
    const { now } = this;
    const its = now.you === null ? 0 : absolute(now.worth ?? 0, 1 - now.you);
    const early = now.you !== null && now.worth === undefined;
    if (!early && its <= CONTENT) return this.end("draw", t("A draw was agreed."));
    this.asked = "The engine plays on.";
    this.store.tell("play");
  }

  // What the engine would play for the person.
  async hint() {
    const { store, now, node } = this;
    now.used++;
    const report = await look(store.game, store.query(node), { time: 0.5 });
    const move = node.answer.moves.find((known) => known.move === report?.move);
    if (node !== store.tree.current || !move) return;
    this.asked = t("Hint: {move}", { move: move.move });
    store.tell("point", move.steps);
    store.tell("play");
  }

  end(outcome, why = "") {
    if (this.now.over) return;
    this.stop();
    this.now.over = { outcome, why };
    this.keep();
    this.store.tell("play");
    this.store.tell("over", this.now);
  }

  // The same again with the sides exchanged.
  rematch() {
    const { you, level, time, hints, start } = this.now;
    return this.begin({ you: you === null ? null : 1 - you, level, time, hints, start });
  }

  stop() {
    this.abort?.abort();
    Object.assign(this, { abort: null, stuck: false });
  }

  // The moves stay, to be looked at with everything that is known.
  leave() {
    this.stop();
    Object.assign(this, { now: null, node: null, asked: "" });
    this.keep();
    this.store.tell("play");
    this.store.tell("report");
  }

  // A game in progress survives a reload.
  keep() {
    const { store, now } = this;
    try {
      if (!now || now.over) return localStorage.removeItem(KEY);
      const { you, level, time, hints, used, start } = now;
      const moves = store.tree.moves(this.node);
      const pos = store.tree.start;
      localStorage.setItem(
        KEY,
        JSON.stringify({ game: store.game.id, pos: pos ?? null, start, you, level, time, hints, used, moves }),
      );
    } catch {
      // Without a place to remember it, the game lasts as long as the page.
    }
  }

  // Goes on with the game that was left, when the address is that of its board.
  async resume() {
    const { store } = this;
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(KEY));
    } catch {
      // Nothing to go on with.
    }
    if (kept?.game !== store.game?.id || kept.pos !== (store.tree.start ?? null)) return;
    if (!LEVELS[kept.level] || !store.tree.knows(kept.moves ?? [])) return;
    this.node = store.tree.walk(kept.moves);
    this.now = { ...kept, tree: store.tree, over: null };
    if (!this.node.answer) await store.go(this.node);
    store.tell("report");
    this.moved(false);
  }
}
