// What the page is looking at: a game, a tree of moves, the current position. Everything that can be shared
// stands in the address; everything that changes is told to those who watch.

import { get } from "./api.js";
import { gameAt, placeOf } from "./place.js";
import { Tree } from "./tree.js";

// Addresses longer than this are kept from the server.
const LONG = 4000;

export class Store extends EventTarget {
  constructor(games) {
    super();
    Object.assign(this, {
      games,
      game: null,
      tree: new Tree(),
      answer: null,
      touched: [],
      flipped: false,
      tab: "explorer",
      turn: 0,
    });
  }

  tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }

  on(what, act) {
    this.addEventListener(what, (event) => act(event.detail));
  }

  can(capability) {
    return this.game.capabilities.includes(capability);
  }

  // The question about a node that all answers are asked with.
  query(node = this.tree.current) {
    return { pos: this.tree.start, play: this.tree.moves(node).join(",") };
  }

  // The address of all this: the whole tree, and where in it one looks.
  url() {
    const given = Object.entries({
      pos: this.tree.start,
      ...this.tree.write(),
      flip: this.flipped ? "1" : "",
      tab: this.tab === "explorer" ? "" : this.tab,
      puzzle: this.puzzle,
    }).filter(([, value]) => value);
    return placeOf(this.game.id, given, LONG);
  }

  // Goes where the address says.
  async follow() {
    const here = new URL(location.href);
    const id = gameAt(here);
    const game = this.games.find((game) => game.id === id) ?? this.games[0];
    const query = new URLSearchParams(here.search || here.hash.slice(1));
    const start = query.get("pos") || undefined;
    const moves = (query.get("play") ?? "").split(",").filter(Boolean);
    this.flipped = query.get("flip") === "1";
    this.tab = query.get("tab") || "explorer";
    if (game !== this.game || start !== this.tree.start) {
      this.game = game;
      this.tree = new Tree(start);
      this.tell("game");
    }
    this.puzzle = query.get("puzzle") || undefined;
    const turn = ++this.turn;
    const written = await this.written(moves);
    if (turn === this.turn) await this.go(this.tree.read(written, query.get("also"), query.get("at")), "keep");
  }

  // The moves of an address as the game writes them: people may have typed them in another way.
  async written(moves) {
    if (this.tree.knows(moves)) return moves;
    try {
      return (await get(`/games/${this.game.id}/position`, { pos: this.tree.start, play: moves.join(",") })).played;
    } catch {
      return moves; // Whoever goes there hears what is wrong.
    }
  }

  // Another game, or another position of this one. Nothing changes when the position cannot be read.
  async open(game, start) {
    if (start) {
      const answer = await get(`/games/${game.id}/position`, { pos: start });
      start = answer.position === game.start ? undefined : answer.position;
    }
    await this.show(game, new Tree(start));
  }

  // A whole tree, put together elsewhere.
  async show(game, tree, node = tree.root) {
    Object.assign(this, { game, tree });
    this.tell("game");
    await this.go(node);
  }

  async play(move) {
    const before = this.tree.current;
    const known = this.answer.moves.find((known) => known.move === move);
    if (!known) {
      // Typed by hand: the server knows how the move is really written, or why it is none.
      const answer = await get(`/games/${this.game.id}/position`, {
        ...this.query(),
        play: [...this.tree.moves(), move].join(","),
      });
      if (this.tree.current !== before) return;
      const node = answer.played
        .slice(this.tree.moves().length)
        .reduce((at, text) => this.tree.child(at, text), before);
      return this.go(node);
    }
    const node = this.tree.child(before, move);
    if (!node.answer) this.tell("expected", known);
    return this.go(node);
  }

  // Looks at a node of the tree. `how` is what happens to the address: "push" a new one, "keep" it.
  async go(node, how = "push") {
    const turn = ++this.turn;
    const before = this.tree.current;
    this.tree.current = node;
    this.touched = [];
    if (!node.answer) {
      this.tell("loading");
      try {
        node.answer = await get(`/games/${this.game.id}/position`, { ...this.query(node), board: true });
      } catch (problem) {
        if (turn !== this.turn) return;
        if (before.answer) this.takeBack(node, before);
        this.tell("problem", problem);
        return;
      }
      if (turn !== this.turn) return;
    }
    this.answer = node.answer;
    if (node.parent) node.parent.next = node;
    const url = this.url();
    if (how === "push" && url !== location.pathname + location.search + location.hash) history.pushState(null, "", url);
    const undone = before.parent === node ? before.answer?.last : null;
    this.tell("position", { forward: node.parent === before, undone });
    if (!this.tree.root.answer) this.ground(this.tree);
  }

  // The first position, which an address far into a game has jumped over.
  async ground(tree) {
    try {
      tree.root.answer = await get(`/games/${this.game.id}/position`, { pos: tree.start, board: true });
      if (tree === this.tree) this.tell("line");
    } catch {
      // The moves are numbered as if the first player had begun.
    }
  }

  // A move that was shown and refused: everything is as it was before.
  takeBack(node, before) {
    this.tree.current = before;
    if (node.parent === before && !node.children.length) this.tree.remove(node);
  }

  // The tree has changed: moves were put first, or taken away.
  changed(node = this.tree.current) {
    return this.go(node);
  }

  // Remembers how the page is looked at, without a step in the history.
  look(change) {
    Object.assign(this, change);
    history.replaceState(null, "", this.url());
    this.tell("look");
  }

  // What a node is worth, for player 0, from -1 to 1, and in words.
  value(node, value, word) {
    if (node.value === value && node.word === word) return;
    Object.assign(node, { value, word });
    this.tell("value");
  }
}
