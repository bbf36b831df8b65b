// Whole games: who played, every position looked at, the mistakes, and ways to take the game elsewhere.

import { listen, post, remove } from "./api.js";
import { $, h } from "./dom.js";
import { exports } from "./export.js";
import { graph, KINDS } from "./graph.js";
import { t } from "./i18n.js";
import { Lesson } from "./learn.js";
import { failed } from "./panels/state.js";

// 1858.??.?? -> 1858
const year = (date) => date?.replace(/(\.\?\?)+$/, "");

// What the engine may look at in each position.
const NODES = 60_000;

export class Review {
  constructor(store) {
    Object.assign(this, { store, stop: null, problem: null });
    this.lesson = new Lesson(this);
    store.on("game", () => this.reset());
    store.on("position", () => this.draw());
    store.on("look", () => this.draw());
  }

  reset() {
    this.stop?.();
    Object.assign(this, { stop: null, problem: null });
    this.lesson.end();
    $("about").replaceChildren(...this.about());
    $("review").replaceChildren();
  }

  // The nodes of the game as it was played.
  nodes() {
    const nodes = [this.store.tree.root];
    while (nodes.at(-1).children.length) nodes.push(nodes.at(-1).children[0]);
    return nodes;
  }

  player(side) {
    const { game, tree } = this.store;
    return tree.tags?.[game.sides[side]] || game.sides[side];
  }

  // Players, result, and where it was played.
  about() {
    const { tags, result, root } = this.store.tree;
    if (!tags) return [];
    const named = this.store.game.sides.some((name) => tags[name]);
    const names = named ? this.store.game.sides.map((_, side) => this.player(side)).join(" – ") : "";
    const where = [tags.Event, tags.Site, tags.Round && t("round {round}", { round: tags.Round }), year(tags.Date)];
    const told = where.filter((text) => text && !/^[?.\-*]+$/.test(text)).join(", ");
    return [
      !names && !result
        ? ""
        : h("p", { class: "players" }, h("strong", {}, names), result ? h("span", { class: "result" }, result) : null),
      told ? h("p", { class: "quiet" }, told) : "",
      root.comment ? h("p", { class: "remark" }, root.comment) : "",
    ];
  }

  async begin() {
    const { store } = this;
    const { game, tree } = store;
    const nodes = this.nodes();
    this.problem = null;
    let [over, id] = [false, null];
    const end = (problem) => {
      if (tree !== store.tree || over) return;
      over = true;
      Object.assign(this, { stop: null, problem });
      this.draw();
    };
    this.stop = () => {
      over = true;
      this.stop = null;
      if (id !== null) remove(`/analyses/${id}`);
      this.draw();
    };
    this.draw();
    try {
      const moves = nodes.slice(1).map(({ move }) => move);
      ({ id } = await post(`/games/${game.id}/annotations`, { start: tree.start, moves, nodes: NODES }));
      if (over) return remove(`/analyses/${id}`);
      const quit = listen(id, (annotation) => over || this.take(tree, nodes, annotation), end);
      this.stop = () => {
        over = true;
        this.stop = null;
        quit();
        this.draw();
      };
    } catch (problem) {
      end(problem);
    }
  }

  // What is known so far, put where the rest of the page looks for it.
  take(tree, nodes, annotation) {
    Object.assign(tree, { annotation, reviewed: nodes });
    for (const ply of annotation.plies) {
      const [node, next] = [nodes[ply.ply], nodes[ply.ply + 1]];
      if (!node.solved) node.value = ply.score;
      if (next) Object.assign(next, { mark: ply.mark ?? null, only: ply.only });
    }
    this.store.tell("value");
    this.store.tell("marks");
    this.draw();
  }

  // The plies whose move was a mistake, of one player or of both.
  mistakes(side) {
    const { annotation, reviewed } = this.store.tree;
    const first = reviewed?.[0].answer?.side ?? 0;
    return (annotation?.plies ?? []).filter(
      ({ ply, mark }) => mark && (side === undefined || (ply + first) % 2 === side),
    );
  }

  next() {
    const { tree } = this.store;
    const here = tree.reviewed.indexOf(tree.current);
    const all = this.mistakes();
    const next = all.find(({ ply }) => ply + 1 > here) ?? all[0];
    if (next) this.store.go(tree.reviewed[next.ply + 1]);
  }

