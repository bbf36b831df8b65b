// The moves played: the main line in columns, one for each player, variations indented below the move they replace;
// and the plot of what the moves were worth.

import { $, h, s } from "./dom.js";
import { KINDS } from "./graph.js";
import { view } from "./values.js";

export function watchLine(store) {
  const list = $("line");
  const draw = () => {
    list.classList.toggle("columns", store.game.players === 2);
    const items = written(store, store.tree.root, 0, true);
    list.replaceChildren(
      ...(items.length ? items : [h("li", { class: "empty" }, "No moves yet. Touch a piece, or type a move.")]),
    );
    const here = list.querySelector(".here");
    if (here && list.scrollHeight > list.clientHeight) list.scrollTop = here.offsetTop - list.clientHeight / 2;
    tools(store);
  };
  for (const what of ["position", "line", "marks"]) store.on(what, draw);
  store.on("game", () => list.replaceChildren());
}

// The items of everything after a node. `force` writes the number of a second player's move, too.
function written(store, node, ply, force) {
  const out = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    const [next, ...others] = at.children;
    out.push(item(store, next, ply, force));
    if (next.comment) out.push(h("li", { class: "comment" }, next.comment));
    for (const other of others) {
      const rest = written(store, other, ply + 1, false);
      const comment = other.comment ? h("li", { class: "comment" }, other.comment) : null;
      out.push(h("li", { class: "variation" }, h("ol", {}, item(store, other, ply, true), comment, rest)));
    }
    force = others.length > 0 || Boolean(next.comment);
    ply++;
  }
  return out;
}

function item(store, node, ply, force) {
  const two = store.game.players === 2;
  const at = ply + (store.tree.root.answer?.side ?? 0);
  const number = two ? Math.floor(at / 2) + 1 : ply + 1;
  const shown = !two || at % 2 === 0 ? `${number}.` : force ? `${number}…` : "";
  const here = node === store.tree.current;
  // A mark of the analysis says more than the same one in the file.
  const glyphs = (node.glyphs ?? []).filter((glyph) => glyph !== node.mark).join("");
  return h(
    "li",
    { class: `${here ? "here" : ""} ply${two ? at % 2 : ""}` },
    shown ? h("span", { class: "number" }, shown) : null,
    h(
      "button",
      { type: "button", class: "move", "aria-current": here ? "step" : null, onclick: () => store.go(node) },
      node.move,
    ),
    glyphs ? h("span", { class: "glyphs" }, glyphs) : null,
    node.mark ? h("span", { class: `glyphs ${KINDS[node.mark]}`, title: KINDS[node.mark] }, node.mark) : null,
    node.only && !node.mark ? h("span", { class: "glyphs only", title: "the only good move" }, "□") : null,
  );
}

// What can be done with the move one looks at.
function tools(store) {
  const { tree } = store;
  $("promote").disabled = !tree.branch(tree.current);
  $("delete").disabled = !tree.current.parent;
  $("promote").onclick = () => {
    tree.promote(tree.current);
    store.changed();
  };
  $("delete").onclick = () => store.changed(tree.remove(tree.current));
}

export function watchPlot(store) {
  const figure = $("plot");
  const draw = () => {
    const nodes = store.tree.path(store.tree.end());
    const known = nodes.filter((node) => node.value !== null).length;
    figure.hidden = known < 2 || store.secret();
    if (figure.hidden) return;
    const [width, height] = [600, 64];
    const x = (i) => (nodes.length < 2 ? 0 : (i / (nodes.length - 1)) * width);
    const y = (value) => height / 2 - value * (height / 2 - 4);
    const points = nodes.map((node, i) => [i, node]).filter(([, node]) => node.value !== null);
    const line = points
      .map(([i, node], at) => `${at ? "L" : "M"}${x(i).toFixed(1)} ${y(node.value).toFixed(1)}`)
      .join("");
    const dots = points.map(([i, node]) =>
      s(
        "circle",
        {
          cx: x(i),
          cy: y(node.value),
          r: node === store.tree.current ? 5 : 3,
          class: node === store.tree.current ? "here" : "",
        },
        s("title", { text: `${node.move ?? "start"}: ${node.value.toFixed(2)}` }),
      ),
    );
    const area = points.length
      ? `${line}L${x(points.at(-1)[0]).toFixed(1)} ${height / 2}L${x(points[0][0]).toFixed(1)} ${height / 2}Z`
      : "";
    const svg = s(
      "svg",
      { viewBox: `-6 -4 ${width + 12} ${height + 8}`, role: "img", "aria-label": "Value of the game, move by move" },
      s("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "axis" }),
      s("path", { d: area, class: "area" }),
      s("path", { d: line, class: "value" }),
      dots,
    );
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const i = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
      if (nodes[i]) store.go(nodes[i]);
    });
    const [top, bottom] = store.game.players === 2 ? store.game.sides : ["solvable", "lost"];
    figure.title = store.game.players === 2 ? view(store.game) : "";
    figure.replaceChildren(h("figcaption", {}, h("span", {}, `↑ ${top}`), h("span", {}, `↓ ${bottom}`)), svg);
  };
  store.on("value", draw);
  store.on("position", draw);
}
