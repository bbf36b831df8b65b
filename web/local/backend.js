// The back end without a server: the questions of the page go to workers in this browser. `answer` is asked
// as `fetch` is, and `Events` listens as `EventSource` does.

import { Desk } from "./desk.js";
import { startWorker } from "./workers.js";

const desks = {
  answers: new Desk(startWorker),
  solver: new Desk(startWorker, { folder: "/cache/", hurried: true }),
  book: new Desk(startWorker, { folder: "/book/" }),
};

function deskOf(path) {
  if (/\/solve$/.test(path)) return desks.solver;
  if (/\/(stats|records|selfplay)$|\/records\/\w+$|\/jobs\/\d+$|\/5visible\/stats$/.test(path)) return desks.book;
  return desks.answers;
}

// Those who show how far long work has come.
const watchers = new Set();
export const watch = (watcher) => watchers.add(watcher);
const tell = (progress) => watchers.forEach((watcher) => watcher(progress));

// The part of an address that the API knows.
const inApi = (address) => {
  const { pathname, search } = new URL(address, document.baseURI);
  return [pathname.slice(pathname.indexOf("/api/")), search];
};

const bytesOf = async (body) =>
  body === undefined ? undefined : new Uint8Array(await new Response(body).arrayBuffer());

// Answers about the first position were made with the site: its board is there before the program is.
const prepared = JSON.parse(document.getElementById("prepared")?.textContent ?? "{}");

const response = ({ status, media, body }) =>
  new Response(status === 204 ? null : body, { status, headers: media ? { "content-type": media } : {} });

export async function answer(address, { method = "GET", headers, body, signal } = {}) {
  const [path, search] = inApi(address);
  const question = {
    method,
    address: path + search,
    media: new Headers(headers).get("content-type") ?? "",
    body: await bytesOf(body),
  };
  if (method === "GET" && prepared[path + search]) return Response.json(prepared[path + search]);
  const analysis = path.match(/\/(?:analyses|annotations|reports)(?:\/(\d+))?$/);
  if (analysis) return analysis[1] ? endAnalysis(analysis[1]) : beginAnalysis(question, signal);
  const on = ({ progress, over }) => tell(over ? null : progress);
  try {
    return response(await deskOf(path).ask(question, { signal, on }));
  } catch (error) {
    tell(null);
    throw error;
  }
}

// Analyses: each has a worker of its own, that ends with it. A spare one is ready for the next.
const MOST = 2;
const analyses = new Map();
let lastAnalysis = 0;
let spare = null;

async function beginAnalysis(question, signal) {
  if ([...analyses.values()].filter((analysis) => !analysis.over).length >= MOST) {
    const problem = { title: "Too Many Requests", status: 429, detail: `${MOST} analyses are at work already` };
    return Response.json(problem, { status: 429 });
  }
  const desk = spare ?? new Desk(startWorker);
  spare = new Desk(startWorker);
  const id = ++lastAnalysis;
  const analysis = { desk, said: [], over: false, listener: null };
  analyses.set(id, analysis);
  const end = () => {
    analysis.over = true;
    desk.end();
    analyses.delete(id);
  };
  const say = (event) => (analysis.listener ? analysis.listener(event) : analysis.said.push(event));
  const on = ({ event, data, over }) => {
    if (event) say({ type: event, data });
    if (over || event === "failed") analysis.over = true;
    if (analysis.over) desk.end();
  };
  analysis.end = end;
  const { status, media, body } = await desk.ask(question, { signal, on });
  if (status >= 400) {
    end();
    return response({ status, media, body });
  }
  return Response.json({ id, events: `/api/v1/analyses/${id}/events` }, { status });
}

function endAnalysis(id) {
  analyses.get(Number(id))?.end();
  return new Response(null, { status: 204 });
}

export class Events extends EventTarget {
  constructor(address) {
    super();
    const id = Number(address.match(/analyses\/(\d+)\/events/)?.[1]);
    const analysis = analyses.get(id);
    this.close = () => analysis?.end();
    const pass = ({ type, data }) => this.dispatchEvent(new MessageEvent(type, { data }));
    // Whoever listens has to say for what first.
    queueMicrotask(() => {
      if (!analysis) return this.onerror?.(new Event("error"));
      analysis.said.forEach(pass);
      analysis.listener = pass;
    });
  }
}

// A picture that came too early for the service worker is asked for here.
const early = async ({ target }) => {
  if (!(target instanceof HTMLImageElement) || !target.src.includes("/api/v1/")) return;
  const answered = await answer(target.src);
  if (answered.ok) target.src = URL.createObjectURL(await answered.blob());
};
document.addEventListener("error", early, true);

// Pictures and other addresses that the browser itself asks for come from here, by way of the service worker.
navigator.serviceWorker?.addEventListener("message", async ({ data, ports: [port] }) => {
  if (!data?.address || !port) return;
  const answered = await answer(data.address);
  port.postMessage({
    status: answered.status,
    media: answered.headers.get("content-type"),
    body: await answered.arrayBuffer(),
  });
});
