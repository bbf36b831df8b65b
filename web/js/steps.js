// From clicks to moves: a move is played by touching its steps in order. No rule of any game is known here.

const begins = (steps, prefix) => prefix.every((cell, i) => steps[i] === cell);

// The moves that begin with the cells touched so far.
export const fitting = (moves, touched) => moves.filter((move) => begins(move.steps, touched));

// The cells that can be touched next.
export const targets = (moves, touched) =>
  new Set(
    fitting(moves, touched)
      .map((move) => move.steps[touched.length])
      .filter(Boolean),
  );

// What a touch does: { touched } to go on, { play } a move, or { choose } between several.
export function touch(moves, touched, cell) {
  const next = [...touched, cell];
  const fits = fitting(moves, next);
  if (!fits.length) {
    const ahead = touched.length ? fitting(moves, touched).filter((move) => move.steps.at(-1) === cell) : [];
    if (ahead.length) return decide(ahead);
    const again = touched.length === 1 && touched[0] === cell;
    return { touched: !again && fitting(moves, [cell]).length ? [cell] : [] };
  }
  const done = fits.filter((move) => move.steps.length === next.length);
  if (done.length || (fits.length === 1 && next.length > 1)) return decide(fits);
  return { touched: next };
}

const decide = (moves) => (moves.length === 1 ? { play: moves[0] } : { choose: moves });
