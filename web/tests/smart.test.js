// The front page and the box that takes anything.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, describeSite, line, paste, position, shoot, opened } from "./support.js";

// Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858, with a comment and a variation.
const OPERA = `[Event "Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke Karl"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a weak move} (3... exd4 4. Nxd4) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0
`;

const boxes = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#board, .right, .status")].map((e) => e.getBoundingClientRect().top),
  );

describeSite("the box that takes anything", (open, site) => {
  const front = async (options) => {
    const page = await open("/", { ...options, ready: ".invitation .board svg" });
    await page.waitForFunction(() => document.querySelectorAll(".invitation .board svg").length >= 5);
    return page;
  };

  test("the front page shows every game, and leads to each and back", async () => {
    const page = await front();
    assert.equal(await page.locator(".invitation").count(), 5);
    for (const text of await page.locator(".invitation p").allTextContents()) assert.match(text, /\w+ \w+/);
    await page.locator(".invitation").last().click();
    await page.waitForSelector("#board svg");
    await opened(page, "chess");
    assert.ok(await page.locator("#front").isHidden());
    await page.click(".brand");
    await page.waitForSelector(".invitation .board svg");
    assert.equal(page.url(), site.server.url + "/");
    await page.goBack();
    await page.waitForSelector("main #board svg", { state: "visible" });
    assert.ok(await page.locator("main #paste").isVisible());
    page.calm();
    await page.context().close();
  });

  test("a game pasted on the front page opens with players, comments, variations and result", async () => {
    const page = await front();
    await paste(page, OPERA);
    // Until it is read there stands that it is being read.
    await page.waitForSelector("#recognised p:has-text('chess game, 33 plies, Morphy - Duke Karl')");
    await page.waitForSelector("#about .players");
    assert.match(await page.locator("#about").textContent(), /Morphy.*Duke Karl.*1-0/);
    const moves = await line(page);
    assert.ok(moves.some((move) => move.startsWith("exd4")) && moves.some((move) => move.startsWith("Rd8")));
    page.calm();
    await page.context().close();
  });

  test("positions, moves, codes and links of any game open wherever one is", async () => {
    const page = await open("/chess");
    const code = await page.evaluate(async () => {
      const { codes } = await (await fetch("/api/v1/games/draughts/position?play=11-15")).json();
      return codes;
    });
    for (const [text, game] of [
      ["11-15 23-19", "draughts"],
      ["1. e4 e5 2. Nf3", "chess"],
      ["W:W18:B14,K7", "draughts"],
      [code.text, "draughts"],
      [site.address("/arx?play=e3-d4"), "arx"],
    ]) {
      await paste(page, text);
      await opened(page, game);
    }
    page.calm();
    await page.context().close();
  });

  test("what cannot be read is explained without moving the page", async () => {
    const page = await open("/chess");
    const before = await boxes(page);
    await paste(page, "1. e4 e5 2. Nf9");
    await page.waitForSelector("#paste-error :is(p, li)");
    assert.deepEqual(await boxes(page), before);
    assert.ok((await page.locator("#paste-error").textContent()).length > 20);
    assert.equal((await line(page)).length, 0);
    await accessible(page, "an error");
    await page.click("#found-close");
    assert.ok(await page.locator("#found").isHidden());
    page.calm();
    await page.context().close();
  });

  test("a file of several games is a list, and goes into the book", async () => {
    const page = await open("/draughts");
    const buffer = Buffer.from(
      OPERA +
        "\n" +
        OPERA.replace("Morphy", "Somebody").replace("8. Nc3 c6", "8. Nc3 h9") +
        "\n" +
        OPERA.replace("Duke Karl", "Isouard"),
    );
    await page.locator("#file").setInputFiles({ name: "opera.pgn", mimeType: "text/plain", buffer });
    await page.waitForSelector("#several[open]");
    assert.match(await page.locator("#several h2").textContent(), /opera\.pgn/);
    await accessible(page, "several games");
    await page.click("#several .into button");
    await page.waitForFunction(() => /in the book\./.test(document.querySelector("#several .into").textContent));
    await page.locator(".several button").first().click();
    await opened(page, "chess");
    await page.waitForSelector("#about .players");
    page.calm();
    await page.context().close();
  });

  test("a dropped file opens", async () => {
    const page = await open("/arx");
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "game.pgn", { type: "text/plain" }));
      for (const kind of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, OPERA);
    await opened(page, "chess");
    // The position comes after the name of the game.
    for (let left = 100; left > 0 && !/^1n1Rkb1r/.test(await position(page)); left--) await page.waitForTimeout(100);
    assert.match(await position(page), /^1n1Rkb1r/);
    page.calm();
    await page.context().close();
  });

  test("the front page fits every window", async () => {
    for (const width of [360, 768, 1400, 1920])
      for (const colorScheme of ["light", "dark"]) {
        const page = await front({ viewport: { width, height: 900 }, colorScheme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${width}: ${wide} too wide`);
        await accessible(page, `${width} ${colorScheme}`);
        await shoot(page, `front-${width}-${colorScheme}`);
        page.calm();
        await page.context().close();
      }
  });
});
