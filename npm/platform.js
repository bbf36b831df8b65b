// What differs between Node and browsers: how the program is read, and how a worker is begun.

import { startWorker as startBrowserWorker } from "./local/workers.js";

const inNode = Boolean(globalThis.process?.versions?.node);
const PROGRAM = new URL("./wasm/tabia_bg.wasm", import.meta.url);

async function readProgram() {
  if (!inNode) return WebAssembly.compileStreaming(fetch(PROGRAM));
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(PROGRAM));
}

/** The compiled program. */
export const program = await readProgram();

const threads = inNode ? await import("node:worker_threads") : null;

/**
 * Begins a worker.
 * @param {string | undefined} folder the files it works with
 */
export function startWorker(folder) {
  if (!threads) return startBrowserWorker(folder);
  const worker = new threads.Worker(new URL("./local/worker.js", import.meta.url));
  worker.postMessage({ module: program, folder });
  return {
    post: (/** @type {unknown} */ question) => worker.postMessage(question),
    end: () => void worker.terminate(),
    hear: (/** @type {(message: any) => void} */ message, /** @type {(error: unknown) => void} */ failure) => {
      worker.on("message", message);
      worker.on("error", failure);
    },
  };
}
