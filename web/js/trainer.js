// Puzzles to be solved: which one is on the board, what was tried, and what this browser remembers of it.

import { get } from "./api.js";
import { Tree } from "./tree.js";

const DAY = 86_400_000;
// Where everybody begins, and how much one puzzle can change.
const FIRST = { rating: 1200, streak: 0, best: 0, solved: [] };
const STEP = 32;
// The next one is taken from so many that are about as hard as the player is good.
const NEAR = 12;

const recall = (game) => {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(`puzzles ${game}`) ?? "{}") };
  } catch {
    return { ...FIRST };
  }
};

const keep = (game, record) => {
  try {
    localStorage.setItem(`puzzles ${game}`, JSON.stringify(record));
  } catch {
    // Without a place to remember it, it lasts as long as the page.
  }
};

export class Trainer {
  constructor(store) {
    Object.assign(this, {
      store,
      puzzle: null,
      tree: null,
      tried: "",
      state: "",
      lists: new Map(),
      record: { ...FIRST },
    });
    const secret = store.secret;
    // The page knows the solution: it shows nothing of it before it is found.
    store.secret = () => secret() || this.going;
    store.on("game", () => {
      this.record = recall(store.game.id);
      if (this.puzzle && store.tree !== this.tree) this.leave();
    });
    store.on("position", () => this.moved());
  }

  get going() {
    return Boolean(this.puzzle) && this.state !== "solved" && this.state !== "shown";
  }

  // Goes where the address says.
  async follow() {
    const { store } = this;
    if (store.puzzle && store.puzzle !== this.puzzle?.id) await this.open(store.puzzle);
  }

  async list() {
    const { id } = this.store.game;
    if (!this.lists.has(id)) this.lists.set(id, (await get(`/games/${id}/puzzles`)).puzzles);
    return this.lists.get(id);
  }

  // Today's, the same for everybody.
  async daily(now = Date.now()) {
    const puzzles = await this.list();
    if (puzzles.length) await this.open(puzzles[Math.floor(now / DAY) % puzzles.length].id);
  }

  // One that is not solved yet, about as hard as the player is good.
  async next() {
    const all = await this.list();
    const open = all.filter(({ id }) => id !== this.puzzle?.id && !this.record.solved.includes(id));
    const far = ({ rating }) => Math.abs(rating - this.record.rating);
    const near = [...(open.length ? open : all)].sort((a, b) => far(a) - far(b)).slice(0, NEAR);
    if (near.length) await this.open(near[Math.floor(Math.random() * near.length)].id);
  }

  async open(id) {
    const { store } = this;
    const { game } = store;
    let puzzle;
    try {
      puzzle = await get(`/games/${game.id}/puzzles/${encodeURIComponent(id)}`);
    } catch (problem) {
      store.puzzle = undefined;
      return store.tell("problem", problem);
    }
    Object.assign(this, { puzzle, tree: new Tree(puzzle.position), tried: "", state: "open", missed: false });
    Object.assign(store, { puzzle: puzzle.id, tab: "puzzles" });
    await store.show(game, this.tree);
    // Who is to move sits below.
    const turned = game.players === 2 && store.answer.side === store.answer.board.dark_side;
    if (turned !== store.flipped) store.look({ flipped: turned });
    store.tell("puzzle");
  }

  leave() {
    Object.assign(this, { puzzle: null, tree: null, state: "" });
    this.store.puzzle = undefined;
  }

  // Whether the move that was played is the one.
  moved() {
    const { store, puzzle } = this;
    const { current } = store.tree;
    if (!this.going || store.tree !== this.tree || !current.parent) return;
    if (current.parent === this.tree.root && current.move === puzzle.move) {
      this.state = "solved";
      this.settle(!this.missed);
    } else {
      this.tried = current.move;
      this.state = "wrong";
      if (!this.missed) this.settle(false);
      this.missed = true;
      // The position comes back, for another try.
      setTimeout(() => store.tree === this.tree && this.state === "wrong" && store.go(this.tree.root), 700);
    }
    store.tell("puzzle");
  }

  // The first try counts: rating as in tournaments, and how many in a row.
  settle(won) {
    const { record, puzzle, store } = this;
    const expected = 1 / (1 + 10 ** ((puzzle.rating - record.rating) / 400));
    const known = record.solved.includes(puzzle.id);
    if (!known && !(this.missed && !won)) record.rating = Math.round(record.rating + STEP * ((won ? 1 : 0) - expected));
    record.streak = won ? record.streak + 1 : 0;
    record.best = Math.max(record.best, record.streak);
    if (won && !known) record.solved.push(puzzle.id);
    keep(store.game.id, record);
  }

  // The piece that moves.
  hint() {
    const move = this.tree?.root.answer?.moves.find(({ move }) => move === this.puzzle.move);
    if (move) this.store.tell("point", move.steps.slice(0, 1));
    if (!this.missed) this.settle(false);
    this.missed = true;
  }

  async solution() {
    if (!this.missed) this.settle(false);
    this.state = "shown";
    await this.store.go(this.tree.root);
    await this.store.play(this.puzzle.move);
    this.store.tell("puzzle");
  }
}
