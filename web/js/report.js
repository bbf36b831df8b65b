// A report of what a game is like: made by the server, then opened as a page of its own.

import { listen, post } from "./api.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

// A line that says how far the report is, and becomes a link to it.
export function reporting(store) {
  const line = h("span", {});
  const said = (text) => line.replaceChildren(text);
  const offer = () =>
    line.replaceChildren(
      h("button", { type: "button", class: "link", onclick: begin }, "What is this game like? A report"),
    );
  async function begin() {
    said(t("The report is being made …"));
    try {
      const { id } = await post(`/games/${store.game.id}/reports`, { variant: store.tree.start });
      listen(id, take, (problem) => problem && said(problem.message));
    } catch (problem) {
      said(problem.message);
    }
  }
  function take({ stage, html }) {
    if (!html) return said(t("The report is being made: {stage} …", { stage }));
    const page = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    line.replaceChildren(h("a", { href: page, target: "_blank" }, "Open the report"));
  }
  offer();
  return line;
}
