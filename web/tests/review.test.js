// Whole games: looked at from end to end, learned from, and taken elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { accessible, cell, describeSite, paste, shoot } from "./support.js";

// The fool's mate: the shortest game there is, with a blunder.
const FOOL = "1. f3 e5 2. g4 Qh4# 0-1";

describeSite("whole games", (open) => {
  const reviewed = async (text = FOOL, options = {}) => {
    const page = await open("/chess", options);
    await paste(page, text);
    await page.getByRole("button", { name: "Analyse the game" }).click();
    await page.waitForSelector(".verdicts tbody tr", { timeout: 60_000 });
    await page.getByRole("button", { name: "Learn from your mistakes" }).waitFor({ timeout: 60_000 });
    return page;
  };

  test("a game is looked at, its mistakes are marked, and each player has an accuracy", async () => {
    const page = await reviewed();
    assert.equal(await page.locator(".verdicts tbody tr").count(), 2);
    const white = await page.locator(".verdicts tbody tr").first().textContent();
    assert.match(white, /White\d+\.\d %/);
    assert.ok((await page.locator(".course .dot").count()) >= 1);
    assert.match(await page.locator("#line").textContent(), /g4\?\?/);
    await page.locator("summary", { hasText: "How this is computed" }).click();
    assert.ok((await page.locator(".verdicts details p").textContent()).length > 60);
    await page.getByRole("button", { name: "Next mistake" }).click();
    await page.waitForFunction(() => /was better/.test(document.querySelector(".course figcaption").textContent));
    page.calm();
    await page.context().close();
  });

  test("learning: the mistake is refused, a good move is praised", async () => {
    const page = await reviewed();
    await page.getByRole("button", { name: "Learn from your mistakes" }).click();
    await page.waitForSelector(".lesson");
    for (let task; (task = await page.locator(".lesson p").first().textContent()), !/g4/.test(task);)
      await page.getByRole("button", { name: "Skip" }).click();
    await cell(page, "g2").click();
    await cell(page, "g4").click();
    await page.waitForFunction(() => /Try again/.test(document.querySelector(".lesson .word").textContent));
    await page.getByRole("button", { name: "Show it" }).click();
    await page.waitForFunction(() => /was best/.test(document.querySelector(".lesson .word").textContent));
    await page.getByRole("button", { name: "End", exact: true }).click();
    await page.waitForSelector(".verdicts");
    page.calm();
    await page.context().close();
  });

  test("the game is saved with its marks, and as pictures", async () => {
    const page = await reviewed();
    const save = async (name) => {
      await page.locator(".menu summary").click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name, exact: true }).click(),
      ]);
      return readFileSync(await download.path());
    };
    const pgn = String(await save("PGN"));
    assert.match(pgn, /\[%eval/);
    assert.match(pgn, /g4\s*(\$4|\?\?)/);
    assert.match(pgn, /0-1\s*$/);
    assert.match(String(await save("The game, animated (SVG)")), /<animate/);
    assert.match(String(await save("Picture (SVG)")), /^<svg/);
    assert.equal((await save("Picture (PNG)")).subarray(1, 4).toString(), "PNG");
    page.calm();
    await page.context().close();
  });

  test("screenshots of a whole game", async () => {
    for (const width of [360, 1400])
      for (const colorScheme of ["light", "dark"]) {
        const page = await reviewed(FOOL, { viewport: { width, height: 900 }, colorScheme });
        await accessible(page, `${width} ${colorScheme}`);
        await shoot(page, `review-${width}-${colorScheme}`);
        page.calm();
        await page.context().close();
      }
  });
});
