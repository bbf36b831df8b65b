// Arrows and circles: the best line that is known, and what a person draws with the right button.

import { get } from "./api.js";
import { s } from "./dom.js";
import { known } from "./values.js";

// Moves of the best line that are drawn.
const SHOWN = 3;
const COLOURS = ["one", "two", "three"];

export function arrows(store, board, settings) {
  const drawn = () => (store.tree.current.drawn ??= []);
  const draw = () => {
    if (!board.svg) return;
    board.layers.drawn.replaceChildren(
      ...drawn()
        .map((one) => shape(board, one))
        .filter(Boolean),
    );
  };
  const cellAt = (event) =>
    document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]")?.dataset.cell;
  let from = null;
  board.host.addEventListener("contextmenu", (event) => event.preventDefault());
  board.host.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && drawn().length) {
      store.tree.current.drawn = [];
      draw();
    }
    if (event.button === 2) from = cellAt(event);
  });
  addEventListener("pointerup", (event) => {
    if (event.button !== 2 || !from) return;
    const to = cellAt(event);
    const colour = COLOURS[event.shiftKey ? 1 : event.altKey ? 2 : 0];
    const list = drawn();
    const same = list.findIndex((one) => one.from === from && one.to === to);
    if (same >= 0) list.splice(same, 1);
    else if (to) list.push({ from, to, colour });
    from = null;
    draw();
  });

  // The first moves of the best line, the first one strongest. The cells of the later ones are the server's to tell.
  const advise = async () => {
    if (!board.svg || !store.answer) return;
    const node = store.tree.current;
    const show = settings.arrows && store.live() && !store.secret() && !node.answer?.outcome;
    const line = show && store.game.players === 2 ? best(node).slice(0, SHOWN) : [];
    const first = store.answer.moves.find((one) => one.move === line[0]);
    if (!first) return board.advise([]);
    const known = line.map((_, i) => (i ? node.ways?.get(line.slice(0, i + 1).join()) : first.steps));
    const missing = known.indexOf(undefined);
    board.advise(missing < 0 ? known : known.slice(0, missing));
    if (missing < 0) return;
    if ((await find(store, node, line)) && node === store.tree.current) advise();
  };
  for (const what of ["position", "report", "solved", "look", "play"]) store.on(what, advise);
  for (const what of ["position", "look", "shown"]) store.on(what, draw);
  settings.addEventListener("change", advise);
}

// The best line that is known from a node on.
function best({ solved, report }) {
  if (!known(solved)) return report?.lines[0]?.pv ?? [];
  if (solved.moves.length > 1 && solved.moves.every((move) => move.best)) return [];
  const move = solved.moves.find((move) => move.best)?.move;
  return solved.line.length ? solved.line : move ? [move] : [];
}

// Asks for the cells of the later moves of a line; says whether there is something new.
async function find(store, node, line) {
  node.ways ??= new Map();
  const { pos, play } = store.query(node);
  for (let i = 1; i < line.length; i++) {
    const part = line.slice(0, i + 1).join();
    if (node.ways.has(part)) continue;
    node.ways.set(part, undefined);
    try {
      const path = [play, part].filter(Boolean).join();
      node.ways.set(part, (await get(`/games/${store.game.id}/position`, { pos, play: path })).last.steps);
    } catch {
      return false; // The arrows that are known stay.
    }
  }
  return line.every((_, i) => !i || node.ways.get(line.slice(0, i + 1).join()));
}

function shape(board, { from, to, colour }) {
  const [a, b] = [board.cells.get(from), board.cells.get(to)];
  if (!a || !b) return null;
  if (a === b) return s("circle", { class: `own-mark ${colour}`, cx: a.x, cy: a.y, r: 42 });
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  const [x, y] = [(b.x - a.x) / long, (b.y - a.y) / long];
  const [tip, base] = [
    [b.x - x * 6, b.y - y * 6],
    [b.x - x * 38, b.y - y * 38],
  ];
  const side = (sign) => `${base[0] + sign * y * 20},${base[1] - sign * x * 20}`;
  return s(
    "g",
    { class: `own-mark ${colour}` },
    s("line", { x1: a.x + x * 22, y1: a.y + y * 22, x2: base[0], y2: base[1] }),
    s("polygon", { points: `${tip.join()} ${side(1)} ${side(-1)}` }),
  );
}
