// The moves played, with variations in brackets, and the plot of what they were worth.

import { $, h, s } from "./dom.js";

export function watchLine(store) {
  const list = $("line");
  const draw = () => {
    const two = store.game.players === 2;
    const first = store.tree.root.answer?.side ?? 0;
    const number = (ply) => (two ? Math.floor((ply + first) / 2) + 1 : ply + 1);
    const item = (node, ply, force) => {
      const shown = !two || (ply + first) % 2 === 0 ? `${number(ply)}.` : force ? `${number(ply)}…` : "";
      const here = node === store.tree.current;
      const button = h(
        "button",
        { type: "button", class: "move", "aria-current": here ? "step" : null, onclick: () => store.go(node) },
        node.move,
      );
      return h("li", { class: here ? "here" : "" }, shown ? h("span", { class: "number" }, shown) : null, button);
    };
    const walk = (node, ply, out, force) => {
      const [next, ...others] = node.children;
      if (!next) return out;
      out.push(item(next, ply, force));
      for (const other of others) {
        out.push(h("li", { class: "variation" }, h("ol", {}, item(other, ply, true), walk(other, ply + 1, [], false))));
      }
      return walk(next, ply + 1, out, others.length > 0);
    };
    const items = walk(store.tree.root, 0, [], true);
    list.replaceChildren(
      ...(items.length ? items : [h("li", { class: "empty" }, "No moves yet. Touch a piece, or type a move.")]),
    );
    const here = list.querySelector(".here");
    if (here && list.scrollHeight > list.clientHeight) list.scrollTop = here.offsetTop - list.clientHeight / 2;
  };
  store.on("position", draw);
  store.on("game", () => list.replaceChildren());
}

export function watchPlot(store) {
  const figure = $("plot");
  const draw = () => {
    const nodes = store.tree.path(store.tree.end());
    const known = nodes.filter((node) => node.value !== null).length;
    figure.hidden = known < 2;
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
    figure.replaceChildren(h("figcaption", {}, h("span", {}, `↑ ${top}`), h("span", {}, `↓ ${bottom}`)), svg);
  };
  store.on("value", draw);
  store.on("position", draw);
}
