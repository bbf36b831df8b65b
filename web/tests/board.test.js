// Answers on the board, the analysis strip, boards and pieces, and what fingers need.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, cell, describeSite, line, play } from "./support.js";

const at = (game, pos) => `/${game}?pos=${encodeURIComponent(pos)}`;

describeSite("the board", (open) => {
  const close = async (page) => {
    page.calm();
    await page.context().close();
  };
  const moves = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll("#line .move").length === count, count);

  test("destinations show their exact value by sign and shape, with a legend, until they are switched off", async () => {
    const page = await open(at("five-visible", "0/0/0/0/1/1/1/-/- 0 -"));
    await page.waitForSelector(".worth.win", { timeout: 30_000 });
    assert.equal(await page.locator(".worth.win text").first().textContent(), "+");
    assert.match(await page.locator("#legend").textContent(), /wins.*exact/);
    await page.keyboard.press("v");
    await page.waitForSelector(".worth", { state: "detached" });
    await page.reload();
    await page.waitForSelector("#score");
    assert.equal(await page.locator(".worth").count(), 0, "what was switched off stays off");
    await page.click("#values");
    await page.waitForSelector(".worth.win");
    await close(page);
  });

  test("solitaire: fatal moves are marked before they are made; hint, goal and playback", async () => {
    const page = await open(at("solitaire", "--...--/--.o.--/.oo..../....o../......./--...--/--...--") + "&tab=solver");
    await page.waitForSelector("table.moves .badge.unsolvable", { timeout: 30_000 });
    await page.waitForSelector(".worth.unsolvable");
    await cell(page, "c3").click();
    await page.waitForSelector(".worth.unsolvable text");
    await page.keyboard.press("Escape");
    await page.click("#hint");
    await page.waitForSelector(".ghost.way", { state: "attached" });
    await page.click("#playback-run");
    await page.waitForFunction(() => document.querySelectorAll(".pieces .slot").length < 4);
    await page.click("#first", { force: true }).catch(() => {});
    await page.selectOption("#goal", "any");
    await page.waitForSelector(".verdict", { timeout: 30_000 });
    await close(page);
  });

  test("the strip's line is clickable, each move with a small board, and the best move is an arrow", async () => {
    const page = await open("/chess");
    await page.click("#engine-run");
    await page.waitForFunction(() => document.querySelectorAll("#strip .pv .move").length >= 3, null, {
      timeout: 20_000,
    });
    await page.waitForSelector(".ghost.advice.later-0", { state: "attached" });
    // The next moves of the line are numbered.
    await page.waitForSelector(".turn-number.later-2", { state: "attached" });
    await page.click("#engine-run");
    const wanted = (await page.locator("#strip .pv .move").allTextContents()).slice(0, 3);
    await page.locator("#strip .pv .move").nth(2).hover();
    await page.waitForSelector("#small img");
    await page.locator("#strip .pv .move").nth(2).click();
    await moves(page, 3);
    assert.deepEqual(await line(page), wanted);
    assert.equal(await page.locator("#small").count(), 0);
    await close(page);
  });

  test("an opening is named, and keeps its name until another one comes", async () => {
    const page = await open("/chess?play=e4,c5,Nf3,h6");
    await page.waitForFunction(() => document.getElementById("name").textContent === "Sicilian Defence");
    await page.click("#first");
    await page.waitForFunction(() => document.getElementById("name").textContent === "");
    await close(page);
  });

  test("circles and arrows are drawn with the right button, and go with a click", async () => {
    const page = await open("/chess");
    await cell(page, "e4").click({ button: "right" });
    await page.waitForSelector("circle.own-mark");
    const [from, to] = [await cell(page, "g1").boundingBox(), await cell(page, "f3").boundingBox()];
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 3 });
    await page.mouse.up({ button: "right" });
    await page.waitForSelector("g.own-mark line", { state: "attached" });
    await cell(page, "h5").click();
    await page.waitForSelector(".own-mark", { state: "detached" });
    await close(page);
  });

  test("captured pieces stand beside the board", async () => {
    const page = await open("/chess?play=e4,d5,exd5,Qxd5");
    await page.waitForSelector("#taken-bottom svg");
    assert.deepEqual(
      [await page.locator("#taken-top svg").count(), await page.locator("#taken-bottom svg").count()],
      [1, 1],
    );
    await close(page);
  });

  test("boards and openings are a menu with pictures", async () => {
    const page = await open("/solitaire");
    await page.click("#starts-open");
    const cards = page.locator(".start-card");
    assert.ok((await cards.count()) > 2);
    await page.waitForFunction(() => document.querySelector(".start-card img").naturalWidth > 0);
    await cards.nth(1).click();
    await page.waitForURL(/pos=/);
    await close(page);
  });

  test("three boards, two sets of pieces, and sounds that are off until asked for", async () => {
    const page = await open("/draughts");
    const square = () => page.locator('[data-cell="18"] .shape').evaluate((shape) => getComputedStyle(shape).fill);
    const wood = await square();
    await page.click("#likes-open");
    assert.equal(await page.locator("#likes input[name=sounds]").isChecked(), false);
    await page.check("#likes input[value=meadow]");
    await page.check("#likes input[value=coins]");
    await page.keyboard.press("Escape");
    const meadow = await square();
    assert.notEqual(meadow, wood);
    await page.waitForFunction(() => getComputedStyle(document.querySelector(".slot .coin")).display === "inline");
    await page.reload();
    await page.waitForSelector("#board svg");
    assert.equal(await square(), meadow);
    await close(page);
  });

  test("the rules have drawn examples, and a table of pieces where there are several", async () => {
    for (const [game, pieces] of [
      ["arx", 8],
      ["chess", 6],
      ["solitaire", 0],
    ]) {
      const page = await open(`/${game}?tab=rules`);
      await page.waitForFunction(() => document.querySelector(".examples img")?.naturalWidth > 0);
      assert.equal(await page.locator(".kinds tr").count(), pieces);
      await close(page);
    }
  });

  test("moves slide, unless the system asks for calm", async () => {
    for (const [reducedMotion, slides] of [
      ["no-preference", true],
      ["reduce", false],
    ]) {
      const page = await open("/chess", { reducedMotion });
      await page.evaluate(() => {
        globalThis.slid = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...how) {
          globalThis.slid++;
          return animate.apply(this, how);
        };
      });
      await play(page, ["e2", "e4"]);
      assert.equal((await page.evaluate(() => globalThis.slid)) > 0, slides);
      await close(page);
    }
  });

  test("360 px: targets of 44 pixels, controls at the thumb, and games that show there is more", async () => {
    for (const game of GAMES) {
      const page = await open(`/${game}`, { viewport: { width: 360, height: 740 }, hasTouch: true });
      await page.waitForSelector(".nothing, .summary");
      // All at one moment: answers that arrive meanwhile draw their buttons anew.
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, .games a, select")]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .map((one) => [one.id || one.className || one.textContent, one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 43.5)
          .map(([name, box]) => `${name} ${box.height}`),
      );
      assert.deepEqual(small, [], game);
      const bar = await page.locator(".controls").boundingBox();
      assert.ok(Math.abs(bar.y + bar.height - 740) < 2, "the controls stay at the bottom");
      assert.ok(await page.locator("#games").evaluate((nav) => nav.matches(".more, .before")));
      await close(page);
    }
  });

  test("the ring of the focus is above its neighbours", async () => {
    const page = await open("/chess");
    await cell(page, "e4").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".ring .focus").count(), 1);
    assert.ok(await page.locator(".ring").evaluate((ring) => ring === ring.parentNode.lastElementChild));
    await close(page);
  });
});
