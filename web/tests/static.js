// The static site behind a plain file server, under a path of its own.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

export const PATH = "/some/where/";
const MEDIA = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

// `hold` may return a promise that a file waits for.
export async function serveFiles(folder, hold = () => {}) {
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url, "http://localhost");
    let file = join(folder, normalize(pathname.slice(PATH.length) || "index.html"));
    if (!pathname.startsWith(PATH) || !file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) {
      return answer.writeHead(404).end();
    }
    await hold(pathname);
    answer.writeHead(200, { "content-type": MEDIA[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}${PATH.slice(0, -1)}`,
    stop: () =>
      new Promise((done) => {
        server.close(() => done(0));
        server.closeAllConnections();
      }),
  };
}

// The address of a page of the static site, from that of a server: /chess?play=e4 is ?game=chess&play=e4 there.
export function placed(path) {
  const { pathname, search } = new URL(path, "http://localhost");
  const game = pathname.slice(1);
  return "/" + (game ? `?game=${game}${search.replace("?", "&")}` : search);
}
