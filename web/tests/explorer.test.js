// The explorer: games behind the numbers, and ways to get more of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { accessible, describeSite, line, shoot, test } from "./support.js";

const game = (white, black, year, result, moves) =>
  `[Event "Match"]\n[Date "${year}.01.01"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${moves} ${result}\n`;

const GAMES = [
  game("Ada", "Grace", 1901, "1-0", "1. e4 e5 2. Nf3"),
  game("Grace", "Ada", 1950, "0-1", "1. d4 d5 2. c4"),
  game("Alan", "Grace", 1999, "1/2-1/2", "1. e4 c5 2. Nf3"),
].join("\n");

describeSite("the explorer", (open) => {
  const counted = (page, count) =>
    page.waitForFunction((count) => document.querySelector(".summary strong")?.textContent === String(count), count);

  test("a file fills the book, its games are listed, and can be chosen by", async () => {
    const page = await open("/chess");
    await page.waitForSelector(".growing");
    const buffer = Buffer.from(GAMES);
    await page
      .locator(".growing input[type=file]")
      .setInputFiles({ name: "three.pgn", mimeType: "text/plain", buffer });
    await counted(page, 3);
    assert.match(await page.locator(".samples").textContent(), /Ada – Grace/);
    await page.locator(".samples button", { hasText: "Ada – Grace" }).click();
    await page.waitForSelector("#about .players");
    assert.match(await page.locator("#about").textContent(), /Ada – Grace.*1-0.*Match/s);
    await page.locator("#line").getByText("Nf3").first().waitFor();
    assert.deepEqual(await line(page), ["e4", "e5", "Nf3"]);
    await counted(page, 3);
    await page.locator(".filters summary").click();
    await page.getByRole("textbox", { name: "Player" }).fill("Alan");
    await page.getByRole("textbox", { name: "Player" }).press("Enter");
    await counted(page, 1);
    await page.getByRole("textbox", { name: "Player" }).fill("");
    await page.getByRole("textbox", { name: "Player" }).press("Enter");
    await counted(page, 3);
    await page.getByLabel("To", { exact: true }).fill("1950");
    await page.getByLabel("To", { exact: true }).press("Enter");
    await counted(page, 2);
    await page.getByLabel("Won by").selectOption("1-0");
    await counted(page, 1);
    await accessible(page, "filtered");
    await shoot(page, "explorer-filtered");
    page.calm();
    await page.context().close();
  });

  test("self-play fills it, too, and the numbers can be saved", async () => {
    const page = await open("/chess?play=a3");
    await page.waitForSelector(".growing");
    await page.getByRole("button", { name: "Play 100 games" }).click();
    await page.waitForSelector("table.moves .bar", { timeout: 60_000 });
    await page.locator(".book-tools > summary").click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as a table (CSV)" }).click(),
    ]);
    assert.match(readFileSync(await download.path(), "utf8"), /^move,games,.*\n"\w+",\d+/);
    page.calm();
    await page.context().close();
  });

  test("self-play is marked, can be opened, and left out", async () => {
    const page = await open("/chess?play=a3");
    const here = page.url();
    await counted(page, 100);
    assert.match(await page.locator(".samples li").first().textContent(), /self-play/);
    await page.locator(".samples button").first().click();
    await page.waitForSelector("#about .players");
    await page.goto(here);
    await counted(page, 100);
    await page.locator(".filters summary").click();
    await page.getByLabel("without self-play").check();
    await page.waitForSelector(".nothing");
    page.calm();
    await page.context().close();
  });

  test("what is kept of games is chosen", async () => {
    const page = await open("/draughts");
    await page.locator(".growing .keeping summary").click();
    await page.getByLabel("Players").uncheck();
    await page.getByRole("checkbox", { name: "Moves" }).uncheck();
    const pdn = '[Event "Match"]\n[White "Ada"]\n[Black "Grace"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n';
    await page
      .locator(".growing input[type=file]")
      .setInputFiles({ name: "one.pdn", mimeType: "text/plain", buffer: Buffer.from(pdn) });
    await counted(page, 1);
    const listed = page.locator(".samples");
    assert.match(await listed.textContent(), /unnamed.*Match/);
    assert.equal(await listed.locator("button").count(), 0, "without moves there is nothing to open");
    page.calm();
    await page.context().close();
  });

  test("moves of equal value stand together", async () => {
    const page = await open("/five-visible");
    await page.waitForSelector(".group", { timeout: 30_000 });
    assert.match(await page.locator(".group h3").first().textContent(), /all \d+ moves/);
    page.calm();
    await page.context().close();
  });
});
