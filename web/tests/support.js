// A server of its own, a browser of its own, and pages that must not complain.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test as anyTest } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { placed, serveFiles } from "./static.js";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
export const SCREENSHOTS = join(TARGET, "screenshots");
export const BIN =
  process.env.TABIA_BIN ?? [join(TARGET, "release/tabia"), join(TARGET, "debug/tabia")].find(existsSync);
// The program of examples/connect-four, which is Tabia with one more game.
export const CONNECT_FOUR = [process.env.CONNECT_FOUR_BIN, join(TARGET, "debug/connect-four")].find(
  (path) => path && existsSync(path),
);
export const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

// Why the tests cannot run here, or nothing.
const missing = !CHROMIUM ? "chromium is not installed" : !BIN ? "tabia is not built: set TABIA_BIN" : null;

export const GAMES = ["five-visible", "arx", "solitaire", "draughts", "chess"];

// What `cargo xtask site` builds; with TABIA_BACKEND=worker the tests of the page run against it.
export const SITE = process.env.TABIA_SITE ?? join(TARGET, "site");
// What `cargo xtask npm` builds.
export const PACKAGE = process.env.TABIA_NPM ?? join(TARGET, "npm");
export const IS_STATIC = process.env.TABIA_BACKEND === "worker";

// What cannot hold where no server answers, and why.
const WITHOUT_SERVER = JSON.parse(readFileSync(new URL("without-server.json", import.meta.url), "utf8"));
export const test = (name, run) => anyTest(name, { skip: IS_STATIC && WITHOUT_SERVER.tests[name] }, run);

export async function startServer(bin = BIN) {
  if (IS_STATIC) return serveFiles(SITE);
  const folder = mkdtempSync(join(tmpdir(), "tabia-web-"));
  const child = spawn(bin, ["serve", "--listen", "127.0.0.1:0", "--book", join(folder, "book.redb"), "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((done, fail) => {
    child.once("exit", (code) => fail(new Error(`the server ended with ${code}`)));
    child.stdout.once("data", (line) => done(String(line).trim().replace(/\/$/, "")));
  });
  const stop = () =>
    new Promise((done) => {
      child.once("exit", (code, signal) => {
        rmSync(folder, { recursive: true, force: true });
        done(signal ?? code);
      });
      child.kill("SIGTERM");
    });
  return { url, stop };
}

export async function startBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "tabia-chromium-"));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--crash-dumps-dir=${folder}`,
    ],
  });
  return {
    browser,
    stop: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Tests with a server and a browser of their own: `open` opens a page of it, `site` has both while tests run, and says
// where a page is.
// `bin` is the program that serves.
export function describeSite(name, tests, bin = BIN) {
  describe(name, { skip: missing ? `skipped: browser tests: ${missing}` : false, concurrency: false }, () => {
    const site = {};
    before(async () => {
      site.server = await startServer(bin);
      site.browser = await startBrowser();
    });
    after(async () => {
      await site.browser?.stop();
      assert.equal(await site.server?.stop(), 0, "the server ends in good order");
    });
    site.address = (path) => site.server.url + (IS_STATIC ? placed(path) : path);
    tests((path, options) => openPage(site.browser.browser, site.address(path), options), site);
  });
}

// A page that collects everything it should not do: complain, or ask anybody else.
// `ready` is what shows that it is there.
async function openPage(browser, url, { ready = "#board svg", ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    locale: "en-GB",
    ...options,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !/status of 4\d\d|status of 503/.test(message.text()) &&
      complaints.push(message.text()),
  );
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on(
    "request",
    (request) =>
      new URL(request.url()).origin === new URL(url).origin ||
      request.url().startsWith("data:") ||
      complaints.push(`asked ${request.url()}`),
  );
  if (IS_STATIC) await page.addInitScript(askWorkers);
  page.calm = () => assert.deepEqual(complaints, []);
  await page.goto(url);
  await page.waitForSelector(ready);
  if (IS_STATIC) await cutOff(page);
  return page;
}

// Tests ask by themselves, too: on the static site what they ask a server goes to the workers of the page, with the game
// from its place there.
function askWorkers() {
  const elsewhere = globalThis.fetch;
  globalThis.fetch = async (url, options) => {
    if (!String(url).startsWith("/api/")) return elsewhere(url, options);
    const { pathname, search } = location;
    const asked = new URL(url.replace(pathname.slice(1), new URLSearchParams(search).get("game")), location);
    asked.searchParams.delete("game");
    const { answer } = await import(new URL("local/backend.js", document.baseURI));
    return answer(asked, options);
  };
}

// From the first visit on the static site needs no network.
async function cutOff(page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
}

// Until the address names a game, wherever it does that.
export const opened = (page, game) =>
  page.waitForFunction(async (game) => {
    const { gameAt } = await import(new URL("js/place.js", document.baseURI));
    return gameAt(location) === game;
  }, game);
export const cell = (page, id) => page.locator(`[data-cell="${id}"]`);
export const turn = (page) => page.locator("#turn").textContent();
export const position = (page) => page.locator("#paste-text").inputValue();
export const line = (page) => page.locator("#line .move").allTextContents();

// Touches the cells of a move, and waits until the position has changed.
export async function play(page, steps) {
  const before = await position(page);
  for (const step of steps) await cell(page, step).click();
  await page.waitForFunction((text) => document.getElementById("paste-text").value !== text, before);
}

export async function paste(page, text) {
  await page.fill("#paste-text", text);
  await page.click("#paste button[type=submit]");
}

// Until everything that an act has set off in the page has been drawn.
export const settled = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Nothing on the page is in anybody's way, at any level.
export async function accessible(page, where) {
  // The page allows no foreign script, so the checker is evaluated, not loaded.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  const told = ({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`;
  assert.deepEqual(violations.map(told), []);
}

export async function shoot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
