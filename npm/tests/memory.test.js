// A worker may use only so much memory, and running out of it is a message.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

// The package hides its parts; tests may look.
const inside = (path) => new URL(`../node_modules/tabia/${path}`, import.meta.url);
const { Desk } = await import(inside("local/desk.js"));
const MEMORY = 5;

// A number as WebAssembly writes it: seven bits a byte, the last without the eighth.
function number(bytes, at) {
  let [value, shift, next] = [0, 0, at];
  do {
    value += (bytes[next] & 127) * 2 ** shift;
    shift += 7;
  } while (bytes[next++] & 128);
  return { value, at, next };
}

// The program with another limit to its memory, in pages of 64 kB.
function limited(bytes, pages) {
  for (let at = 8; at < bytes.length; ) {
    const { value: size, next: begin } = number(bytes, at + 1);
    if (bytes[at] === MEMORY) {
      const least = number(bytes, begin + 2);
      const most = number(bytes, least.next);
      assert.ok(least.value <= pages && pages <= most.value, `${least.value} to ${most.value} pages`);
      for (let i = most.at; i < most.next; i++) {
        bytes[i] = (pages >> (7 * (i - most.at))) & 127 | (i + 1 < most.next ? 128 : 0);
      }
      return bytes;
    }
    at = begin + size;
  }
  assert.fail("the program has no memory");
}

test("a solver that runs out of memory says so, and the next question is answered", async () => {
  const bytes = limited(readFileSync(inside("wasm/tabia_bg.wasm")), 160);
  const module = await WebAssembly.compile(bytes);
  const start = (folder) => {
    const worker = new Worker(inside("local/worker.js"));
    worker.postMessage({ module, folder });
    return {
      post: (question) => worker.postMessage(question),
      end: () => void worker.terminate(),
      hear: (message, failure) => void worker.on("message", message).on("error", failure),
    };
  };
  const desk = new Desk(start, { folder: "/cache/", hurried: true });
  const ask = async (address) => {
    const { status, body } = await desk.ask({ method: "GET", address });
    return { status, ...JSON.parse(new TextDecoder().decode(body)) };
  };
  try {
    const { status, detail } = await ask("/api/v1/games/five-visible/solve");
    assert.equal(status, 507, detail);
    assert.match(detail, /not enough memory/);
    assert.equal((await ask("/api/v1/games/chess")).status, 200);
  } finally {
    desk.end();
  }
});
