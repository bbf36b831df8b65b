// Arrows and circles: the best line that is known, and what a person draws with the right button.

import { s } from "./dom.js";
import { known } from "./values.js";

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

  // The first moves of the best line, the first one strongest.
  const advise = () => {
    const node = store.tree.current;
    const show = settings.arrows && store.live() && !store.secret() && !node.answer?.outcome;
    const exact = known(node.solved) && (node.solved.line[0] ?? node.solved.moves.find((move) => move.best)?.move);
    const alike = known(node.solved) && node.solved.moves.length > 1 && node.solved.moves.every((move) => move.best);
    const text = alike ? null : exact || node.report?.lines[0]?.pv[0] || node.report?.move;
    const move = show && store.game.players === 2 && store.answer.moves.find((one) => one.move === text);
    board.svg && board.advise(move ? move.steps : null);
  };
  for (const what of ["position", "report", "solved", "look", "play"]) store.on(what, advise);
  for (const what of ["position", "look", "shown"]) store.on(what, draw);
  settings.addEventListener("change", advise);
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
