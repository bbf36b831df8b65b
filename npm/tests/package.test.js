// The package as its users see it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Book, game, games, TabiaError } from "tabia";

test("games, positions and moves", () => {
  assert.deepEqual(
    games().map(({ id }) => id),
    ["five-visible", "arx", "solitaire", "draughts", "chess"],
  );
  const start = game("draughts").position();
  assert.deepEqual(start.moves().map(String), ["9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16"]);
  const next = start.play("11-15");
  assert.equal(next.side, 1 - start.side);
  assert.deepEqual(next.history, ["11-15"]);
  assert.equal(start.moves()[2].after().text, next.text);
  assert.deepEqual(game("draughts").position(next.packed).packed, next.packed);
  assert.equal(start.perft(5), 7361n);
  assert.match(start.svg(), /^<svg/);
  assert.equal(start.outcome, undefined);
});

test("what is wrong is told with its place and its reasons", () => {
  const wrong = (work) => {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof TabiaError, String(error));
      return error;
    }
    assert.fail("nothing was wrong");
  };
  assert.equal(wrong(() => game("ches")).status, 404);
  assert.equal(wrong(() => game("chess").position("8/8/8 w - - 0 1")).status, 400);
  assert.ok(wrong(() => game("chess").position("8/8/8/8/8/8/8/8 w - - 0 1")).reasons.length >= 1);
  assert.match(wrong(() => game("chess").position().play("e2e5")).message, /e5/);
  assert.equal(wrong(() => game("chess").position().code("nothing")).status, 404);
});

test("a search reports, ends by itself, and can be left", async () => {
  const mate = game("chess").position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
  const found = await mate.search({ depth: 4 });
  assert.equal(found.move, "Ra8#");
  assert.deepEqual(found.score, { win: 1 });
  let reports = 0;
  for await (const report of game("arx").position().searching({ time: 30 })) {
    assert.ok(report.move && report.depth >= 1);
    if (++reports === 2) break;
  }
  assert.equal(reports, 2);
});

test("an engine judges by the networks of the program outside browsers", async (t) => {
  const program = process.env.TABIA_BIN;
  if (!program) return t.skip("TABIA_BIN does not name the program");
  for (const id of ["arx", "chess", "draughts", "five-visible"]) {
    const words = ["search", id, "--depth", "6", "--threads", "1", "--hash", "64M", "--eval", "net", "--json", "--quiet"];
    const there = JSON.parse(execFileSync(program, words, { encoding: "utf8" }));
    const here = await game(id).position().search({ depth: 6 });
    assert.deepEqual([id, here.score, here.pv, here.nodes], [id, there.score, there.pv, there.nodes]);
  }
});

test("a search is ended by its signal", async () => {
  const abort = new AbortController();
  const search = game("chess").position().search({ time: 60, signal: abort.signal });
  setTimeout(() => abort.abort(), 300);
  await assert.rejects(search, { name: "AbortError" });
  await assert.rejects(game("chess").position().search({ signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(game("solitaire").position().search({ depth: 3 }), TabiaError);
});

test("5-Visible is solved, with progress", async () => {
  const heard = [];
  const exact = await game("five-visible").position("1/10/10/11/-/-/-/-/- 0 1").solve({ progress: (now) => heard.push(now) });
  assert.equal(exact.value, "win");
  assert.equal(exact.distance, 27);
  assert.equal(exact.positions, 310227);
  assert.ok(heard.length >= 1 && heard.every(({ stage, done }) => stage && done >= 0));
});

test("draughts endings and solitaire", async () => {
  const ending = await game("draughts").position("B:WK1:BK32,K31").solve();
  assert.equal(ending.method, "table");
  const puzzle = await game("solitaire").position().solve();
  assert.equal(puzzle.value, "solvable");
});

test("a book counts games", async () => {
  const book = new Book();
  try {
    const chess = game("chess");
    const pgn = '[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';
    const job = await book.add(chess, pgn);
    assert.deepEqual([job.status, job.games, job.positions], ["done", 1, 7]);
    const stats = await book.stats(chess.position());
    assert.equal(stats.total, 1);
    assert.equal(stats.moves[0].move, "e4");
    const played = await book.selfplay(game("five-visible"), { games: 20, seed: 1 });
    assert.deepEqual([played.status, played.games], ["done", 20]);
    assert.equal((await book.stats(game("five-visible").position("four"))).total, 20);
  } finally {
    book.close();
  }
});