  draw() {
    const { store } = this;
    const { tree } = store;
    const { annotation, reviewed } = tree;
    const focused = document.activeElement?.closest("#review") && document.activeElement.dataset.does;
    document.querySelector(".game.card").classList.toggle("reviewed", Boolean(annotation));
    $("review").replaceChildren(
      annotation ? this.picture(annotation, reviewed) : "",
      this.problem ? failed(this.problem, () => this.begin()) : "",
      annotation && !this.lesson.on ? this.verdict(annotation) : "",
      this.lesson.on ? this.lesson.draw() : this.buttons(annotation, tree),
    );
    if (focused) $("review").querySelector(`[data-does="${focused}"]`)?.focus({ preventScroll: true });
  }

  picture(annotation, nodes) {
    const { tree, answer } = this.store;
    const points = [];
    // A mark stands where the mistake led to.
    for (const { ply, score, text, mark, played } of annotation.plies) {
      points[ply] = { ...points[ply], score, text };
      if (mark) points[ply + 1] = { ...points[ply + 1], mark, move: played };
    }
    for (const i of points.keys()) if (points[i]?.score === undefined) delete points[i];
    const here = nodes.indexOf(tree.current);
    return h(
      "figure",
      { class: "course" },
      graph(points, annotation.total, here, (ply) => this.store.go(nodes[ply]), answer?.board?.dark_side === 0),
      h("figcaption", { class: "quiet" }, this.word(annotation, nodes, here)),
    );
  }

  // What is known of the position on the board, and of the move that led to it.
  word(annotation, nodes, here) {
    const at = annotation.plies.find(({ ply }) => ply === here);
    const came = annotation.plies.find(({ ply }) => ply === here - 1);
    if (!at) return this.stop ? t("{done} of {total} positions", annotation) : " ";
    const better = came?.mark && came.best_shown ? t("{move} was better.", { move: came.best_shown ?? came.best }) : "";
    const only = came?.only && !came.mark ? t("The only good move.") : "";
    const how = { exact: "exact", table: "from a table", engine: "by the engine" }[at.source] ?? at.source;
    return [`${at.text} (${t(how)}) `, h("strong", {}, better || only)];
  }

  // Accuracy and mistakes of each player.
  verdict(annotation) {
    const row = ({ accuracy, mistakes }, side) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, this.player(side)),
        h("td", {}, accuracy === null || accuracy === undefined ? "–" : `${accuracy.toFixed(1)} %`),
        Object.entries(KINDS).map(([mark, kind]) => h("td", { class: `times ${kind}` }, String(mistakes[mark] ?? 0))),
      );
    return h(
      "div",
      { class: "verdicts" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td", {}),
            h("th", { scope: "col" }, "Accuracy"),
            Object.entries(KINDS).map(([mark, kind]) =>
              h("th", { scope: "col", class: "times", title: kind, "aria-label": kind }, mark),
            ),
          ),
        ),
        h("tbody", {}, annotation.players.map(row)),
      ),
      h("details", { class: "quiet" }, h("summary", {}, "How this is computed"), h("p", {}, annotation.method)),
    );
  }

  buttons(annotation, tree) {
    const played = tree.root.children.length > 0;
    if (!played) return "";
    const button = (text, act, kind = "") =>
      h("button", { type: "button", class: kind, "data-does": text, onclick: act }, text);
    const running = this.stop;
    return h(
      "div",
      { class: "row" },
      running
        ? [
            h("progress", {
              max: annotation?.total ?? 1,
              value: annotation?.done ?? 0,
              "aria-label": "Positions looked at",
            }),
            button("Stop", running),
          ]
        : annotation && this.current()
          ? null
          : button("Analyse the game", () => this.begin(), "primary"),
      annotation && this.mistakes().length
        ? [
            button("Next mistake", () => this.next()),
            running ? null : button("Learn from your mistakes", () => this.lesson.begin()),
          ]
        : null,
      exports(this.store),
    );
  }

  // Whether the game has not changed since it was looked at.
  current() {
    const { annotation, reviewed } = this.store.tree;
    const nodes = this.nodes();
    return annotation.done === annotation.total && nodes.length === reviewed.length && nodes.at(-1) === reviewed.at(-1);
  }
}
