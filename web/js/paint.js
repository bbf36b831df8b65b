// Paint for boards and pieces: gradients whose colours come from the style sheet, and the outlines of pieces.

import { s } from "./dom.js";

const stops = (name, at) => at.map((offset, i) => s("stop", { offset, class: `${name}-${"abc"[i]}` }));
const ball = (name) =>
  s("radialGradient", { id: `paint-${name}`, cx: 0.36, cy: 0.3, r: 0.75 }, stops(name, [0, 0.45, 1]));
const body = (name) =>
  s("linearGradient", { id: `paint-${name}`, x1: 0, y1: 0, x2: 0.25, y2: 1 }, stops(name, [0, 0.55, 1]));

// What the board and the pieces are filled with.
export const paints = () =>
  s(
    "defs",
    {},
    body("light"),
    body("dark"),
    ball("own"),
    s("linearGradient", { id: "paint-plate", x1: 0, y1: 0, x2: 1, y2: 1 }, stops("plate", [0, 0.5, 1])),
    s("radialGradient", { id: "paint-hole", cx: 0.5, cy: 0.62, r: 0.6 }, stops("hole", [0, 0.7, 1])),
    s(
      "marker",
      { id: "paint-head", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" },
      s("path", { d: "M0 0 10 5 0 10z", class: "head" }),
    ),
    s(
      "pattern",
      { id: "paint-told", width: 14, height: 14, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { width: 5, height: 14, class: "stripe" }),
    ),
  );

export const PLATE = "url(#paint-plate)";
export const HOLE = "url(#paint-hole)";
export const TOLD = "url(#paint-told)";

// A piece in a box of 100 by 100: its own outline, or a disc with two rims, or a ball. Every piece is drawn in both
// sets, and the style sheet shows one of them.
export function outline(piece, tone) {
  return [s("g", { class: "carved" }, carved(piece, tone)), s("g", { class: "coin" }, coin(piece, tone))];
}

const disc = (r, kind, fill) => s("circle", { cx: 50, cy: 50, r, class: kind, fill });

function carved(piece, tone) {
  const fill = `url(#paint-${tone})`;
  const rimmed = [disc(43, "body", fill), disc(34, "rim", "none"), disc(25, "rim", "none")];
  if (!piece.art) return tone === "own" ? [disc(43, "body", fill)] : rimmed;
  // An outline that begins with the rim of a disc is cut out of it: the disc below gives the cut its colour.
  const path = s("path", { d: piece.art, class: "body", "fill-rule": "evenodd", fill });
  return cut(piece) ? [disc(43, "body under"), path] : [path];
}

const cut = (piece) => /^M50 6A44/.test(piece.art ?? "");

// A flat coin with the outline stamped on it; what has none gets a star of rays.
function coin(piece, tone) {
  const plate = [disc(44, `coin-plate ${tone}`), disc(38, `coin-edge ${tone}`)];
  if (!piece.art) return [...plate, s("path", { d: RAYS, class: `coin-edge ${tone}` })];
  if (cut(piece))
    return [
      disc(44, `coin-plate ${tone}`),
      s("path", { d: piece.art, class: `coin-art cut ${tone}`, "fill-rule": "evenodd" }),
    ];
  const art = s("path", { d: piece.art, class: `coin-art ${tone}`, "fill-rule": "evenodd" });
  return [...plate, s("g", { transform: "translate(19 19) scale(0.62)" }, art)];
}

const RAYS = Array.from({ length: 12 }, (_, i) => {
  const [x, y] = [Math.cos((i * Math.PI) / 6), Math.sin((i * Math.PI) / 6)];
  const at = (r) => `${Math.round(50 + r * x)} ${Math.round(50 + r * y)}`;
  return `M${at(18)}L${at(30)}`;
}).join("");
