// One board for all games, drawn from the server's geometry: cells, labels, pieces, marks.
//
// Cells are a grid for screen readers and for the keyboard; pieces are drawn above them and never touched.

import { s, calm } from "./dom.js";
import { hands } from "./hands.js";
import { HOLE, outline, paints, PLATE, TOLD } from "./paint.js";

const UNIT = 100;
// Boards of few cells stand apart from each other, with round corners.
const roomy = (geometry) => geometry.cells.length <= 40;
const round = (number) => Math.round(number * 100) / 100;
// The frame around the cells.
const FRAME = 9;
// Milliseconds that a move takes.
const SLIDE = 190;
// The mark of a cell that nothing may leave.
const BLOCKED = "blocked";
// A shape for every kind of value, so that no colour has to be told from another.
const ROUND = "M0 -22A22 22 0 1 1 0 22A22 22 0 1 1 0 -22Z";
const SIGNS = {
  win: ROUND,
  solvable: ROUND,
  draw: "M0 -26L26 0L0 26L-26 0Z",
  loss: "M-20 -20H20V20H-20Z",
  unsolvable: "M-20 -20H20V20H-20Z",
};

export class Board {
  // `onTouch(cell)` hears of every touch, `mayDrag(cell)` says whether a drag can start there, and
  // `onStray(from, to)` hears of a drag that could not. A `small` board is one of several, and the page is not laid
  // out around it.
  constructor(host, { small = false } = {}) {
    Object.assign(this, { host, small, cells: new Map(), shapes: new Map(), flipped: false });
    Object.assign(this, { onTouch() {}, onStray() {}, mayDrag: () => false });
    hands(this);
  }

  // Draws the board anew when the geometry or the side it is seen from changes.
  lay(board, flipped, name) {
    const shape = JSON.stringify(board.geometry) + flipped;
    if (shape === this.shape) return;
    Object.assign(this, { shape, flipped, geometry: board.geometry, cells: new Map() });
    const { cells } = board.geometry;
    this.layers = Object.fromEntries(
      ["under", "pieces", "above", "over", "drawn", "ring"].map((id) => [
        id,
        s("g", { class: id, "aria-hidden": "true" }),
      ]),
    );
    const grid = s(
      "g",
      { role: "grid", "aria-label": `${name} board` },
      this.rows(cells).map((row) =>
        s(
          "g",
          { role: "row" },
          row.map((cell) => this.cell(cell)),
        ),
      ),
    );
    const { x, y, width, height } = (this.box = this.frame(board.geometry));
    const plate = s("rect", { class: "plate", x, y, width, height, rx: 16, fill: PLATE });
    this.svg = s(
      "svg",
      { viewBox: `${x} ${y} ${width} ${height}`, class: roomy(board.geometry) ? "wide" : "fine" },
      paints(),
      plate,
      grid,
      this.layers.under,
      this.words(),
      this.layers.pieces,
      this.layers.above,
      this.layers.over,
      this.layers.drawn,
      this.layers.ring,
    );
    this.host.replaceChildren(this.svg);
    if (!this.small) document.documentElement.style.setProperty("--ratio", round(width / height));
    this.host.querySelector("[data-cell]")?.setAttribute("tabindex", "0");
  }

  // What is seen: the cells in a frame, and the words around them where there are holes, not squares.
  frame({ width, height, cells, labels }) {
    const edge = (key, size, sign) => Math.max(...cells.map((cell) => sign * cell[key] + cell.size[size] / 2)) * UNIT;
    const box = [-edge("x", 0, -1), -edge("y", 1, -1), edge("x", 0, 1), edge("y", 1, 1)];
    if (labels.length && cells[0].shape === "circle")
      box.splice(
        0,
        4,
        Math.min(0, box[0]),
        Math.min(0, box[1]),
        Math.max(width * UNIT, box[2]),
        Math.max(height * UNIT, box[3]),
      );
    const pad = roomy(this.geometry) ? 14 : FRAME;
    return {
      x: round(box[0] - pad),
      y: round(box[1] - pad),
      width: round(box[2] - box[0] + 2 * pad),
      height: round(box[3] - box[1] + 2 * pad),
    };
  }

