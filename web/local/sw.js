// The service worker of the static site: after the first visit everything comes from this device, and a new
// version replaces the old one as a whole. `cargo xtask site` writes the three constants.
//
// A page and its workers are always of one version: a new one waits until no page of the old one is open, or
// until the reader asks for it.

const VERSION = "";
const FILES = [];
const LATER = [];

const CACHE = `tabia-${VERSION}`;

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("message", ({ data }) => data === "now" && self.skipWaiting());

self.addEventListener("activate", (event) => {
  const forget = (names) =>
    Promise.all(names.filter((name) => name.startsWith("tabia-") && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(forget)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const here = new URL(self.registration.scope);
  const asked = new URL(url);
  if (method !== "GET" || asked.origin !== here.origin || !asked.pathname.startsWith(here.pathname)) return;
  const file = asked.pathname.slice(here.pathname.length);
  if (file.startsWith("api/") && !FILES.includes(file)) return event.respondWith(askPage(url));
  event.respondWith(fromCache(mode === "navigate" && !FILES.includes(file) ? "./" : file || "./", event.request));
});

async function fromCache(file, request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(file);
  if (kept) return kept;
  const answer = await fetch(request);
  // What not everybody needs is kept once somebody did.
  if (LATER.includes(file) && answer.ok) await cache.put(file, answer.clone());
  return answer;
}

// Answers are made by the workers of a page that is open.
async function askPage(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((page) => !page.url.includes("/api/"));
  if (!page) return new Response("No page of Tabia is open.", { status: 503 });
  const { port1, port2 } = new MessageChannel();
  const { status, media, body } = await new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
    page.postMessage({ address }, [port2]);
  });
  return new Response(body, { status, headers: { "content-type": media } });
}
