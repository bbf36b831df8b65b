// The board editor, for every game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, accessible, describeSite, position, shoot } from "./support.js";

const inside = (page, id) => page.locator(`#editor [data-cell="${id}"]`);
const text = (page) => page.locator("#editor .text").textContent();

describeSite("the board editor", (open) => {
  const editor = async (path, options) => {
    const page = await open(path, options);
    await page.click("#edit");
    await page.waitForSelector("#editor[open] .text");
    return page;
  };

  for (const game of GAMES)
    test(`${game}: opens with the position, clears, starts again, and goes on from there`, async () => {
      const page = await editor(`/${game}`);
      const start = await position(page);
      await page.waitForFunction((text) => document.querySelector("#editor .text").textContent === text, start);
      await page.waitForSelector("#editor-analyse");
      const pieces = await page.locator("#editor .pieces image").count();
      assert.ok(pieces > 0);
      await page.getByRole("button", { name: "Clear" }).click();
      await page.waitForFunction((start) => document.querySelector("#editor .text").textContent !== start, start);
      await page.getByRole("button", { name: "Start position" }).click();
      await page.waitForFunction(
        (count) => document.querySelectorAll("#editor .pieces image").length === count,
        pieces,
      );
      await page.waitForSelector("#editor-analyse");
      await shoot(page, `editor-${game}`);
      await page.click("#editor-analyse");
      await page.waitForSelector("#editor", { state: "hidden" });
      assert.equal(await position(page), start);
      page.calm();
      await page.context().close();
    });

  test("chess: pieces are put, dragged and taken off, and every broken rule is named", async () => {
    const page = await editor("/chess");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.waitForSelector("#editor .error li");
    const tool = (name) => page.locator(`#editor .tool[aria-label="${name}" i]`);
    await tool("white king").click();
    await inside(page, "e1").click();
    await tool("black king").click();
    await inside(page, "e8").click();
    await tool("white queen").click();
    await inside(page, "d1").click();
    await page.waitForSelector("#editor-analyse");
    await page.waitForFunction(() => /3QK3/.test(document.querySelector("#editor .text").textContent));
    assert.match(await text(page), /^4k3\/8\/8\/8\/8\/8\/8\/3QK3 w/);
    await tool("Move pieces").click();
    const box = async (id) => {
      const { x, y, width, height } = await inside(page, id).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await page.mouse.move(...(await box("d1")));
    await page.mouse.down();
    await page.mouse.move(...(await box("d7")), { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => /3Q4/.test(document.querySelector("#editor .text").textContent));
    // Black would be in check with White to move.
    await page.waitForSelector("#editor .error li");
    await page.mouse.move(...(await box("d7")));
    await page.mouse.down();
    await page.mouse.move(5, 5, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => !/Q/.test(document.querySelector("#editor .text").textContent.split(" ")[0]));
    page.calm();
    await page.context().close();
  });

  test("five-visible: bricks are dragged from the stash and back, and the stash shows what is left", async () => {
    const page = await editor("/five-visible?pos=empty");
    const waiting = (count) =>
      page.waitForFunction((count) => document.querySelectorAll("#editor .pieces image").length === count, count);
    await waiting(16);
    const box = async (id) => {
      const { x, y, width, height } = await inside(page, id).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const carry = async (from, to) => {
      await page.mouse.move(...(await box(from)));
      await page.mouse.down();
      await page.mouse.move(...(await box(to)), { steps: 4 });
      await page.mouse.up();
    };
    await carry("stash1", "5");
    await page.waitForFunction(() => document.querySelector("#editor .text").textContent.startsWith("-/-/-/-/1/"));
    assert.match(await inside(page, "stash1").getAttribute("aria-label"), /(brick.*){7}/i);
    await waiting(16);
    await carry("5", "stash1");
    await page.waitForFunction(() => document.querySelector("#editor .text").textContent.startsWith("-/-/-/-/-/"));
    page.calm();
    await page.context().close();
  });

  test("the editor fits every window", async () => {
    for (const width of [360, 768, 1920])
      for (const colorScheme of ["light", "dark"]) {
        const page = await editor("/draughts", { viewport: { width, height: 900 }, colorScheme });
        const wide = await page.evaluate(() => document.querySelector("#editor").scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${width}: ${wide} too wide`);
        await accessible(page, `${width} ${colorScheme}`);
        await shoot(page, `editor-${width}-${colorScheme}`);
        page.calm();
        await page.context().close();
      }
  });
});
