// The analysis of the position on the board: it follows the position for as long as it is switched on, whichever
// tab is open. Who shows it listens to "report".

import { listen, post } from "./api.js";
import { absolute, brief, known, level } from "./values.js";

export class Analysis {
  constructor(store) {
    Object.assign(this, { store, on: false, lines: 3, problem: null, stop: null, turn: 0 });
    store.on("position", () => this.follow());
    store.on("game", () => this.halt());
  }

  // What is known here: of this position, looked at now or before.
  get report() {
    return this.store.tree.current.report ?? null;
  }

  get possible() {
    return this.store.game?.players === 2 && this.store.can("search");
  }

  toggle(on = !this.on) {
    Object.assign(this, { on, problem: null });
    if (on) this.follow();
    else this.halt();
    this.store.tell("report");
  }

  // Another number of lines, from the beginning.
  ask(lines) {
    this.lines = lines;
    if (this.on) this.follow();
  }

  halt() {
    this.turn++;
    this.stop?.();
    this.stop = null;
  }

  // A new position: the analysis goes on there.
  follow() {
    this.halt();
    const { store } = this;
    if (this.on && this.possible && !store.answer.outcome && !store.secret()) this.begin();
    store.tell("report");
  }

  async begin() {
    const { store } = this;
    const [turn, node, side] = [this.turn, store.tree.current, store.answer.side];
    const mine = () => turn === this.turn;
    this.problem = null;
    try {
      const { id } = await post("/analyses", { game: store.game.id, ...given(store.query()), lines: this.lines });
      const stop = listen(
        id,
        (report) => mine() && this.hear(node, side, report),
        (problem) => mine() && this.end(problem),
      );
      if (mine()) this.stop = stop;
      else stop();
    } catch (problem) {
      if (mine()) this.end(problem);
    }
  }

  hear(node, side, report) {
    Object.assign(node, { report, best: report.move });
    if (!known(node.solved)) this.store.value(node, absolute(level(report.score), side), brief(report.score, side));
    this.store.tell("report");
  }

  // It is over: looked at to the end, or cut off. What a dead server has said is not shown as if it lived.
  end(problem) {
    this.stop = null;
    if (problem) {
      Object.assign(this, { problem, on: false });
      this.store.tree.current.report = null;
    }
    this.store.tell("report");
  }
}

// One look of the engine under limits; resolves to its last report, or to nothing when `signal` ends it.
export async function look(game, query, limits, signal) {
  // Weaker levels err, and not always alike.
  const seed = Math.floor(Math.random() * 2 ** 32);
  const { id } = await post("/analyses", { game: game.id, ...given(query), limits, seed }, signal);
  return new Promise((resolve, reject) => {
    let last = null;
    const stop = listen(
      id,
      (report) => (last = report),
      (problem) => (problem ? reject(problem) : resolve(last)),
    );
    signal?.addEventListener("abort", () => {
      stop();
      resolve(null);
    });
  });
}

const given = (query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value));
