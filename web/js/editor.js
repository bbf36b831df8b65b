// The board editor: any pieces anywhere, and the server says what the rules make of it.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { $, h } from "./dom.js";
import { drawPieces, picture, pickUp } from "./editing.js";
import { t, told } from "./i18n.js";

// What stands for nothing in the further parts of a position.
const NOTHING = "-";

// The page's own way to a new game, from this position.
function playHere() {
  $("new-game").click();
  document.querySelector('#new input[value="here"]')?.click();
}

export class Editor {
  constructor(store) {
    Object.assign(this, { store, dialog: $("editor"), turn: 0, tool: null });
    this.dialog.addEventListener("close", () => this.dialog.querySelector(".inside").replaceChildren());
    $("edit").onclick = () => this.open();
    store.on("game", () => ($("edit").hidden = !store.can("arrange")));
  }

  // Opens with the position on the board.
  async open() {
    const { store } = this;
    this.base = store.answer.position;
    this.geometry = store.answer.board;
    this.build();
    await this.begin({ pos: this.base });
    this.dialog.showModal();
  }

  // Everything as it stands in a position of the game.
  async begin(query) {
    const palette = await get(`/games/${this.store.game.id}/palette`, query);
    const { cells, side, extras } = palette.setup;
    Object.assign(this, { palette, cells: { ...cells }, side, extras: { ...extras } });
    this.pieces = new Map(palette.pieces.map((piece) => [piece.id, piece]));
    this.tool = null;
    this.controls();
    this.change();
  }

  build() {
    const board = h("div", { class: "board" });
    this.parts = {
      board,
      palette: h("div", { class: "palette", role: "group", "aria-label": "Pieces" }),
      controls: h("div", { class: "settings" }),
      says: h("div", { class: "says", role: "status" }),
    };
    this.dialog
      .querySelector(".inside")
      .replaceChildren(
        h("h2", { id: "editor-title" }, t("Set up a position: {game}", { game: this.store.game.name })),
        h(
          "div",
          { class: "editing" },
          board,
          h("div", { class: "beside" }, this.parts.palette, this.parts.controls, this.parts.says),
        ),
      );
    this.board = new Board(board, { small: true });
    this.board.onTouch = (cell) => this.touch(cell);
    this.board.lay(this.geometry.board ?? this.geometry, this.store.flipped, this.store.game.name);
    board.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    board.addEventListener("keydown", (event) => {
      const cell = event.target.closest("[data-cell]")?.dataset.cell;
      if (cell && (event.key === "Delete" || event.key === "Backspace")) this.put(cell, "");
    });
  }

  // Pieces are dragged from where they stand, or put where one taps.
  press(event) {
    const cell = event.target.closest("[data-cell]")?.dataset.cell;
    event.stopPropagation();
    const top = this.isTray(cell) ? this.waits(cell).at(-1) : this.cells[cell]?.at(-1);
    if (!top || this.tool !== null || event.button !== 0) return;
    event.preventDefault();
    pickUp(event, this.pieces.get(top), (to) => {
      if (to === cell) return;
      if (!this.isTray(cell)) this.put(cell, this.cells[cell].slice(0, -1));
      if (to) this.add(to, top);
    });
  }

  isTray(cell) {
    return this.board.cells.get(cell)?.shape === "tray";
  }

  // The letters of what waits at a place beside the board.
  waits(cell) {
    return (this.waiting ?? []).filter((piece) => piece.cell === cell).map((piece) => piece.ascii);
  }

  // Puts a piece on top of what stands there; beside the board it is only taken away.
  add(cell, piece) {
    if (!this.isTray(cell)) this.put(cell, this.piled(cell) + piece);
  }

  // What a piece put on a cell finds there, where pieces may stand on each other.
  piled(cell) {
    const there = this.cells[cell] ?? "";
    return there.length < (this.palette.stack ?? 1) && (this.palette.stack ?? 1) > 1 ? there : there.slice(0, -1);
  }

  touch(cell) {
    if (this.tool === null || this.isTray(cell)) return;
    const there = this.cells[cell] ?? "";
    const same = there.at(-1) === this.tool && (this.palette.stack ?? 1) === 1;
    if (this.tool === "" || same) this.put(cell, there.slice(0, -1));
    else this.put(cell, this.piled(cell) + this.tool);
  }

  put(cell, pieces) {
    if (pieces) this.cells[cell] = pieces;
    else delete this.cells[cell];
    this.change();
  }

