// The course of a whole game as a picture: what each position was worth, and where the mistakes are.

import { s } from "./dom.js";

const [WIDTH, HEIGHT] = [600, 110];
export const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

// `points` are { score, text, mark, move } by ply, some of them not known yet; `go(ply)` is told where to go.
export function graph(points, total, here, go, upsideDown) {
  const x = (ply) => (total < 2 ? 0 : (ply / (total - 1)) * WIDTH);
  const y = (score) => HEIGHT / 2 - (upsideDown ? -score : score) * (HEIGHT / 2 - 4);
  const known = points.map((point, ply) => [ply, point]).filter(([, point]) => point);
  const line = known
    .map(([ply, { score }], i) => `${i ? "L" : "M"}${x(ply).toFixed(1)} ${y(score).toFixed(1)}`)
    .join("");
  const area = known.length ? `${line}V${HEIGHT}H${x(known[0][0]).toFixed(1)}Z` : "";
  // Strokes of no length are round however the picture is stretched.
  const dot = ([ply, { score, mark, move, text }]) => {
    const d = `M${x(ply).toFixed(1)} ${y(score).toFixed(1)}h.01`;
    return s(
      "g",
      { class: `dot ${KINDS[mark]}` },
      s("path", { d, class: "rim" }),
      s("path", { d, class: "spot" }),
      s("title", { text: `${move}${mark} ${text}` }),
    );
  };
  const svg = s(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "What each position of the game is worth",
    },
    s("rect", { class: "back", width: WIDTH, height: HEIGHT }),
    s("path", { d: area, class: "area" }),
    s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "axis" }),
    s("path", { d: line, class: "value" }),
    here >= 0 ? s("line", { x1: x(here), x2: x(here), y1: 0, y2: HEIGHT, class: "here" }) : null,
    known.filter(([, { mark }]) => mark).map(dot),
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    go(Math.max(0, Math.min(total - 1, Math.round(share * (total - 1)))));
  });
  return svg;
}
