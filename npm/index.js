// Tabia for JavaScript: games, positions, moves, and questions about them. Everything is answered by the layer
// that answers over HTTP, compiled to WebAssembly; the shapes of its answers are in answers.d.ts.

import { Desk } from "./local/desk.js";
import { startWorker, program } from "./platform.js";
import init, { Tabia } from "./wasm/tabia.js";

// Browsers refuse to begin a large program without waiting for it.
await init({ module_or_path: program });
const tabia = new Tabia();
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** @import * as answers from "./answers.js" */

/** Something that was asked or typed is wrong, or could not be answered. */
export class TabiaError extends Error {
  /** @param {answers.Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "TabiaError";
    /** The status, by the numbers of HTTP: 400 for what cannot be read, 422 for what cannot be, 404 for an unknown name. */
    this.status = problem.status;
    /** What was given. @type {string | undefined} */
    this.input = problem.input ?? undefined;
    /** Where in it the mistake is, in bytes. @type {number | undefined} */
    this.offset = problem.offset ?? undefined;
    /** All that is wrong. @type {string[]} */
    this.reasons = problem.reasons ?? [];
  }
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} [query]
 */
function addressOf(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const words = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `/api/v1${path}${given.length ? "?" + words : ""}`;
}

/** @param {{ status: number, media: string, body: Uint8Array }} answer */
function read({ status, media, body }) {
  const text = decoder.decode(body);
  const value = media.endsWith("json") ? JSON.parse(text) : text;
  if (status >= 400) throw new TabiaError(value);
  return value;
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} [query]
 */
