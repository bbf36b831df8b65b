// The pictures of the page in docs/images: TABIA_BIN=... node pictures.js

import { writeFileSync } from "node:fs";
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

// Adolf Anderssen against Lionel Kieseritzky, London 1851, and against Jean Dufresne, Berlin 1852.
const IMMORTAL = `[Event "London"]
[Date "1851.06.21"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6
11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+
20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
`;
const EVERGREEN = `[Event "Berlin"]
[Date "1852.??.??"]
[White "Anderssen"]
[Black "Dufresne"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Ba5 6. d4 exd4 7. O-O d3 8. Qb3 Qf6 9. e5 Qg6 10. Re1 Nge7
11. Ba3 b5 12. Qxb5 Rb8 13. Qa4 Bb6 14. Nbd2 Bb7 15. Ne4 Qf5 16. Bxd3 Qh5 17. Nf6+ gxf6 18. exf6 Rg8 19. Rad1 Qxf3
20. Rxe7+ Nxe7 21. Qxd7+ Kxd7 22. Bf5+ Ke8 23. Bd7+ Kf8 24. Bxe7# 1-0
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

// Three games that people played.
async function fill(page) {
  const buffer = Buffer.from([OPERA, IMMORTAL, EVERGREEN].join("\n"));
  await page.locator(".growing input[type=file]").setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer });
  await page.waitForSelector(".samples");
}

await picture("front-light", "/", boards);
await picture("explorer-light", "/chess?play=e4,e5", fill);
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
