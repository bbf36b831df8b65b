// A worker that answers the requests of the API, one after the other. In a browser and in Node alike.
//
// It is told first { module, folder }: the compiled program, and the files it works with. Then each question
// { id, method, address, media, body } is answered by { id, status, media, body }; on the way there may be
// { id, progress }, and after the beginning of an analysis { id, event, data } until { id, over }.

import init, { Tabia, changedFiles, putFile, readFile } from "../wasm/tabia.js";
import { keep, kept } from "./files.js";

// Games that have a network, which is read when their engine is asked first.
const NETWORKS = ["arx", "chess", "draughts", "five-visible"];

let tabia;
let home;
let isOwner = false;
let last = Promise.resolve();
const take = (message) => {
  last = last
    .then(() => (message.module ? begin(message) : answer(message)))
    .catch((error) => send({ id: message.id, failed: String(error) }));
};

let send = (message, bytes = []) => globalThis.postMessage(message, bytes);
if (globalThis.process?.versions?.node) {
  const { parentPort } = await import("node:worker_threads");
  send = (message, bytes = []) => parentPort.postMessage(message, bytes);
  parentPort.on("message", take);
} else {
  globalThis.onmessage = (event) => take(event.data);
}

async function begin({ module, folder }) {
  home = folder;
  await init({ module_or_path: module });
  await load();
}

async function load() {
  for (const [name, bytes] of home ? await kept(home) : []) putFile(name, bytes);
  tabia = new Tabia();
}

async function readNetwork(address, media, body) {
  const [, named] = address.match(/\/games\/([^/?]+)/) ?? [];
  const at = media === "application/json" ? NETWORKS.indexOf(named ?? asked(body)?.game) : -1;
  if (at < 0) return;
  const [game] = NETWORKS.splice(at, 1);
  try {
    putFile(`/networks/${game}.net`, await read(new URL(`../networks/${game}.net`, import.meta.url)));
  } catch {
    // Without it positions are judged by the terms written by hand; it is asked for again next time.
    NETWORKS.push(game);
  }
}

function asked(body) {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

async function read(address) {
  if (address.protocol === "file:") return (await import("node:fs/promises")).readFile(address);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return new Uint8Array(await answer.arrayBuffer());
}

// Only one page at a time writes to its files: they are its own from the first time on until it is closed.
async function own() {
  if (isOwner || !home || !globalThis.indexedDB || !navigator.locks) return true;
  isOwner = await new Promise((done) => {
    const hold = (lock) => {
      done(Boolean(lock));
      return lock && new Promise(() => {});
    };
    navigator.locks.request(`tabia ${home}`, { ifAvailable: true }, hold);
  });
  // Somebody else may have written before.
  if (isOwner) await load();
  return isOwner;
}

async function answer({ id, method, address, media, body }) {
  if (method === "POST" && !(await own())) return send({ id, refused: "Another tab is writing to the book." });
  if (method === "POST") await readNetwork(address, media, body);
  let told = 0;
  tabia.watch((stage, done, total, unit) => {
    // The page need not be told more often than it can draw.
    if (performance.now() - told < 50) return;
    told = performance.now();
    send({ id, progress: { stage, done, total, unit } });
  });
  try {
    const answered = tabia.answer(method, address, media ?? "", body ?? new Uint8Array());
    const { status, media: type, body: bytes } = answered;
    answered.free();
    if (method === "POST" && status < 300 && type === "application/json") {
      const { id: analysis, events } = JSON.parse(new TextDecoder().decode(bytes));
      if (events) tabia.follow(analysis, (event, data) => send({ id, event, data }));
    }
    send({ id, status, media: type, body: bytes }, [bytes.buffer]);
    tabia.work();
    // What cannot be kept is still there until the page is closed.
    await keep(changes()).catch((error) => console.warn("Tabia could not keep its files:", error));
    send({ id, over: true });
  } catch (error) {
    // After a trap nothing in this memory can be trusted: whoever asks begins a new worker.
    const words = globalThis.tabiaPanicked;
    const noMemory = !words && error instanceof WebAssembly.RuntimeError;
    send({ id, failed: words ?? String(error?.message ?? error), noMemory });
  }
}

// What is being written is not kept before it is complete.
const changes = () =>
  changedFiles()
    .filter((name) => !name.endsWith(".partial") && name !== "/upload")
    .map((name) => [name, readFile(name)]);
