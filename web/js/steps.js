// From clicks to moves: a move is played by touching its steps in order. No rule of any game is known here.

const begins = (steps, prefix) => prefix.every((cell, i) => steps[i] === cell);

// The moves that begin with the cells touched so far.
export const fitting = (moves, touched) => moves.filter((move) => begins(move.steps, touched));

// The cells that can be touched next, each with the moves that go there.
export function reach(moves, touched) {
  const cells = new Map();
  for (const move of fitting(moves, touched)) {
    const cell = move.steps[touched.length];
    if (!cell) continue;
    if (!cells.has(cell)) cells.set(cell, []);
    cells.get(cell).push(move);
  }
  return cells;
}

export const targets = (moves, touched) => new Set(reach(moves, touched).keys());

// What a touch does: { touched } to go on, { play } a move, { choose } between several, or { refused } the cells
// that no move touches. `waits(cell)` says whether a cell is a place beside the board: what waits there needs not
// be touched before the place where it goes.
export function touch(moves, touched, cell, waits = () => false) {
  const next = [...touched, cell];
  const fits = fitting(moves, next);
  if (!fits.length) {
    const ahead = touched.length ? fitting(moves, touched).filter((move) => move.steps.at(-1) === cell) : [];
    if (ahead.length) return decide(ahead);
    if (touched.at(-1) === cell) return { touched: [] };
    if (fitting(moves, [cell]).length) return { touched: [cell] };
    const brought = moves.filter((move) => waits(move.steps[0]) && move.steps[1] === cell);
    if (brought.length && !touched.length) return decide(brought);
    return { touched: [], refused: next };
  }
  const done = fits.filter((move) => move.steps.length === next.length);
  if (done.length || (fits.length === 1 && next.length > 1)) return decide(fits);
  return { touched: next };
}

const decide = (moves) => (moves.length === 1 ? { play: moves[0] } : { choose: moves });