  // Words stand in the corners of the outermost squares, or beside the holes.
  words() {
    const { cells, labels } = this.geometry;
    const [low, high] = [
      Math.min(...cells.map((cell) => cell.x - 0.5)),
      Math.max(...cells.map((cell) => cell.y + 0.5)),
    ];
    const shades = new Map([...this.cells.values()].map((cell) => [`${cell.x} ${cell.y}`, cell.shade]));
    const word = (label) => {
      const { x, y } = this.at(label);
      if (cells[0].shape === "circle") return s("text", { class: "label", x, y, text: label.text });
      const row = label.x < low;
      const [cx, cy] = row ? [(low + 0.5) * UNIT, y] : [x, (high - 0.5) * UNIT];
      const shade = shades.get(`${round(cx)} ${round(cy)}`) ?? "light";
      return s("text", {
        class: `corner on-${shade}`,
        x: row ? cx - 44 : cx + 44,
        y: row ? cy - 32 : cy + 43,
        "text-anchor": row ? "start" : "end",
        text: label.text,
      });
    };
    // Boards without words around them have the names of the cells on them.
    const names = [...this.cells.values()].filter((cell) => !labels.length && cell.shape === "square");
    const name = ({ id, x, y, w, h }) =>
      s("text", {
        class: "number-on",
        x: round(x - w / 2 + (roomy(this.geometry) ? 14 : 8)),
        y: round(y - h / 2 + (roomy(this.geometry) ? 24 : 20)),
        text: id,
      });
    return s("g", { class: "words", "aria-hidden": "true" }, labels.map(word), names.map(name));
  }

  rows(cells) {
    const rows = new Map();
    const ordered = [...cells].sort((a, b) => this.at(a).y - this.at(b).y || this.at(a).x - this.at(b).x);
    for (const cell of ordered) {
      if (!rows.has(this.at(cell).y)) rows.set(this.at(cell).y, []);
      rows.get(this.at(cell).y).push(cell);
    }
    return [...rows.values()];
  }

  // The place of something, as seen from where the viewer sits.
  at({ x, y }) {
    const { cells } = this.geometry;
    if (!this.flipped) return { x: round(x * UNIT), y: round(y * UNIT) };
    const spans = (key, size) => [
      Math.min(...cells.map((c) => c[key] - c.size[size] / 2)),
      Math.max(...cells.map((c) => c[key] + c.size[size] / 2)),
    ];
    this.spans ??= new Map();
    if (!this.spans.has(this.geometry)) this.spans.set(this.geometry, { x: spans("x", 0), y: spans("y", 1) });
    const box = this.spans.get(this.geometry);
    // Words stand outside the cells and stay there.
    const turn = (value, [low, high]) => (value < low || value > high ? value : low + high - value);
    return { x: round(turn(x, box.x) * UNIT), y: round(turn(y, box.y) * UNIT) };
  }

  cell(cell) {
    const { x, y } = this.at(cell);
    const [w, hgt] = cell.size.map((size) => size * UNIT);
    const gap = roomy(this.geometry) && cell.shape === "square" ? 4 : 0;
    const shape =
      cell.shape === "circle"
        ? s("circle", { class: "shape", cx: x, cy: y, r: round(w * 0.37), fill: HOLE })
        : s("rect", {
            class: "shape",
            x: round(x - w / 2 + gap),
            y: round(y - hgt / 2 + gap),
            width: round(w - 2 * gap),
            height: round(hgt - 2 * gap),
            rx: cell.shape === "tray" || roomy(this.geometry) ? 14 : 0,
          });
    // Part of the picture, not of the game.
    const dull = cell.shade === "faint";
    const element = s(
      "g",
      {
        class: `cell ${cell.shape} ${cell.shade}`,
        role: "gridcell",
        "data-cell": dull ? null : cell.id,
        "aria-label": cell.name ?? cell.id,
        tabindex: dull ? null : "-1",
      },
      shape,
    );
    const title = s("title");
    element.prepend(title);
    if (cell.shape === "circle")
      element.prepend(s("rect", { class: "hit", x: round(x - w / 2), y: round(y - hgt / 2), width: w, height: hgt }));
    if (!dull) this.cells.set(cell.id, { ...cell, element, title, x, y, w, h: hgt });
    return element;
  }

