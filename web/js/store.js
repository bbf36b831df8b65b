// What the page is looking at: a game, a tree of moves, the current position. Everything that can be shared
// stands in the address; everything that changes is told to those who watch.

import { get } from "./api.js";
import { gameAt, placeOf } from "./place.js";
import { Tree } from "./tree.js";

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

  url(node = this.tree.current) {
    const given = Object.entries({
      ...this.query(node),
      flip: this.flipped ? "1" : "",
      tab: this.tab === "explorer" ? "" : this.tab,
    }).filter(([, value]) => value);
    return placeOf(this.game.id, given);
  }

  // Goes where the address says.
  async follow() {
    const here = new URL(location.href);
    const id = gameAt(here);
    const game = this.games.find((game) => game.id === id) ?? this.games[0];
    const query = here.searchParams;
    const start = query.get("pos") || undefined;
    const moves = (query.get("play") ?? "").split(",").filter(Boolean);
    this.flipped = query.get("flip") === "1";
    this.tab = query.get("tab") || "explorer";
    if (game !== this.game || start !== this.tree.start) {
      this.game = game;
      this.tree = new Tree(start);
      this.tell("game");
    }
    const turn = ++this.turn;
    const written = await this.written(moves);
    if (turn === this.turn) await this.go(this.tree.walk(written), "keep");
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
    this.game = game;
    this.tree = new Tree(start);
    this.tell("game");
    await this.go(this.tree.root);
  }

  async play(move) {
    const before = this.tree.current;
    if (!this.answer.moves.some((known) => known.move === move)) {
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
    return this.go(this.tree.child(before, move));
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
        if (this.answer && this.tree.path(before).length && before.answer) this.tree.current = before;
        this.tell("problem", problem);
        return;
      }
      if (turn !== this.turn) return;
    }
    this.answer = node.answer;
    if (node.parent) node.parent.next = node;
    if (how === "push" && this.url() !== location.pathname + location.search) history.pushState(null, "", this.url());
    this.tell("position", { forward: node.parent === before });
  }

  // Remembers how the page is looked at, without a step in the history.
  look(change) {
    Object.assign(this, change);
    history.replaceState(null, "", this.url());
    this.tell("look");
  }

  // What a node is worth, for player 0, from -1 to 1.
  value(node, value) {
    if (node.value === value) return;
    node.value = value;
    this.tell("value");
  }
}
