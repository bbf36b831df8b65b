// Engine: a live analysis, several lines, and a game against it.

import { listen, post } from "../api.js";
import { h, grouped, short } from "../dom.js";
import { absolute, level, score } from "../values.js";
import { empty, failed, waiting } from "./state.js";

const STRENGTHS = [
  { name: "beginner", limits: { depth: 1 } },
  { name: "easy", limits: { depth: 2 } },
  { name: "casual", limits: { depth: 4 } },
  { name: "club", limits: { time: 0.3 } },
  { name: "strong", limits: { time: 1 } },
  { name: "strongest", limits: { time: 4 } },
];

// Lives as long as the page: the analysis follows the position, whichever tab is open.
export class Engine {
  constructor(store) {
    Object.assign(this, {
      store,
      on: false,
      lines: 3,
      opponent: null,
      strength: 3,
      report: null,
      problem: null,
      stop: null,
      host: null,
      turn: 0,
    });
    store.on("position", () => this.follow());
    store.on("game", () => this.reset());
  }

  reset() {
    this.halt();
    Object.assign(this, { on: false, opponent: null, report: null, problem: null });
  }

  halt() {
    this.turn++;
    this.stop?.();
    this.stop = null;
  }

  async begin(limits, lines, onDone) {
    this.halt();
    const [turn, node, side] = [this.turn, this.store.tree.current, this.store.answer.side];
    Object.assign(this, { report: null, problem: null });
    this.draw();
    try {
      const { id } = await post("/analyses", { game: this.store.game.id, ...clean(this.store.query()), limits, lines });
      const stop = listen(
        id,
        (report) => {
          if (turn !== this.turn) return;
          this.report = report;
          node.best = report.move;
          if (!node.solved || node.solved.value === "unknown")
            this.store.value(node, absolute(level(report.score), side));
          this.draw();
        },
        (problem) => {
          if (turn !== this.turn) return;
          this.stop = null;
          if (problem) this.problem = problem;
          else onDone?.(this.report);
          this.draw();
        },
      );
      if (turn === this.turn) this.stop = stop;
      else stop();
    } catch (problem) {
      if (turn === this.turn) Object.assign(this, { problem, on: false });
      this.draw();
    }
  }

  // A new position: it is the engine's move, or the analysis goes on there.
  follow() {
    const { answer } = this.store;
    this.halt();
    this.report = null;
    if (answer.outcome || this.store.game.players !== 2) return this.draw();
    if (this.opponent === answer.side) {
      const at = this.store.tree.current;
      this.begin(
        STRENGTHS[this.strength].limits,
        1,
        (report) => at === this.store.tree.current && report?.move && this.store.play(report.move),
      );
    } else if (this.on) this.begin({}, this.lines);
    else this.draw();
  }

  toggle(on) {
    this.on = on;
    if (on) this.follow();
    else {
      this.halt();
      this.draw();
    }
  }

  // Who the engine plays: 0, 1, or nobody.
  play(side) {
    this.opponent = side;
    this.follow();
  }

  // What it would play, as an arrow: only for whoever asked for an analysis, not for an opponent.
  advise() {
    const best = this.on && this.report?.move;
    this.store.tell("advice", this.store.answer?.moves.find(({ move }) => move === best)?.steps);
  }

  draw() {
    this.advise();
    if (!this.host?.isConnected || this.store.tab !== "engine") return;
    const { store, report } = this;
    if (store.game.players !== 2)
      return this.host.replaceChildren(
        empty(
          "A puzzle has no opponent.",
          h(
            "p",
            { class: "quiet" },
            `The solver knows whether it can be solved, and which ${store.game.move_words[1]} are fatal.`,
          ),
        ),
      );
    const over = store.answer?.outcome;
    const thinking = this.stop && this.opponent === store.answer?.side;
    const run = h(
      "button",
      {
        type: "button",
        class: this.on ? "" : "primary",
        id: "engine-run",
        onclick: () => this.toggle(!this.on),
        disabled: over && !this.on,
      },
      this.on ? "Stop" : "Start",
    );
    const count = h(
      "select",
      {
        id: "engine-lines",
        onchange: (event) => {
          this.lines = Number(event.target.value);
          if (this.on) this.follow();
        },
      },
      [1, 2, 3, 5].map((n) => h("option", { value: n, selected: n === this.lines }, n)),
    );
    const opponents = [["Nobody", null], ...store.game.sides.map((name, side) => [name, side])];
    const seat = ([name, side]) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "opponent",
          checked: this.opponent === side,
          onchange: () => this.play(side),
        }),
        name,
      );
    const strength = h("input", {
      type: "range",
      id: "strength",
      min: 0,
      max: STRENGTHS.length - 1,
      value: this.strength,
      "aria-valuetext": STRENGTHS[this.strength].name,
      oninput: (event) => {
        this.strength = Number(event.target.value);
        event.target.setAttribute("aria-valuetext", STRENGTHS[this.strength].name);
        name.textContent = STRENGTHS[this.strength].name;
      },
    });
    const name = h("span", { class: "quiet" }, STRENGTHS[this.strength].name);
    const focused = document.activeElement?.id;
    this.host.replaceChildren(
      h("div", { class: "row" }, run, h("label", { for: "engine-lines" }, "Lines"), count),
      this.problem
        ? failed(this.problem)
        : over
          ? empty("The game is over here.")
          : report
            ? this.lineList(report)
            : this.stop || this.on
              ? waiting("Thinking …")
              : h(
                  "p",
                  { class: "quiet" },
                  "The engine looks ahead from the position on the board for as long as you listen.",
                ),
      h(
        "fieldset",
        { class: "versus" },
        h("legend", {}, "Play against the engine"),
        h("div", { class: "row" }, h("span", {}, "It plays"), opponents.map(seat)),
        h("div", { class: "row" }, h("label", { for: "strength" }, "Strength"), strength, name),
        thinking ? h("p", { class: "quiet loading" }, "The engine is thinking …") : "",
      ),
    );
    if (focused && focused !== document.activeElement?.id)
      document.getElementById(focused)?.focus({ preventScroll: true });
  }

  lineList(report) {
    const { store } = this;
    const row = (line) => {
      const first = store.answer.moves.find((move) => move.move === line.pv[0]);
      return h(
        "li",
        { onpointerenter: () => store.tell("point", first?.steps), onpointerleave: () => store.tell("point", null) },
        h("span", { class: "score" }, score(line.score)),
        h(
          "span",
          { class: "pv" },
          line.pv[0]
            ? h("button", { type: "button", class: "move", onclick: () => store.play(line.pv[0]) }, line.pv[0])
            : "",
          line.pv.slice(1, 16).map((move) => [" ", h("span", {}, move)]),
        ),
      );
    };
    const lines = report.lines.length ? report.lines : [{ score: report.score, pv: report.pv }];
    return h(
      "div",
      {},
      h(
        "p",
        { class: "quiet numbers" },
        `depth ${report.depth} · ${grouped(report.nodes)} nodes · ${short(report.nodes_per_second)}/s · ${report.method}`,
      ),
      h("ol", { class: "lines" }, lines.map(row)),
    );
  }
}

const clean = (query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value));
