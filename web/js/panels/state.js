// What a panel shows when it has nothing: waiting, refused, or not available.

import { h } from "../dom.js";

// `stop` gives it up, where that can be done.
export const waiting = (what, stop) =>
  h(
    "p",
    { class: "quiet" },
    h("span", { class: "loading" }, what),
    stop ? h("button", { type: "button", class: "link stop", onclick: stop }, "Stop") : null,
  );

export function failed(problem, again) {
  const reasons =
    problem.reasons?.length > 1
      ? h(
          "ul",
          {},
          problem.reasons.map((reason) => h("li", {}, reason)),
        )
      : null;
  return h(
    "div",
    { class: "failed", role: "alert" },
    h("p", {}, problem.message),
    reasons,
    again ? h("button", { type: "button", onclick: again }, "Try again") : null,
  );
}

export const empty = (title, ...about) => h("div", { class: "nothing" }, h("p", { class: "lead" }, title), ...about);
