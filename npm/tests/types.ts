// What a program in TypeScript may rely on; it is compiled, not run.

import { Book, game, games, TabiaError, type Move, type Position } from "tabia";

const start: Position = game("chess").position();
const names: string[] = games().map(({ name }) => name);
const moves: Move[] = start.moves();
const count: bigint = start.perft(3);
const bytes: Uint8Array = start.packed;
const after: Position = start.play(moves[0]);
const over: string | undefined = after.outcome;

export async function answers(signal: AbortSignal): Promise<unknown> {
  const { score, move } = await start.search({ time: 1, signal });
  const plies: number | undefined = "win" in score ? score.win : undefined;
  for await (const { pv } of start.searching({ depth: 3 })) if (pv.length > 2) break;
  const { value, distance } = await start.solve({ progress: ({ done }) => void done });
  const { total } = await new Book().stats(start);
  if (!(value satisfies string)) throw new TabiaError({ type: "", title: "", status: 0, detail: "", reasons: [] });
  return [names, count, bytes, over, plies, move, distance, total];
}