  controls() {
    const { palette, store } = this;
    const tool = (id, name, inside, onpointerdown) =>
      h(
        "button",
        {
          type: "button",
          class: "tool",
          "aria-pressed": String(this.tool === id),
          "aria-label": name,
          title: name,
          onclick: () => {
            this.tool = this.tool === id ? null : id;
            this.controls();
          },
          onpointerdown,
        },
        inside,
      );
    const drag = (piece) => (event) => pickUp(event, piece, (to) => to && this.add(to, piece.id));
    this.parts.palette.replaceChildren(
      tool(null, "Move pieces", "✥"),
      ...palette.pieces.map((piece) => tool(piece.id, piece.name, picture(piece), drag(piece))),
      tool("", "Take pieces away", "✕"),
    );
    const side = (name, i) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "editor-side",
          checked: this.side === i,
          onchange: () => {
            this.side = i;
            this.change();
          },
        }),
        t("{who} to move", { who: name }),
      );
    const start = ({ id, position }) =>
      h("button", { type: "button", class: "chip", onclick: () => this.restart(position) }, id);
    const named = store.game.starts.length > 1 ? store.game.starts : [];
    this.parts.controls.replaceChildren(
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.clear() }, "Clear"),
        h("button", { type: "button", onclick: () => this.restart(store.game.start) }, "Start position"),
        h("button", { type: "button", onclick: () => this.restart(store.answer.position) }, "Back to the game"),
      ),
      palette.sides.length > 1 ? h("div", { class: "row" }, palette.sides.map(side)) : "",
      palette.extras.length
        ? h(
            "div",
            { class: "extras" },
            palette.extras.map((extra) => this.extra(extra)),
          )
        : "",
      named.length ? h("div", { class: "row" }, named.map(start)) : "",
    );
  }

  // A further part of a position: chosen from its values, or written.
  extra({ id, name, values }) {
    const change = (event) => {
      this.extras[id] = event.target.value;
      this.change();
    };
    const now = this.extras[id] ?? "";
    const field = values
      ? h(
          "select",
          { onchange: change },
          [...new Set([now, ...values])].map((value) => h("option", { value, selected: value === now }, value || "–")),
        )
      : h("input", { value: now, oninput: change, autocomplete: "off", spellcheck: "false" });
    return h("label", {}, h("span", {}, name), field);
  }

  // No pieces, and nothing that would need some.
  clear() {
    this.cells = {};
    for (const { id, values } of this.palette.extras) if (values?.includes(NOTHING)) this.extras[id] = NOTHING;
    this.controls();
    this.change();
  }

  // Another position, perhaps on another board.
  async restart(pos) {
    const answer = await get(`/games/${this.store.game.id}/position`, { pos, board: true });
    this.base = answer.position;
    this.board.lay(answer.board, this.store.flipped, this.store.game.name);
    await this.begin({ pos });
  }

  // Everything on the board, and what waits beside it as the server has last counted.
  draw() {
    const beside = [...this.board.cells.keys()].filter((cell) => this.isTray(cell));
    const trays = Object.fromEntries(beside.map((cell) => [cell, this.waits(cell).join("")]));
    drawPieces(this.board, { ...this.cells, ...trays }, this.pieces);
  }

  // Draws what stands there, and asks what the rules say of it.
  async change() {
    this.draw();
    const turn = ++this.turn;
    const { base: pos, cells, side, extras } = this;
    let said;
    try {
      said = await post(`/games/${this.store.game.id}/arrange`, { pos, cells, side, extras });
    } catch (problem) {
      said = { text: "", codes: null, violations: problem.reasons?.length ? problem.reasons : [problem.message] };
    }
    if (turn === this.turn) this.tell(said);
  }

  tell({ text, codes, violations, waiting = [] }) {
    const { store } = this;
    this.waiting = waiting;
    this.draw();
    const open = async (then) => {
      await store.open(store.game, text);
      this.dialog.close();
      then?.();
    };
    const row = ([id, code]) => h("div", { class: "code" }, h("dt", {}, id), h("dd", {}, h("code", {}, code)));
    this.parts.says.replaceChildren(
      violations.length
        ? h(
            "div",
            { class: "error" },
            h("p", {}, "Against the rules:"),
            h(
              "ul",
              {},
              violations.map((reason) => h("li", {}, told(reason))),
            ),
          )
        : h(
            "div",
            { class: "row" },
            h("button", { type: "button", class: "primary", id: "editor-analyse", onclick: () => open() }, "Analyse"),
            store.game.players === 2
              ? h("button", { type: "button", onclick: () => open(playHere) }, "Play from here")
              : "",
          ),
      h("p", {}, h("code", { class: "text" }, text)),
      codes
        ? h("details", {}, h("summary", {}, "Codes"), h("dl", { class: "codes" }, Object.entries(codes).map(row)))
        : "",
    );
  }
}