  // Puts the pieces and marks of a position on the board; `last` is the move that led to it, `way` the cells
  // over which the piece comes that has just been moved.
  show(board, last, way) {
    this.picture = board.picture;
    this.dark = board.dark_side;
    const stacks = new Map();
    for (const piece of board.picture.pieces) {
      if (!stacks.has(piece.cell)) stacks.set(piece.cell, []);
      stacks.get(piece.cell).push(piece);
    }
    this.layers.pieces.replaceChildren();
    for (const [id, pieces] of stacks) {
      const cell = this.cells.get(id);
      if (cell) this.stack(cell, pieces);
    }
    for (const [id, cell] of this.cells) {
      const marks = board.picture.marks.filter((mark) => mark.cell === id).map((mark) => mark.name);
      const words = [cell.name ?? id, this.sayPieces(stacks.get(id) ?? []), ...marks].filter(Boolean).join(", ");
      cell.element.setAttribute("aria-label", words);
      cell.title.textContent = stacks.has(id) || marks.length ? words : "";
    }
    this.advice = null;
    this.marks(board.picture.marks, last);
    const since = this.expected && this.expected.steps === way?.join() ? performance.now() - this.expected.at : 0;
    if (way && since < SLIDE) this.slide(way, since);
    this.expected = null;
  }

  // The move as it will probably look, until the server has answered; `dropped` when a hand has brought it there.
  expect(steps, dropped) {
    const [slot, from, to] = [this.slot(steps[0]), this.cells.get(steps[0]), this.cells.get(steps.at(-1))];
    this.expected = { steps: steps.join(), at: dropped ? -Infinity : performance.now() };
    if (!slot || !from || !to || from === to) return;
    slot.dataset.at = to.id;
    slot.setAttribute("transform", `translate(${round(to.x - from.x)} ${round(to.y - from.y)})`);
    this.marks(this.picture.marks, { steps });
    if (!dropped) this.slide(steps, 0);
  }

  sayPieces(pieces) {
    if (!pieces.length) return "empty";
    const one = (piece) =>
      [piece.side && (piece.side === "first") === (this.dark === 0) ? "dark" : piece.side && "light", piece.name]
        .filter(Boolean)
        .join(" ");
    const names = pieces.map(one).reverse();
    if (new Set(names).size === 1 && names.length > 1) return `${names.length} times ${names[0]}`;
    return names.join(" on ");
  }

  stack(cell, pieces) {
    const tray = cell.shape === "tray";
    const count = pieces.length;
    const flat = pieces[0].art ? this.height(pieces[0].art) < 60 : false;
    pieces.forEach((piece, level) => {
      let { x, y } = cell;
      let scale = flat ? 0.84 : 0.86;
      if (tray) {
        y = cell.y + cell.h / 2 - 32 - level * Math.min(36, (cell.h - 50) / Math.max(count, 8));
        scale = 0.78;
      } else if (flat) {
        y = cell.y + 22 - level * 25;
      } else if (count > 1) {
        scale = 0.64;
        x += level === 0 ? 13 : -13;
        y += level === 0 ? 13 : -13;
      }
      this.layers.pieces.append(this.piece(piece, x, y, (scale * Math.min(cell.w, 100)) / 100, cell.id));
    });
  }

