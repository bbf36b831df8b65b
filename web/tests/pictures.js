// The pictures of the page in docs/images: TABIA_BIN=... node pictures.js GAMES.pdn
// GAMES.pdn are draughts games that fill the book of the explorer's picture.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { animated } from "./apng.js";
import { paste, startBrowser, startServer } from "./support.js";

const IMAGES = resolve(dirname(fileURLToPath(import.meta.url)), "../../docs/images");
const WIDE = { width: 1280, height: 820 };
// Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const OPERA = `[Event "Opera"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke Karl"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;

const server = await startServer();
const browser = await startBrowser();

async function open(path, { colorScheme = "light", viewport = WIDE } = {}) {
  const context = await browser.browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(server.url + path);
  await page.waitForSelector(path === "/" ? ".invitation .board svg" : "#board svg");
  return page;
}

async function picture(name, path, act, options) {
  const page = await open(path, options);
  await act(page);
  await page.screenshot({ path: join(IMAGES, `page-${name}.png`) });
  await page.context().close();
}

const boards = (page) => page.waitForFunction(() => document.querySelectorAll(".invitation .board svg").length >= 5);

async function review(page) {
  await page.getByRole("button", { name: "Analyse the game" }).click();
  await page.getByRole("button", { name: "Learn from your mistakes" }).waitFor({ timeout: 120_000 });
}

const fill = async (page) => {
  const games = process.argv[2];
  if (games) {
    const text = readFileSync(games, "utf8");
    await page.evaluate(async (text) => {
      const { get, raw } = await import("/js/api.js");
      let job = await raw("/games/draughts/records", text, "text/plain");
      while (job.status === "running") {
        await new Promise((done) => setTimeout(done, 200));
        job = await get(`/jobs/${job.id}`);
      }
    }, text);
    await page.reload();
  }
  await page.waitForSelector(games ? ".samples" : ".nothing", { timeout: 60_000 });
};

await picture("front-light", "/", boards);
await picture("explorer-light", "/draughts?play=11-15", fill);
await picture("editor-light", "/arx", async (page) => {
  await page.click("#edit");
  await page.waitForSelector("#editor-analyse");
});
await picture(
  "solitaire-dark",
  "/solitaire?tab=solver",
  async (page) => {
    await page.waitForSelector(".playback", { timeout: 60_000 });
    await page.locator(".playback input").fill("9");
    await page.waitForFunction(() => document.querySelectorAll(".pieces .slot").length === 23);
  },
  { colorScheme: "dark" },
);
await picture("review-light", "/chess", async (page) => {
  await paste(page, OPERA);
  await page.waitForSelector("#about .players");
  await review(page);
  await page.getByRole("button", { name: "Next mistake" }).click();
  await page.waitForFunction(() => /was better/.test(document.querySelector(".course figcaption").textContent));
});

// A game is pasted on the front page, opened, and looked at.
const page = await open("/", { viewport: { width: 960, height: 660 } });
const frames = [];
const shoot = async (milliseconds) => frames.push({ png: await page.screenshot(), milliseconds });
await boards(page);
await shoot(1200);
await page.fill("#paste-text", OPERA);
await shoot(1000);
await page.click("#paste button[type=submit]");
await page.waitForSelector("#recognised p");
await page.waitForSelector("#about .players");
await shoot(1600);
await page.click("#found-close");
await review(page);
await shoot(1600);
for (let i = 0; i < 2; i++) {
  await page.getByRole("button", { name: "Next mistake" }).click();
  await page.waitForFunction(() => /was better/.test(document.querySelector(".course figcaption").textContent));
  await shoot(1600);
}
writeFileSync(join(IMAGES, "paste-a-game.png"), animated(frames));

await browser.stop();
await server.stop();
