// Learn from your mistakes: each position before one, and another try.

import { listen, post } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const NODES = 60_000;

export class Lesson {
  constructor(review) {
    Object.assign(this, { review, on: false });
    review.store.on("position", () => this.on && this.look());
  }

  get store() {
    return this.review.store;
  }

  begin(side) {
    this.all = this.review.mistakes(side);
    Object.assign(this, { on: true, side, at: -1, found: 0, word: "" });
    document.body.classList.add("learning");
    this.next();
  }

  end() {
    this.on = false;
    document.body.classList.remove("learning");
  }

  next() {
    this.at += 1;
    Object.assign(this, { word: "", done: false });
    if (this.at >= this.all.length) this.done = true;
    else this.store.go(this.node());
    this.review.draw();
  }

  // The node in which the mistake was made.
  node() {
    return this.store.tree.reviewed[this.all[this.at].ply];
  }

  // A move was played, or taken back.
  look() {
    const { current } = this.store.tree;
    if (this.done || this.at >= this.all.length || current.parent !== this.node()) return;
    const { best, played } = this.all[this.at];
    if (current.move === best) return this.judge(true, current.move);
    if (current.move === played) return this.judge(false, current.move);
    this.try(current);
  }

  // Other moves may be as good: the server looks at this one.
  async try(node) {
    this.word = t("Looking at {move} …", { move: node.move });
    this.review.draw();
    const { game, tree } = this.store;
    try {
      const start = node.parent.answer.position;
      const { id } = await post(`/games/${game.id}/annotations`, { start, moves: [node.move], nodes: NODES });
      let last = null;
      listen(
        id,
        (report) => (last = report),
        () => tree.current === node && this.judge(Boolean(last) && !last.plies[0]?.mark, node.move),
      );
    } catch (problem) {
      this.word = problem.message;
      this.review.draw();
    }
  }

  judge(good, move) {
    if (good) {
      this.found += 1;
      Object.assign(this, { done: true, word: t("{move} is good. Well found!", { move }) });
      this.review.draw();
    } else {
      this.word = t("{move} is not it. Try again.", { move });
      this.store.go(this.node());
    }
  }

  solve() {
    const { best, best_shown } = this.all[this.at];
    Object.assign(this, { done: true, word: t("{move} was best.", { move: best_shown ?? best }) });
    this.store.play(best);
  }

  draw() {
    const button = (text, act, kind = "") =>
      h("button", { type: "button", class: kind, "data-does": text, onclick: act }, text);
    const stop = button("End", () => {
      this.end();
      this.review.draw();
    });
    if (this.at >= this.all.length) {
      const score = t("{found} of {all} found.", { found: this.found, all: this.all.length });
      return h("div", { class: "lesson", role: "status" }, h("p", {}, score), h("div", { class: "row" }, stop));
    }
    const { played, mark } = this.all[this.at];
    const task = t("{who} played {move}{mark}. Find a better move.", {
      who: this.review.player(this.node().answer?.side ?? 0),
      move: played,
      mark,
    });
    return h(
      "div",
      { class: "lesson" },
      h("p", {}, h("span", { class: "quiet" }, `${this.at + 1} / ${this.all.length} `), task),
      h("p", { role: "status", class: "word" }, this.word || " "),
      h(
        "div",
        { class: "row" },
        this.done
          ? button("Next", () => this.next(), "primary")
          : [button("Show it", () => this.solve()), button("Skip", () => this.next())],
        stop,
      ),
    );
  }
}
