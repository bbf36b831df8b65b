// A board in somebody's own page: examples/web-embed, with the npm package beside it.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { CHROMIUM, GAMES, PACKAGE, ROOT, shoot, startBrowser } from "./support.js";
import { serveFiles } from "./static.js";

const missing = !CHROMIUM ? "chromium is not installed" : !existsSync(PACKAGE) ? "cargo xtask npm was not run" : null;

describe("a board in a page", { skip: missing ? `skipped: the board in a page: ${missing}` : false }, () => {
  const folder = mkdtempSync(join(tmpdir(), "tabia-embed-"));
  let files, browser, page;
  before(async () => {
    cpSync(join(ROOT, "examples/web-embed"), folder, { recursive: true });
    cpSync(PACKAGE, join(folder, "tabia"), { recursive: true });
    files = await serveFiles(folder);
    browser = await startBrowser();
    page = await browser.browser.newPage();
    page.complaints = [];
    page.on("pageerror", (error) => page.complaints.push(String(error)));
    await page.goto(files.url + "/index.html");
    await page.waitForSelector("tabia-board svg");
  });
  after(async () => {
    await browser?.stop();
    await files?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const board = () => page.locator("tabia-board");

  test("every game is shown, and a move can be made by touching its cells", async () => {
    for (const game of GAMES) {
      await page.selectOption("select", game);
      await page.waitForFunction((game) => document.querySelector("tabia-board").current.game.id === game, game);
      const { steps, text } = await board().evaluate((board) => {
        const { steps, text } = board.current.moves()[0];
        return { steps, text };
      });
      for (const step of steps) await board().locator(`[data-cell="${step}"]`).click();
      const choice = board().locator(".choice button", { hasText: text });
      if (await choice.count()) await choice.first().click();
      await page.waitForFunction((text) => document.querySelector("output").textContent.startsWith(text), text);
      await shoot(page, `embed-${game}`);
    }
    assert.deepEqual(page.complaints, []);
  });

  test("it shows the position of its attribute, and what is wrong with one", async () => {
    const set = (name, value) =>
      board().evaluate((board, [name, value]) => board.setAttribute(name, value), [name, value]);
    await page.selectOption("select", "chess");
    await set("position", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    assert.equal(await board().evaluate((board) => board.current.moves().length > 0), true);
    await board().evaluate((board) => board.play("Ra8#"));
    assert.match(await page.locator("output").textContent(), /^Ra8#: win0/);
    await set("position", "nothing");
    assert.match(await board().locator(".wrong").textContent(), /at byte 1: expected/);
    assert.deepEqual(page.complaints, []);
  });
});
