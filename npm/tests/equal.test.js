// The program in WebAssembly answers as the one outside browsers does, byte for byte.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { game } from "tabia";

// The package hides its program; tests may look.
const { Tabia } = await import(new URL("../node_modules/tabia/wasm/tabia.js", import.meta.url));
const tabia = new Tabia();
const DATA = process.env.TABIA_DATA;
const lines = (path) => readFileSync(path, "utf8").split("\n");
// Counting further would tell nothing new.
const MOST_NODES = 2_000_000n;

test("random positions of every game: codes, keys, moves, boards", () => {
  const native = lines(new URL("../native.jsonl", import.meta.url)).filter(Boolean).map((line) => JSON.parse(line));
  assert.ok(native.length >= 5000, `${native.length} answers`);
  for (const { address, status, text } of native) {
    const answer = tabia.answer("GET", address, "", new Uint8Array());
    assert.equal(answer.status, status, address);
    assert.equal(new TextDecoder().decode(answer.body), text, address);
    answer.free();
  }
});

for (const id of ["five-visible", "arx", "draughts", "chess"]) {
  test(`perft of ${id}`, { skip: !DATA && "no data" }, () => {
    let counted = 0;
    for (const line of lines(join(DATA, id, "perft.txt")).filter((line) => line && !line.startsWith("#"))) {
      const [position, ...counts] = line.split(";").map((part) => part.trim());
      for (const count of counts.map((part) => part.match(/^D(\d+) (\d+)$/)).filter(Boolean)) {
        if (BigInt(count[2]) > MOST_NODES) continue;
        assert.equal(tabia.perft(id, position, Number(count[1])), BigInt(count[2]), `${position} D${count[1]}`);
        counted++;
      }
    }
    assert.ok(counted > 3);
  });
}

for (const id of ["five-visible", "arx", "solitaire", "draughts", "chess"]) {
  test(`the golden game of ${id}`, { skip: !DATA && "no data" }, () => {
    const rows = lines(join(DATA, id, "golden.txt")).filter((line) => line && !line.startsWith("#"));
    let position = null;
    let plies = 0;
    rows.forEach((row, i) => {
      const codes = rows[i + 1]?.match(/^ {2}key (0x[0-9a-f]+) packed ([0-9a-f]+)/);
      const begin = row.match(/^start (.+)$/);
      const move = row.match(/^\d+ (.+)$/);
      if (begin) position = game(id).position(begin[1] === "start" ? undefined : begin[1]);
      else if (move) position = position.play(move[1]);
      else if (codes) {
        assert.equal(position.text, row);
        assert.equal(position.key, BigInt(codes[1]), row);
        assert.equal(Buffer.from(position.packed).toString("hex"), codes[2], row);
        assert.equal(position.moves().length, Number(rows[i + 2].match(/^ {2}(\d+) moves/)[1]), row);
        assert.deepEqual(game(id).position(position.code("packed")).packed, position.packed);
        plies++;
      }
    });
    assert.ok(plies > 10, `${plies} positions`);
  });
}