  // The height of an outline in its box of 100 by 100.
  height(art) {
    if (!this.shapes.has(art)) {
      const path = s("path", { d: art });
      this.layers.pieces.append(path);
      this.shapes.set(art, path.getBBox().height);
      path.remove();
    }
    return this.shapes.get(art);
  }

  piece(piece, x, y, scale, cell) {
    const tone = piece.side === null ? "own" : (piece.side === "second") === (this.dark === 1) ? "dark" : "light";
    const move = `translate(${round(x - 50 * scale)} ${round(y - 50 * scale)}) scale(${round(scale)})`;
    return s(
      "g",
      { class: "slot", "data-at": cell },
      s("g", { class: `piece ${tone} ${piece.name}`, transform: move }, outline(piece, tone)),
    );
  }

  marks(marks, last) {
    this.layers.under.replaceChildren();
    this.layers.above.replaceChildren();
    const mark = (id, kind, name) => {
      const cell = this.cells.get(id);
      if (!cell) return;
      const inset = roomy(this.geometry) ? 4 : kind === "last" ? 0 : 5;
      const box = {
        x: cell.x - cell.w / 2 + inset,
        y: cell.y - cell.h / 2 + inset,
        width: cell.w - 2 * inset,
        height: cell.h - 2 * inset,
      };
      this.layers.under.append(
        cell.shape === "circle"
          ? s("circle", { class: `mark ${kind}`, cx: cell.x, cy: cell.y, r: 42 })
          : s("rect", {
              class: `mark ${kind}`,
              ...box,
              fill: name === BLOCKED ? TOLD : null,
              rx: roomy(this.geometry) ? 12 : kind === "last" ? 0 : 10,
            }),
      );
      if (name === BLOCKED)
        this.layers.above.append(
          s(
            "g",
            { class: "mark lock", transform: `translate(${cell.x + 33} ${cell.y - 33})` },
            s("circle", { r: 14 }),
            s("path", { d: "M-4 -1v-3a4 4 0 0 1 8 0v3m-10 0h12v8h-12z" }),
          ),
        );
    };
    for (const id of last?.steps ?? []) if (this.cells.get(id)?.shape !== "tray") mark(id, "last");
    for (const { cell, name } of marks) mark(cell, name === BLOCKED ? "told" : "told alarm", name);
  }

  // Shows what has been touched, what can be, what would fit next, and what is known of it.
  hint(touched, targets, starts, worth) {
    for (const [id, cell] of this.cells) {
      cell.element.classList.toggle("touched", touched.includes(id));
      cell.element.classList.toggle("target", targets.has(id));
      cell.element.classList.toggle("start", starts.has(id));
      cell.element.setAttribute("aria-selected", String(touched.includes(id)));
    }
    const full = (id) => this.picture.pieces.some((piece) => piece.cell === id);
    const dots = [...targets]
      .filter((id) => !worth.has(id) || full(id))
      .map((id) => this.cells.get(id))
      .filter(Boolean)
      .map((cell) =>
        s("circle", {
          class: `dot ${full(cell.id) ? "ring" : ""}`,
          cx: cell.x,
          cy: cell.y,
          r: full(cell.id) ? 41 : 13,
        }),
      );
    const marks = [...worth].map(([id, mark]) => this.worth(this.cells.get(id), mark, full(id)));
    this.layers.over.replaceChildren(...dots, ...marks.filter(Boolean), ...(this.arrow ? [this.arrow] : []));
  }

  // What a move to a cell is worth: a sign in a shape of its own, in the corner where a piece stands in the middle.
  worth(cell, { kind, text, says, best, small }, full) {
    if (!cell) return null;
    const aside = full || small;
    const [x, y] = aside
      ? [cell.x + Math.min(cell.w, 100) * 0.3, cell.y - Math.min(cell.h, 100) * 0.3]
      : [cell.x, cell.y];
    const size = aside ? 0.72 : 1;
    const wide = text.length > 1;
    return s(
      "g",
      { class: `worth ${kind} ${best ? "best" : ""}`, transform: `translate(${round(x)} ${round(y)}) scale(${size})` },
      s("title", { text: says }),
      wide ? s("rect", { x: -34, y: -17, width: 68, height: 34, rx: 10 }) : s("path", { d: SIGNS[kind] ?? SIGNS.draw }),
      s("text", { class: wide ? "wide" : "", text }),
    );
  }

