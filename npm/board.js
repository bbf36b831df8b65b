// <tabia-board game="arx" position="...">: a board of any game that can be played on. No rule runs here: every
// legal move says which cells to touch, and whoever touches them in that order has played it.

import { game, TabiaError } from "./index.js";

/** Pictures have so many units to a cell. */
const UNIT = 60;
const STYLE = `
  :host { display: inline-block; max-width: 100%; }
  svg { display: block; width: 100%; height: auto; touch-action: manipulation; }
  .hit { fill: transparent; }
  .can { cursor: pointer; }
  .can:hover, .can:focus-visible { fill: rgb(255 255 255 / 25%); outline: none; }
  .touched { fill: rgb(64 160 120 / 45%); }
  .choice { display: flex; flex-wrap: wrap; gap: 0.4em; padding: 0.4em 0; }
  .wrong { color: #b00020; }
`;

/** A board that can be played on. Fires `move` with { move, position }. */
export class TabiaBoard extends HTMLElement {
  static observedAttributes = ["game", "position", "readonly"];

  /** @type {import("./index.js").Position | null} */
  #position = null;
  /** @type {string[]} */
  #touched = [];

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
  }

  connectedCallback() {
    this.#read();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#read();
  }

  /** The position on the board. */
  get current() {
    return this.#position;
  }

  #read() {
    try {
      this.#position = game(this.getAttribute("game") ?? "").position(this.getAttribute("position") || undefined);
      this.#touched = [];
      this.#draw();
    } catch (error) {
      if (!(error instanceof TabiaError)) throw error;
      const words = document.createElement("p");
      words.className = "wrong";
      words.textContent = error.message;
      this.#show(words);
    }
  }

  /** Plays a move, as if its cells had been touched. @param {string} text */
  play(text) {
    if (!this.#position) return;
    this.#position = this.#position.play(text);
    this.#touched = [];
    this.#draw();
    const detail = { move: text, position: this.#position };
    this.dispatchEvent(new CustomEvent("move", { detail, bubbles: true, composed: true }));
  }

  /** The moves that begin with the cells touched so far. */
  #fitting() {
    if (this.hasAttribute("readonly")) return [];
    const moves = this.#position?.moves() ?? [];
    return moves.filter(({ steps }) => this.#touched.every((cell, i) => steps[i] === cell));
  }

  /** @param {string} cell */
  #touch(cell) {
    this.#touched.push(cell);
    let fitting = this.#fitting();
    if (!fitting.length) {
      // Whoever touches something else begins again, there.
      this.#touched = [cell];
      fitting = this.#fitting();
      if (!fitting.length) this.#touched = [];
    }
    const complete = fitting.filter(({ steps }) => steps.length === this.#touched.length);
    if (complete.length === 1 && fitting.length === 1) this.play(complete[0].text);
    else this.#draw(complete);
  }

  /** @param {import("./index.js").Move[]} [choice] */
  #draw(choice = []) {
    if (!this.#position) return;
    const page = new DOMParser().parseFromString(this.#position.svg(), "image/svg+xml");
    const picture = document.importNode(page.documentElement, true);
    const next = new Set(this.#fitting().map(({ steps }) => steps[this.#touched.length]));
    const first = new Set(this.hasAttribute("readonly") ? [] : this.#position.moves().map(({ steps }) => steps[0]));
    for (const cell of this.#position.board().geometry.cells) {
      picture.append(this.#cell(cell, next.has(cell.id) || first.has(cell.id)));
    }
    const choices = document.createElement("div");
    choices.className = "choice";
    for (const { text } of choice) {
      const button = document.createElement("button");
      button.textContent = text;
      button.onclick = () => this.play(text);
      choices.append(button);
    }
    this.#show(picture, choices);
  }

  /**
   * @param {import("./answers.js").Cell} cell
   * @param {boolean} can
   */
  #cell({ id, x, y, size: [width, height] }, can) {
    const hit = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const place = { x: (x - width / 2) * UNIT, y: (y - height / 2) * UNIT, width: width * UNIT, height: height * UNIT };
    for (const [name, value] of Object.entries(place)) hit.setAttribute(name, String(value));
    hit.setAttribute("class", `hit ${can ? "can" : ""} ${this.#touched.includes(id) ? "touched" : ""}`);
    hit.dataset.cell = id;
    if (can) {
      Object.entries({ tabindex: "0", role: "button", "aria-label": id }).forEach(([n, v]) => hit.setAttribute(n, v));
      hit.addEventListener("keydown", (event) => event.key === "Enter" && this.#touch(id));
    }
    hit.addEventListener("click", () => this.#touch(id));
    return hit;
  }

  /** @param {...Element} parts */
  #show(...parts) {
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.shadowRoot?.replaceChildren(style, ...parts);
  }
}

customElements.define("tabia-board", TabiaBoard);
