// A page of another origin: it can make the browser send games, and none of them is counted.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { describeSite } from "./support.js";

const PGN = '[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';

async function foreignPage(run) {
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end("<!doctype html><title>Elsewhere</title>"),
  );
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await run(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
  }
}

// Sends a game the way any page can, without asking first; resolves when the answer is there.
const send = (page, url) =>
  page.evaluate(
    ([url, body]) =>
      fetch(url, { method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body }).then(
        (answer) => answer.type,
      ),
    [url, PGN],
  );

describeSite("other origins", (open, site) => {
  const total = async () => (await (await fetch(`${site.server.url}/api/v1/games/chess/stats`)).json()).total;

  test("a page of another origin changes nothing", async () => {
    await foreignPage(async (url) => {
      const context = await site.browser.browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      assert.equal(await send(page, `${site.server.url}/api/v1/games/chess/records`), "opaque");
      await new Promise((done) => setTimeout(done, 500));
      assert.equal(await total(), 0);
      await context.close();
    });
  });

  test("a page of this server may write", async () => {
    const page = await open("/chess");
    await send(page, "/api/v1/games/chess/records");
    await page.waitForFunction(async () => (await (await fetch("/api/v1/games/chess/stats")).json()).total === 1);
    page.calm();
    await page.context().close();
  });

  test("an address without anything is a page that leads back", async () => {
    const context = await site.browser.browser.newContext();
    const page = await context.newPage();
    assert.equal((await page.goto(`${site.server.url}/foo`)).status(), 404);
    await page.click("a");
    await page.waitForSelector(".invitation .board svg");
    await context.close();
  });
});
