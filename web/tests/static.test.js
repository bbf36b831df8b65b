// The page without a server: from files, under a path, and then without a network.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { CHROMIUM, SITE, cell, position, startBrowser, turn } from "./support.js";
import { serveFiles } from "./static.js";

const missing = !CHROMIUM ? "chromium is not installed" : !existsSync(SITE) ? "cargo xtask site was not run" : null;
const PGN = '[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';

describe("the static site", { skip: missing ? `skipped: the static site: ${missing}` : false, concurrency: false }, () => {
  let files, browser, context;
  let held = null;
  before(async () => {
    files = await serveFiles(SITE, (path) => path.endsWith(".wasm") && held);
    browser = await startBrowser();
    context = await browser.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  });
  after(async () => {
    await browser?.stop();
    await files?.stop();
  });
  const open = async (address) => {
    const page = await context.newPage();
    page.complaints = [];
    page.on("pageerror", (error) => page.complaints.push(String(error)));
    await page.goto(files.url + address);
    await page.waitForSelector("#board svg");
    return page;
  };

  test("the first board is there before the program", async () => {
    let release;
    held = new Promise((done) => (release = done));
    const page = await open("/?game=five-visible");
    assert.ok((await page.locator("[data-cell]").count()) >= 9);
    assert.equal(await page.locator(".in-browser span").textContent(), "In your browser");
    release();
    // The exact value comes from the whole game, solved here and kept.
    const isKept = () =>
      import("./local/files.js").then(({ kept }) => kept("/cache/")).then((files) => files.some(([name]) => name.endsWith(".tbl")));
    for (let tries = 0; !(await page.evaluate(isKept)); tries++) {
      assert.ok(tries < 120, "the table is kept within a minute");
      await page.waitForTimeout(500);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  });

  test("games are counted, and kept", async () => {
    const page = await open("/?game=chess");
    const counted = await page.evaluate(async (text) => {
      const { get, raw } = await import("./js/api.js");
      const { id } = await raw("/games/chess/records", text, "text/plain");
      return (await get(`/jobs/${id}`)).games;
    }, PGN);
    assert.equal(counted, 1);
    await page.close();
    const again = await open("/?game=chess");
    const total = await again.evaluate(() =>
      import("./js/api.js").then(({ get }) => get("/games/chess/stats")).then(({ total }) => total),
    );
    assert.equal(total, 1);
    await again.close();
  });

  test("without a network it opens, plays and thinks", async () => {
    const first = await open("/?game=chess");
    await first.evaluate(() => navigator.serviceWorker.ready);
    await first.waitForFunction(() => navigator.serviceWorker.controller);
    await first.close();
    await files.stop();
    await context.setOffline(true);
    const page = await open("/?game=draughts");
    const before = await turn(page);
    for (const square of ["11", "15"]) await cell(page, square).click();
    await page.waitForFunction((text) => document.getElementById("turn").textContent !== text, before);
    assert.match(await position(page), /^W:/);
    const depths = await page.evaluate(async () => {
      const { listen, post } = await import("./js/api.js");
      const { id } = await post("/analyses", { game: "draughts", limits: { depth: 8 } });
      const heard = [];
      await new Promise((done) => listen(id, (report) => heard.push(report.depth), done));
      return heard;
    });
    assert.ok(depths.at(-1) >= 8, String(depths));
    // A picture that the browser itself asks for is drawn by the page.
    const picture = await page.evaluate(() => fetch("api/v1/games/arx/board.svg").then((answer) => answer.text()));
    assert.match(picture, /^<svg/);
    const ended = await page.evaluate(async () => {
      const { listen, post } = await import("./js/api.js");
      const { id } = await post("/analyses", { game: "arx" });
      const stop = await new Promise((done) => {
        const stop = listen(id, () => done(stop), () => {});
      });
      stop();
      // Both places are free again.
      const more = await Promise.all([1, 2].map(() => post("/analyses", { game: "arx", limits: { depth: 2 } })));
      return more.length;
    });
    assert.equal(ended, 2);
    assert.deepEqual(page.complaints, []);
  });
});
