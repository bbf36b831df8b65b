// The trainer: puzzles to be solved on the board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, describeSite } from "./support.js";

describeSite("puzzles", (open) => {
  const close = async (page) => {
    page.calm();
    await page.context().close();
  };
  // The puzzle on the board, as the API tells it.
  const current = (page, game) =>
    page.evaluate(async (game) => {
      const id = new URLSearchParams(location.search || location.hash.slice(1)).get("puzzle");
      const { get } = await import(new URL("js/api.js", document.baseURI));
      return get(`/games/${game}/puzzles/${id}`);
    }, game);
  const said = (page, text) =>
    page.waitForFunction((text) => document.getElementById("puzzle-said")?.textContent.includes(text), text);
  const type = async (page, move) => {
    await page.fill("#typed-move", move);
    await page.press("#typed-move", "Enter");
  };
  const record = (page) => page.locator("#puzzle-record").textContent();

  for (const game of ["chess", "solitaire", "five-visible"])
    test(`a puzzle of ${game} is solved with its move, and remembered`, async () => {
      const page = await open(`/${game}`);
      await page.click("#tab-puzzles");
      await page.click("#puzzle-next");
      await page.waitForSelector("#puzzle-task");
      const puzzle = await current(page, game);
      await page.waitForFunction((text) => document.getElementById("paste-text").value === text, puzzle.position);
      await accessible(page, `puzzle of ${game}`);
      await type(page, puzzle.move);
      await said(page, "Right!");
      assert.match(await record(page), /1 in a row/);
      const kept = await page.evaluate((game) => JSON.parse(localStorage.getItem(`puzzles ${game}`)), game);
      assert.deepEqual([kept.streak, kept.solved], [1, [puzzle.id]]);
      assert.ok(kept.rating > 1200);
      await close(page);
    });

  test("a wrong move is taken back, ends the streak, and the solution is shown on demand", async () => {
    const page = await open("/chess");
    await page.click("#tab-puzzles");
    await page.click("#puzzle-daily");
    await page.waitForSelector("#puzzle-task");
    const puzzle = await current(page, "chess");
    const legal = await page.evaluate(async (pos) => {
      const { get } = await import(new URL("js/api.js", document.baseURI));
      return (await get("/games/chess/position", { pos })).moves.map(({ move }) => move);
    }, puzzle.position);
    await type(
      page,
      legal.find((move) => move !== puzzle.move),
    );
    await said(page, "is not it");
    await page.waitForFunction((text) => document.getElementById("paste-text").value === text, puzzle.position);
    assert.match(await record(page), /0 in a row/);
    await page.click("#puzzle-solution");
    await said(page, puzzle.move);
    // The words come before the move is on the board.
    await page.waitForFunction((text) => document.getElementById("paste-text").value !== text, puzzle.position);
    await close(page);
  });

  test("a link leads to its puzzle, in German too, and the board tells nothing before it is solved", async () => {
    const first = await open("/five-visible");
    await first.click("#tab-puzzles");
    await first.click("#puzzle-next");
    await first.waitForSelector("#puzzle-link");
    const { id, position: text } = await current(first, "five-visible");
    await close(first);
    const page = await open(`/five-visible?puzzle=${id}`, { locale: "de-DE" });
    await page.waitForSelector("#puzzle-task");
    await page.waitForFunction((text) => document.getElementById("paste-text").value === text, text);
    assert.match(await page.locator("#puzzle-record").textContent(), /Deine Wertung 1200/);
    assert.equal(await page.locator("#tab-puzzles").textContent(), "Rätsel");
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#board .worth").count(), 0);
    await close(page);
  });

  test("a puzzle that is not there is told, and the page goes on", async () => {
    const page = await open("/chess?puzzle=nothing");
    await page.waitForFunction(() => document.getElementById("notice").textContent.includes("no puzzle"));
    assert.equal(await page.locator("#turn").textContent(), "White to move");
    await close(page);
  });
});
