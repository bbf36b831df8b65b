// The page without a server: from files, under a path, and then without a network.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { CHROMIUM, SITE, cell, position, shoot, startBrowser, turn } from "./support.js";
import { serveFiles } from "./static.js";

const missing = !CHROMIUM ? "chromium is not installed" : !existsSync(SITE) ? "cargo xtask site was not run" : null;
const PGN = '[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';
const WAIT = { timeout: 120_000 };

// Asks inside the page, as the page does.
const ask = (page, path, query) =>
  page.evaluate(async ([path, query]) => (await import("./js/api.js")).get(path, query), [path, query]);
// The files that are kept, by the ends of their names.
const kept = (page, folder) =>
  page.evaluate(
    async (folder) => (await (await import("./local/files.js")).kept(folder)).map(([name]) => name),
    folder,
  );
const until = async (page, what, holds) => {
  for (let tries = 0; !(await holds()); tries++) {
    assert.ok(tries < 240, `${what} within two minutes`);
    await page.waitForTimeout(500);
  }
};

describe(
  "the static site",
  { skip: missing ? `skipped: the static site: ${missing}` : false, concurrency: false },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "tabia-site-"));
    let files, browser, context;
    let held = null;
    before(async () => {
      cpSync(SITE, folder, { recursive: true });
      files = await serveFiles(folder, (path) => path.endsWith(".wasm") && held);
      browser = await startBrowser();
      context = await browser.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
    });
    after(async () => {
      await browser?.stop();
      await files?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const open = async (address) => {
      const page = await context.newPage();
      page.complaints = [];
      page.on("pageerror", (error) => page.complaints.push(String(error)));
      await page.goto(files.url + address);
      await page.waitForSelector("#board svg");
      return page;
    };
    const close = async (page) => {
      assert.deepEqual(page.complaints, []);
      await page.close();
    };

    test("the first board is there before the program, and says what is not there", async () => {
      let release;
      held = new Promise((done) => (release = done));
      const page = await open("/?game=five-visible");
      assert.ok((await page.locator("[data-cell]").count()) >= 9);
      await page.locator(".in-browser summary").click();
      assert.match(await page.locator(".in-browser").innerText(), /In your browser[^]*Not here: books on PostgreSQL/);
      await shoot(page, "static-first");
      release();
      held = null;
      await close(page);
    });

    test("5-Visible is solved here with a bar, while the page goes on answering, and kept", async () => {
      const page = await open("/?game=five-visible");
      await page.evaluate(() => {
        globalThis.bars = 0;
        const bar = document.getElementById("far");
        new MutationObserver(() => (globalThis.bars += bar.hidden ? 0 : 1)).observe(bar, { attributes: true });
      });
      const value = ask(page, "/games/five-visible/solve");
      const other = await ask(page, "/games/five-visible/position", { play: "0-4" }).catch((problem) => problem);
      assert.ok(other, "a short question does not wait for the solver");
      assert.equal((await value).positions, 310227);
      await until(page, "the table is kept", async () =>
        (await kept(page, "/cache/")).some((name) => /\.tbl$/.test(name)),
      );
      assert.ok(await page.evaluate(() => globalThis.bars), "how far it is was shown");
      await page.waitForFunction(() => document.getElementById("far").hidden);
      await close(page);
    });

    test("draughts endings are built here, and kept; solitaire has hints and counts", async () => {
      const page = await open("/?game=draughts");
      const before = (await kept(page, "/cache/")).length;
      const ending = await ask(page, "/games/draughts/solve", { pos: "B:WK1,22:BK32,K31" });
      assert.equal(ending.method, "table");
      await until(page, "the endings are kept", async () => (await kept(page, "/cache/")).length > before);
      const puzzle = await ask(page, "/games/solitaire/solve", { hints: true });
      assert.equal(puzzle.value, "solvable");
      assert.ok(puzzle.moves.length >= 4);
      await close(page);
    });

    test("games that are dropped or played by the engine are counted, kept, and can be saved", async () => {
      const page = await open("/?game=chess");
      const drop = await page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "one.pgn", { type: "text/plain" }));
        return data;
      }, PGN);
      for (const type of ["dragover", "drop"]) await page.dispatchEvent("body", type, { dataTransfer: drop });
      const total = async (page) => Number((await ask(page, "/games/chess/stats")).total);
      await page.getByRole("button", { name: "Put into the book" }).click();
      await page.waitForFunction(() => /in the book\./.test(document.querySelector(".into").textContent), null, WAIT);
      const counted = await total(page);
      await page.evaluate(async () =>
        (await import("./js/api.js")).post("/games/chess/selfplay", { games: 3, seed: 1 }),
      );
      await until(page, "its games are counted", async () => (await total(page)) === counted + 3);
      await page.locator(".in-browser summary").click();
      const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-book")]);
      assert.ok(readFileSync(await saved.path()).length > 20);
      await close(page);
      const again = await open("/?game=chess");
      assert.equal(await total(again), counted + 3);
      await close(again);
    });

    test("the engine has a worker of its own, which ends with it and with its tab", async () => {
      const page = await open("/?game=arx");
      await ask(page, "/games/arx/position");
      const idle = page.workers().length;
      await page.click("#engine-run");
      await page.waitForFunction(() => document.querySelectorAll("#strip .pv .move").length > 0, null, WAIT);
      const busy = page.workers().length;
      assert.ok(busy > idle, `${busy} workers, ${idle} before`);
      await page.click("#engine-run");
      await until(page, "it ends", async () => page.workers().length < busy);
      await page.click("#engine-run");
      await until(page, "it begins again", async () => page.workers().length >= busy);
      const ended = Promise.all(page.workers().map((worker) => new Promise((done) => worker.once("close", done))));
      await close(page);
      await ended;
    });

    test("a new version replaces the old one as a whole, when the reader asks for it", async () => {
      const page = await open("/?game=chess");
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      assert.ok(await page.locator("#renew").isHidden());
      const change = (file, from, to) => {
        const text = readFileSync(join(folder, file), "utf8");
        assert.ok(from.test(text), `${file} has ${from}`);
        writeFileSync(join(folder, file), text.replace(from, to));
      };
      change("index.html", /<title>[^<]*/, "<title>The new one");
      change("sw.js", /VERSION = "\w+"/, 'VERSION = "new"');
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
      await page.waitForSelector("#renew:not([hidden])");
      // Until then a page that is loaded anew is still the old one.
      await page.reload();
      await page.waitForSelector("#renew:not([hidden])");
      assert.notEqual(await page.evaluate(() => document.querySelector("title").textContent), "The new one");
      await Promise.all([page.waitForEvent("load"), page.click("#renew")]);
      const source = await page.evaluate(() => fetch("./").then((answer) => answer.text()));
      assert.match(source, /<title>The new one/);
      await until(page, "the old files go", async () =>
        page.evaluate(async () => String(await caches.keys()) === "tabia-new"),
      );
      await page.waitForSelector("#board svg");
      await close(page);
    });

    test("without a network it opens, plays and thinks", async (t) => {
      const first = await open("/?game=chess");
      await first.evaluate(() => navigator.serviceWorker.ready);
      await first.waitForFunction(() => navigator.serviceWorker.controller);
      await first.close();
      await files.stop();
      await context.setOffline(true);
      const began = performance.now();
      const page = await open("/?game=draughts");
      t.diagnostic(`the first board after ${Math.round(performance.now() - began)} ms`);
      await ask(page, "/games/draughts/position", { play: "11-15" });
      t.diagnostic(`the first answer of the program after ${Math.round(performance.now() - began)} ms`);
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
          const stop = listen(
            id,
            () => done(stop),
            () => {},
          );
        });
        stop();
        // Both places are free again.
        const more = await Promise.all([1, 2].map(() => post("/analyses", { game: "arx", limits: { depth: 2 } })));
        return more.length;
      });
      assert.equal(ended, 2);
      await close(page);
    });
  },
);
