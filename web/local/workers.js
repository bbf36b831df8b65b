// Workers of a browser, for desks.

let module;
const program = () => (module ??= WebAssembly.compileStreaming(fetch(new URL("../wasm/tabia_bg.wasm", import.meta.url))));

export function startWorker(folder) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const begun = program().then((module) => worker.postMessage({ module, folder }));
  return {
    post: (question) => begun.then(() => worker.postMessage(question)),
    end: () => worker.terminate(),
    hear: (message, failure) => {
      worker.onmessage = (event) => message(event.data);
      worker.onerror = (event) => failure(event.message);
      begun.catch(failure);
    },
  };
}
