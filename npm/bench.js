// How fast the program in WebAssembly counts moves, against the native one (TABIA_BIN): CPU time of both.

import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { game } = await import(pathToFileURL(`${folder}/index.js`));
// Deep enough that both work for a good part of a second.
const TASKS = [
  ["draughts", 12, 75],
  ["chess", 6, 60],
  ["arx", 5, 50],
  ["five-visible", 7, 0],
  ["solitaire", 9, 0],
];
const ROUNDS = 5;

function inWasm(id, depth) {
  const start = process.cpuUsage();
  const nodes = game(id).position().perft(depth);
  const { user, system } = process.cpuUsage(start);
  return [Number(nodes), (user + system) / 1e6];
}

function native(id, depth) {
  const words = ["perft", id, String(depth), "--threads", "1", "--json"];
  const { nodes, cpu_seconds } = JSON.parse(execFileSync(process.env.TABIA_BIN, words));
  return [Number(nodes), cpu_seconds];
}

let missed = 0;
for (const [id, depth, wanted] of TASKS) {
  // The first round is the one in which V8 still compiles what is worth it.
  const [nodes] = inWasm(id, depth);
  const rounds = Array.from({ length: ROUNDS }, () => [inWasm(id, depth)[1], native(id, depth)[1]]);
  const [wasm, outside] = [0, 1].map((i) => Math.min(...rounds.map((round) => round[i])));
  const share = (100 * outside) / wasm;
  if (share < wanted) missed++;
  const rate = (seconds) => `${(nodes / seconds / 1e6).toFixed(1)} M nodes/s`;
  console.log(`${id} perft ${depth}: ${rate(wasm)}, native ${rate(outside)}: ${share.toFixed(0)} %${wanted ? ` (wanted: ${wanted} %)` : ""}`);
}
process.exitCode = missed ? 1 : 0;
