// What a panel shows when it has nothing: waiting, refused, or not available.

import { h } from "../dom.js";

export const waiting = (what) => h("p", { class: "quiet loading" }, what);

export function failed(problem, again) {
  const reasons = problem.reasons?.length > 1 ? h("ul", {}, problem.reasons.map((reason) => h("li", {}, reason))) : null;
  return h("div", { class: "failed", role: "alert" }, h("p", {}, problem.message), reasons, again ? h("button", { type: "button", onclick: again }, "Try again") : null);
}

export const empty = (title, ...about) => h("div", { class: "nothing" }, h("p", { class: "lead" }, title), ...about);