function ask(path, query) {
  const answered = tabia.answer("GET", addressOf(path, query), "", new Uint8Array());
  const { status, media, body } = answered;
  answered.free();
  return read({ status, media, body });
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {string} [media]
 */
const posted = (path, body, media = "application/json") => ({
  method: "POST",
  address: addressOf(path),
  media,
  body: encoder.encode(typeof body === "string" ? body : JSON.stringify(body)),
});

/**
 * All games.
 * @returns {Game[]}
 */
export const games = () => ask("/games").games.map((/** @type {answers.GameView} */ { id }) => new Game(id));

/**
 * The game with this name.
 * @param {string} id
 */
export const game = (id) => new Game(id);

/** A game. */
export class Game {
  /** @type {answers.Game} */
  #view;

  /** @param {string} id */
  constructor(id) {
    this.#view = ask(`/games/${encodeURIComponent(id)}`);
  }

  /** Its name in addresses and commands. */
  get id() {
    return this.#view.id;
  }
  /** Its name for people. */
  get name() {
    return this.#view.name;
  }
  /** One or two. */
  get players() {
    return this.#view.players;
  }
  /** What the players are called. */
  get sides() {
    return this.#view.sides;
  }
  /** The openings and boards that have a name. */
  get starts() {
    return this.#view.starts.map(({ id }) => id);
  }
  /** What can be asked about it. */
  get capabilities() {
    return this.#view.capabilities;
  }
  /** Everything that is known of it. */
  view() {
    return structuredClone(this.#view);
  }

  /**
   * A position by any text or code the game knows, or by the bytes of `packed`; the start without one.
   * @param {string | Uint8Array} [text]
   * @param {{ format?: string }} [options] the one format that `text` is in
   */
  position(text, { format } = {}) {
    if (typeof text !== "string" && text !== undefined) return new Position(this, hex(text), "packed");
    return new Position(this, text, format);
  }

  toString() {
    return this.id;
  }
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => "0x" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A code without the rules that stand before it. @param {string} code */
const digits = (code) => code.slice(code.lastIndexOf(":") + 1);

/** A legal move of a position. */
export class Move {
  #view;

  /**
   * @param {Position} position
   * @param {answers.MoveView} view
   */
  constructor(position, view) {
    /** The position it is played in. */
    this.position = position;
    this.#view = view;
  }
  /** As the game writes it. */
  get text() {
    return this.#view.move;
  }
  /** Its number, where the game has such codes. */
  get code() {
    return this.#view.code ?? undefined;
  }
  /** The cells to touch, one after the other. */
  get steps() {
    return this.#view.steps;
  }
  /** The position after it. */
  after() {
    return this.position.play(this);
  }
  toString() {
    return this.text;
  }
}

/**
 * When a search ends.
 * @typedef {object} SearchOptions
 * @property {number} [time] seconds
 * @property {number} [depth] plies
 * @property {number} [nodes] positions, or playouts
 * @property {number} [lines] how many best lines to find
 * @property {string} [method] alphabeta, mcts or proof
 * @property {number} [seed] where randomness starts
 * @property {AbortSignal} [signal] ends it early
 */

/**
 * How hard to try for an exact answer.
 * @typedef {object} SolveOptions
 * @property {number} [time] seconds for a search that might not end
 * @property {string} [method] table, strong, proof, or what the puzzle has
 * @property {string} [goal] puzzles: the goal
 * @property {boolean} [hints] puzzles: which moves keep it solvable
 * @property {boolean} [fewestMoves] puzzles: a solution with the fewest moves
 * @property {AbortSignal} [signal] ends it early
 * @property {(progress: { stage: string, done: number, total: number | null, unit: string }) => void} [progress]
 */

/** A position, with the moves that led to it. Positions do not change: playing gives another one. */
export class Position {
  #start;
  #format;
  /** @type {readonly string[]} */
  #played;
  /** @type {answers.PositionAnswer} */
  #view;

  /**
   * @param {Game} game
   * @param {string} [start]
   * @param {string} [format]
   * @param {readonly string[]} [played]
   */
  constructor(game, start, format, played = []) {
    /** The game. */
    this.game = game;
    this.#start = start;
    this.#format = format;
    this.#view = ask(`/games/${game.id}/position`, { pos: start, format, play: played.join(",") });
    this.#played = this.#view.played;
  }

  get #query() {
    return { pos: this.#start, format: this.#format, play: this.#played.join(",") };
  }

  /** As the game writes it. */
  get text() {
    return this.#view.position;
  }
  /** The rules with their options. */
  get variant() {
    return this.#view.variant;
  }
  /** The player to move: 0 or 1. */
  get side() {
    return this.#view.side;
  }
  /** What that player is called. */
  get sideName() {
    return this.#view.side_name;
  }
  /** win0, win1 or draw, when the game is over. */
  get outcome() {
    return this.#view.outcome ?? undefined;
  }
  /** The 64-bit key. */
  get key() {
    return BigInt(digits(this.#view.key));
  }
  /** The exact code. Where the rules are not the usual ones, `code("packed")` carries them, too. */
  get packed() {
    const bytes = digits(this.#view.packed).slice(2).match(/../g) ?? [];
    return Uint8Array.from(bytes, (byte) => parseInt(byte, 16));
  }
  /** All codes by their formats. */
  get codes() {
    return { ...this.#view.codes };
  }
  /** The moves that led here. */
  get history() {
    return [...this.#played];
  }

  /**
   * One code.
   * @param {string} format
   */
  code(format) {
    const code = this.#view.codes[format];
    if (code !== undefined) return code;
    const detail = `${this.game.id} has no format ${JSON.stringify(format)} for this position`;
    throw new TabiaError({ type: "about:blank", title: "Not Found", status: 404, detail, input: format, reasons: [] });
  }

  /** The representative under the symmetries of the game, and the symmetry that leads there. */
  canonical() {
    return { position: new Position(this.game, this.#view.canonical), symmetry: this.#view.symmetry };
  }

  /** The legal moves. */
  moves() {
    return this.#view.moves.map((view) => new Move(this, view));
  }

  /**
   * The position after a move.
   * @param {Move | string} move
   */
  play(move) {
    return new Position(this.game, this.#start, this.#format, [...this.#played, String(move)]);
  }

  /** Everything that is known of it, as over HTTP. */
  view() {
    return structuredClone(this.#view);
  }

  /**
   * The cells and pieces, for those who draw.
   * @returns {answers.BoardView}
   */
  board() {
    return ask(`/games/${this.game.id}/position`, { ...this.#query, board: true }).board;
  }

  /**
   * A picture.
   * @returns {string}
   */
  svg() {
    return ask(`/games/${this.game.id}/board.svg`, { pos: this.text });
  }

  /**
   * The number of move sequences of a length.
   * @param {number} depth
   */
  perft(depth) {
    return tabia.perft(this.game.id, this.text, depth);
  }

  /**
   * What the engine finds, report by report, from a worker of its own. Leaving the loop ends it.
   * @param {SearchOptions} [options]
   * @returns {AsyncGenerator<answers.SearchView, void, void>}
   */
  async *searching({ time, depth, nodes, signal, ...more } = {}) {
    signal?.throwIfAborted();
    const { pos, play } = { pos: this.#format ? this.text : this.#start, play: this.#played.join(",") };
    const request = { game: this.game.id, pos, play: this.#format ? "" : play, limits: { time, depth, nodes }, ...more };
    const desk = new Desk(startWorker, { hurried: true });
    const news = mailbox();
    const abort = () => news.put({ thrown: signal?.reason });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      read(await desk.ask(posted("/analyses", request), { on: news.put }));
      for (;;) {
        const { event, data, thrown, over } = await news.take();
        if (thrown) throw thrown;
        if (event === "failed") throw new TabiaError(JSON.parse(data));
        if (event === "done" || over) return;
        if (event === "report") yield JSON.parse(data);
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      desk.end();
    }
  }

  /**
   * The best move the engine finds.
   * @param {SearchOptions} [options]
   * @returns {Promise<answers.SearchView>}
   */
  async search(options) {
    let last;
    for await (const report of this.searching(options)) last = report;
    if (last) return last;
    const detail = "the search found nothing to report";
    throw new TabiaError({ type: "about:blank", title: "Not Found", status: 404, detail, reasons: [] });
  }

  /**
   * The exact value, as far as it can be worked out.
   * @param {SolveOptions} [options]
   * @returns {Promise<answers.SolveView>}
   */
  async solve({ fewestMoves, signal, progress, ...more } = {}) {
    const address = addressOf(`/games/${this.game.id}/solve`, { ...this.#query, ...more, fewest_moves: fewestMoves });
    const desk = new Desk(startWorker, { folder: "/cache/", hurried: true });
    const on = (/** @type {any} */ news) => news.progress && progress?.(news.progress);
    try {
      return read(await desk.ask({ method: "GET", address }, { signal, on }));
    } finally {
      desk.end();
    }
  }

  toString() {
    return this.text;
  }
}

/** Messages in the order they came. */
function mailbox() {
  /** @type {any[]} */
  const waiting = [];
  /** @type {((message: any) => void) | null} */
  let taker = null;
  return {
    put: (/** @type {any} */ message) => {
      if (taker) taker(message);
      else waiting.push(message);
      taker = null;
    },
    take: () => (waiting.length ? Promise.resolve(waiting.shift()) : new Promise((done) => (taker = done))),
  };
}

/** Statistics of played games, in memory; a browser keeps them. */
export class Book {
  #desk = new Desk(startWorker, { folder: "/book/" });

  /**
   * Counts finished games: one as an object, or many as PGN, PDN or lines of JSON.
   * @param {Game} game
   * @param {answers.GameRecord | string} record
   * @returns {Promise<answers.JobView>}
   */
  async add(game, record) {
    const lines = typeof record === "string" && record.trimStart().startsWith("{");
    const media = typeof record !== "string" ? undefined : lines ? "application/x-ndjson" : "text/plain";
    return this.#job(posted(`/games/${game.id}/records`, record, media));
  }

  /**
   * Lets the engine play games against itself.
   * @param {Game} game
   * @param {Partial<answers.Selfplay>} [options]
   * @returns {Promise<answers.JobView>}
   */
  async selfplay(game, options = {}) {
    return this.#job(posted(`/games/${game.id}/selfplay`, { games: 100, ...options }));
  }

  /**
   * What happened in played games.
   * @param {Position} position
   * @returns {Promise<answers.BookView>}
   */
  async stats(position) {
    const address = addressOf(`/games/${position.game.id}/stats`, { pos: position.text });
    return read(await this.#desk.ask({ method: "GET", address }));
  }

  /** Ends its worker. */
  close() {
    this.#desk.end();
  }

  /** @param {ReturnType<typeof posted>} question */
  async #job(question) {
    const { id } = read(await this.#desk.ask(question));
    return read(await this.#desk.ask({ method: "GET", address: addressOf(`/jobs/${id}`) }));
  }
}
