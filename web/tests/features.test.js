// What the page offers beyond playing moves, each in a real browser.

import assert from "node:assert/strict";
import { GAMES, cell, describeSite, line, paste, play, test } from "./support.js";

describeSite("features", (open) => {
  const close = async (page) => {
    page.calm();
    await page.context().close();
  };
  const moves = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll("#line .move").length === count, count);
  const here = (page, move) =>
    page.waitForFunction((move) => document.querySelector("#line .here .move")?.textContent === move, move);

  test("a move is shown on the board while it is pointed at, and played by a click", async () => {
    const page = await open("/chess");
    const chip = page.locator(".chips .move", { hasText: /^Nf3$/ });
    await chip.hover();
    await page.waitForSelector(".ghost.way", { state: "attached" });
    await page.mouse.move(5, 5);
    await page.waitForSelector(".ghost", { state: "detached" });
    await chip.click();
    await moves(page, 1);
    assert.deepEqual(await line(page), ["Nf3"]);
    await close(page);
  });

  test("going back and forward stays in the variation that was looked at", async () => {
    const page = await open("/chess?play=e4,e5,Nf3");
    await page.click("#back");
    await page.click("#back");
    await here(page, "e4");
    await play(page, ["c7", "c5"]);
    await play(page, ["g1", "f3"]);
    assert.equal(await page.locator("#line .variation .move").count(), 2);
    await page.click("#first");
    await page.click("#last");
    await page.waitForFunction(() => document.querySelector("#line .variation .here .move")?.textContent === "Nf3");
    await page.click("#back");
    await here(page, "c5");
    await page.click("#forward");
    await page.waitForFunction(() => document.querySelector("#line .variation .here .move")?.textContent === "Nf3");
    await page.locator("#line > li > .move", { hasText: /^e5$/ }).click();
    await here(page, "e5");
    const query = new URL(page.url()).searchParams;
    assert.deepEqual(
      ["play", "also", "at"].map((name) => query.get(name)),
      ["e4,e5,Nf3", "1.c5,Nf3", "2"],
      "the address has the whole tree, and where one looks",
    );
    await close(page);
  });

  test("moves of an address are written as the game writes them", async () => {
    const page = await open("/chess?play=e2e4,e7e5,g1f3");
    await moves(page, 3);
    assert.deepEqual(await line(page), ["e4", "e5", "Nf3"]);
    await close(page);
  });

  test("exact values are marked by letters, and the history of values is a plot to click on", async () => {
    const page = await open("/five-visible?pos=" + encodeURIComponent("0/0/0/0/1/1/1/-/- 0 -") + "&tab=solver");
    await page.waitForSelector("table.moves .badge", { timeout: 60_000 });
    const badges = await page.locator("table.moves .badge").allTextContents();
    assert.ok(
      badges.every((text) => /^[WLD?](\s≤?\d+)?$/.test(text)),
      badges.join(),
    );
    assert.ok(badges.includes("W 1"), "a win has its distance");
    await play(page, ["stash0", "5"]);
    await page.waitForSelector("#plot:not([hidden]) circle.here");
    assert.ok((await page.locator("#plot circle").count()) >= 2);
    assert.ok(await page.locator("#gauge").isVisible());
    const plot = await page.locator("#plot svg").boundingBox();
    await page.mouse.click(plot.x + 2, plot.y + plot.height / 2);
    await page.waitForFunction(() => !document.querySelector("#line .here"));
    await close(page);
  });

  for (const game of GAMES) {
    test(`${game}: every reversible code can be pasted`, async () => {
      const page = await open(`/${game}?tab=codes`);
      const ask = (path) => page.evaluate(async (path) => (await fetch(`/api/v1/games/${path}`)).json(), path);
      const { codes, canonical } = await ask(`${game}/position`);
      for (const { id } of (await ask(game)).formats.filter(({ id, reversible }) => reversible && codes[id])) {
        const meant = await ask(`${game}/position?pos=${encodeURIComponent(codes[id])}`);
        assert.equal(meant.canonical, canonical, id);
        await paste(page, codes[id]);
        await page.waitForFunction((text) => document.getElementById("paste-text").value === text, meant.position);
      }
      await page.waitForSelector(".bits .run");
      // A bitboard is drawn as a board; what was pasted last may still be on its way.
      const isBoard = () => document.querySelector(".bitboard")?.querySelectorAll(".run").length === 64;
      if (game === "chess") await page.waitForFunction(isBoard);
      await page.locator(".run").first().hover();
      assert.match(await page.locator(".meaning").textContent(), /: /);
      await close(page);
    });
  }

  test("solitaire: hints mark every jump, and a long search can be stopped and tried again", async () => {
    const page = await open("/solitaire?tab=solver");
    await page.waitForSelector("table.moves .badge.solvable", { timeout: 60_000 });
    assert.equal(await page.locator("table.moves .badge.solvable").count(), 4);
    let hang = true;
    await page.route("**/solve?*", (route) => (hang ? undefined : route.continue()));
    await play(page, ["d2", "d4"]);
    await page.waitForSelector(".loading");
    await page.click(".stop");
    await page.waitForSelector(".failed");
    assert.match(await page.locator(".failed").textContent(), /Stopped/);
    hang = false;
    await page.click(".failed button");
    await page.waitForSelector(".verdict", { timeout: 60_000 });
    await close(page);
  });

  test("the engine shows as many lines as asked for, and stops when told to", async () => {
    const page = await open("/chess?tab=engine");
    await page.selectOption("#engine-lines", "3");
    await page.click("#engine-run");
    await page.waitForFunction(() => document.querySelectorAll(".lines li").length === 3);
    await page.click("#engine-run");
    await page.waitForFunction(async () =>
      (await (await fetch("/metrics")).text()).includes("tabia_analyses_running 0"),
    );
    const first = await page.locator(".lines .move").first().textContent();
    await page.locator(".lines .move").first().click();
    await moves(page, 1);
    assert.deepEqual(await line(page), [first]);
    await close(page);
  });

  test("a link is shared by a button", async () => {
    const page = await open("/draughts?play=11-15", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.click("#copy");
    await page.waitForFunction(() => document.getElementById("copy").textContent === "Copied");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    await close(page);
  });

  test("a server that does not answer is said not to", async () => {
    const page = await open("/draughts");
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.click("#tab-solver");
    await page.waitForSelector(".failed button");
    assert.match(await page.locator(".failed").textContent(), /cannot be reached/);
    await page.unroute("**/api/v1/**");
    await page.click(".failed button");
    await page.waitForSelector(".verdict, .nothing", { timeout: 60_000 });
    await page.context().close();
  });

  test("a mistake in the middle of a paste is pointed at", async () => {
    const page = await open("/chess");
    await paste(page, "rnbqkbnr/ppp?pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    await page.waitForSelector("#paste-error mark");
    assert.equal(await page.locator("#paste-error mark").textContent(), "?");
    await paste(page, "8/8/8/8/8/8/8/8 w - - 0 1");
    await page.waitForFunction(() => document.querySelectorAll("#paste-error li").length > 1);
    await close(page);
  });

  test("screen readers hear cells, pieces and turns", async () => {
    const page = await open("/chess");
    assert.equal(await page.locator("#board [role=grid] [role=row]").count(), 8);
    assert.equal(await cell(page, "e2").getAttribute("aria-label"), "e2, light pawn");
    assert.equal(await page.locator("#status").getAttribute("aria-live"), "polite");
    await close(page);
  });
});