  // Draws a move without playing it; nothing to take it away.
  point(steps) {
    this.arrow?.remove();
    this.arrow = this.way(steps, "ghost");
    if (this.arrow) this.layers.over.append(this.arrow);
  }

  // The same for a line of moves, below everything that is pointed at: the first is strongest, and where there are
  // several, each has its number at its end.
  advise(line) {
    this.advice?.remove();
    const ways = line.map((steps, i) => this.way(steps, `ghost advice later-${i}`));
    const numbers = line.length > 1 ? line.map((steps, i) => this.numbered(steps.at(-1), i)) : [];
    this.advice = s("g", { class: "advised" }, ways.reverse(), numbers.reverse());
    this.layers.above.append(this.advice);
  }

  numbered(id, i) {
    const cell = this.cells.get(id);
    if (!cell) return null;
    const place = `translate(${cell.x - 33} ${cell.y - 33})`;
    return s(
      "g",
      { class: `turn-number later-${i}`, transform: place },
      s("circle", { r: 13 }),
      s("text", { text: String(i + 1) }),
    );
  }

  way(steps, kind) {
    const places = (steps ?? []).map((id) => this.cells.get(id)).filter(Boolean);
    if (!places.length) return null;
    const ring = s("circle", { class: `${kind} from`, cx: places[0].x, cy: places[0].y, r: 40 });
    if (places.length < 2) return ring;
    return s(
      "g",
      {},
      s("polyline", {
        class: `${kind} way`,
        points: places.map((cell) => `${cell.x},${cell.y}`).join(" "),
        "marker-end": "url(#paint-head)",
      }),
      ring,
    );
  }

  // The moved piece comes from where it stood, over every cell it touched.
  slide(steps, since) {
    const places = steps.map((id) => this.cells.get(id));
    const to = places.at(-1);
    const slot = to && this.slot(to.id);
    if (!slot || calm() || places.length < 2 || places.some((cell) => !cell)) return;
    slot.parentNode.append(slot);
    const frames = places.map(({ x, y }) => ({ transform: `translate(${x - to.x}px, ${y - to.y}px)` }));
    const [dx, dy] = (slot.getAttribute("transform") ?? "").match(/-?[\d.]+/g) ?? [0, 0];
    if (Number(dx) || Number(dy))
      places.forEach(({ x, y }, i) => {
        frames[i].transform = `translate(${x - to.x + Number(dx)}px, ${y - to.y + Number(dy)}px)`;
      });
    slot.animate(frames, { duration: SLIDE, easing: "ease-out" }).currentTime = since;
  }

  // A cell that refuses.
  shake(id) {
    const slot = this.slot(id);
    if (!slot || calm()) return;
    const at = (x) => ({ transform: `translate(${x}px, 0)` });
    slot.animate([0, -6, 6, -4, 0].map(at), { duration: 220 });
  }

  // The piece on top of a cell.
  top(id) {
    return this.picture?.pieces.filter((piece) => piece.cell === id).at(-1);
  }

  // Its drawing.
  slot(id) {
    return [...this.layers.pieces.children].filter((piece) => piece.dataset.at === id).at(-1);
  }

  // Where the middle of a cell is, in pixels from the corner of the board.
  place(id) {
    const cell = this.cells.get(id)?.element.getBoundingClientRect();
    const box = this.host.getBoundingClientRect();
    return cell && { x: cell.x + cell.width / 2 - box.x, y: cell.y - box.y };
  }
}
