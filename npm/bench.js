// How fast the program in WebAssembly counts moves, against the native one (TABIA_BIN): CPU time of both.

import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { game } = await import(pathToFileURL(`${folder}/index.js`));
const TASKS = [
  ["draughts", 11, 75],
  ["chess", 5, 60],
  ["arx", 4, 50],
  ["five-visible", 6, 0],
  ["solitaire", 8, 0],
];
const ROUNDS = 3;

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
  inWasm(id, depth - 1); // The optimising compiler comes first.
  const best = (count) => Math.min(...Array.from({ length: ROUNDS }, () => count(id, depth)[1]));
  const [nodes] = inWasm(id, depth);
  const [wasm, outside] = [best(inWasm), best(native)];
  const share = (100 * outside) / wasm;
  if (share < wanted) missed++;
  const rate = (seconds) => `${(nodes / seconds / 1e6).toFixed(1)} M nodes/s`;
  console.log(`${id} perft ${depth}: ${rate(wasm)}, native ${rate(outside)}: ${share.toFixed(0)} %${wanted ? ` (wanted: ${wanted} %)` : ""}`);
}
process.exitCode = missed ? 1 : 0;
