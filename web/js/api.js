// Questions to Tabia. Every failure is a Problem: what is wrong, where, and why.
//
// Answers come from a server, or from workers in this browser where the page is served without one; nothing
// else in the page knows which.

import { below, isStatic } from "./place.js";

const { answer, Events } = isStatic
  ? await import("../local/backend.js")
  : { answer: (url, options) => fetch(url, options), Events: globalThis.EventSource };

export class Problem extends Error {
  constructor(body, status) {
    super(body.detail ?? "the server did not answer");
    Object.assign(this, { status, input: body.input, offset: body.offset, reasons: body.reasons ?? [] });
  }
}

export const address = (path, query) => {
  const given = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return below("api/v1" + path) + (given.length ? "?" + new URLSearchParams(given) : "");
};

async function answered(url, options) {
  let response;
  try {
    response = await answer(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "The server cannot be reached." }, 0);
  }
  return [response, await response.text()];
}

async function ask(url, options) {
  const [response, text] = await answered(url, options);
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    throw new Problem({ detail: "The server answered something unreadable." }, response.status);
  }
  if (!response.ok) throw new Problem(body, response.status);
  return body;
}

export const get = (path, query, signal) => ask(address(path, query), { signal });

// An answer that is no JSON: a picture.
export async function text(path, query) {
  const [response, said] = await answered(address(path, query));
  if (!response.ok) throw new Problem(JSON.parse(said), response.status);
  return said;
}

export const post = (path, body, signal) =>
  ask(address(path), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });

// A text as it is, of the media type it has.
export const raw = (path, body, media) =>
  ask(address(path), { method: "POST", headers: { "content-type": media }, body });

export const remove = (path) => ask(address(path), { method: "DELETE" }).catch(() => {});

// Events of an analysis until it is over; returns a function that stops it.
export function listen(id, onReport, onEnd) {
  const events = new Events(address(`/analyses/${id}/events`));
  const end = (problem) => {
    events.close();
    onEnd(problem);
  };
  events.addEventListener("report", (event) => onReport(JSON.parse(event.data)));
  events.addEventListener("done", () => end());
  events.addEventListener("failed", (event) => end(new Problem(JSON.parse(event.data), 500)));
  events.onerror = () => end(new Problem({ detail: "The analysis was cut off." }, 0));
  return () => {
    events.close();
    remove(`/analyses/${id}`);
  };
}
