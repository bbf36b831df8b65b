// What a new user stumbled over, each in a real browser: fingers, keys, colours, and points of view.

import assert from "node:assert/strict";
import { cell, describeSite, line, play, position, settled, test, turn } from "./support.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true, isMobile: true };
const at = (game, pos) => `/${game}?pos=${encodeURIComponent(pos)}`;

const middle = async (page, id) => {
  await cell(page, id).scrollIntoViewIfNeeded();
  const box = await cell(page, id).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

// A finger that goes down, moves and goes up, as the browser itself sees it.
async function swipe(page, from, to) {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  const session = await page.context().newCDPSession(page);
  const send = (type, point) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [{ x: point[0], y: point[1] }] : [] });
  await send("touchStart", start);
  for (let i = 1; i <= 6; i++)
    await send(
      "touchMove",
      start.map((from, axis) => from + ((end[axis] - from) * i) / 6),
    );
  await send("touchEnd");
}

const drag = async (page, from, to) => {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, to)), { steps: 4 });
  await page.mouse.up();
};

const moves = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#line .move").length === count, count);

async function begin(page, { side = "0", level = "0", hints = false } = {}) {
  await page.click("#new-game");
  await page.check(`#new input[name=side][value="${side}"]`);
  await page.selectOption("#new select[name=level]", level);
  await page.selectOption("#new select[name=time]", "0.2");
  if (hints) await page.check("#new input[name=hints]");
  await page.click("#begin");
  await page.waitForSelector("#playbar:not([hidden])");
}

describeSite("mended", (open) => {
  const close = async (page) => {
    page.calm();
    await page.context().close();
  };

  for (const [name, device] of [
    ["360", PHONE],
    ["768", TABLET],
  ]) {
    test(`${name} px, touch: a tap opens the chooser and presses nothing in it`, async () => {
      for (const [path, from, to] of [
        [at("chess", "8/P7/8/8/8/8/k7/2K5 w - - 0 1"), "a7", "a8"],
        [at("arx", "4k4/9/9/9/4[JC]4/9/9/9/4K4 w"), "e5", null],
      ]) {
        const page = await open(path, device);
        await cell(page, from).tap();
        const shared = await page.evaluate(async (from) => {
          const game = location.pathname.slice(1);
          const answer = await (await fetch(`/api/v1/games/${game}/position${location.search}`)).json();
          const there = Map.groupBy(
            answer.moves.filter((move) => move.steps[0] === from),
            (move) => move.steps[1],
          );
          return [...there].find(([, moves]) => moves.length > 1)[0];
        }, from);
        await cell(page, to ?? shared).tap();
        await page.waitForSelector("#chooser[open]");
        await settled(page);
        assert.ok(await page.locator("#chooser").isVisible(), "the chooser waits");
        assert.equal((await line(page)).length, 0);
        const words = await page.locator("#choices strong").allTextContents();
        assert.ok(to ? words[0] === "queen" : words.includes("whole stack"), words.join());
        await page.locator("#choices button").first().tap();
        await moves(page, 1);
        await close(page);
      }
    });

    test(`${name} px, touch: a piece is dragged`, async () => {
      const page = await open("/chess", device);
      await swipe(page, "d2", "d4");
      await moves(page, 1);
      assert.deepEqual(await line(page), ["d4"]);
      await close(page);
    });
  }

  test("the light part of the result bar is the light pieces'", async () => {
    const page = await open("/draughts");
    await page.route("**/stats?*", (route) =>
      route.fulfill({ json: { total: 10, wins0: 9, wins1: 1, draws: 0, score: 0.9, moves: [], hidden: 0 } }),
    );
    await play(page, ["11", "15"]);
    await page.waitForSelector(".summary .bar");
    // Player 0 has the dark pieces here, and has won nearly everything.
    const share = (tone) => page.locator(`.summary .part.${tone}`).evaluate((part) => parseFloat(part.style.width));
    assert.ok((await share("second")) > 80 && (await share("first")) < 20);
    await close(page);
  });

  test("a game against the engine: no move for it, looking back, taking back, giving up, analysing", async () => {
    const page = await open("/draughts");
    await begin(page, { side: "0" });
    assert.ok(await page.locator("#strip").isHidden(), "the engine's thoughts are hidden");
    await page.route("**/api/v1/analyses", async (route) => {
      await new Promise((done) => setTimeout(done, 700));
      await route.continue();
    });
    await play(page, ["11", "15"]);
    await cell(page, "22").click();
    await page.waitForSelector("#refusal:not([hidden])");
    assert.match(await page.locator("#refusal").textContent(), /engine's move/);
    await moves(page, 2);
    const asked = [];
    page.on("request", (request) => request.url().endsWith("/analyses") && asked.push(request.url()));
    await page.click("#back");
    await page.waitForFunction(() => document.querySelector("#line .here .move")?.textContent === "11-15");
    await settled(page);
    assert.deepEqual(asked, [], "looking back is not answered");
    await page.click("#last");
    await page.waitForFunction(() => document.querySelector("#line li:last-child").classList.contains("here"));
    await page.click("#take-back");
    await moves(page, 0);
    assert.match(await turn(page), /Black to move/);
    await play(page, ["12", "16"]);
    await moves(page, 2);
    await page.reload();
    await page.waitForSelector("#playbar:not([hidden])");
    await moves(page, 2); // The game survives a reload.
    await page.click("#resign");
    await page.waitForSelector("#result[open]");
    assert.match(await page.locator("#result-title").textContent(), /engine has won/);
    await page.click("#analyse");
    await page.waitForSelector("#strip .score", { timeout: 20_000 });
    assert.equal((await line(page)).length, 2);
    await close(page);
  });

  test("the board turns to the player's side, the engine begins, and a rematch exchanges the sides", async () => {
    const page = await open("/chess");
    await begin(page, { side: "1", hints: true });
    await page.waitForURL(/flip=1/);
    await moves(page, 1);
    await page.click("#hint");
    await page.waitForSelector(".ghost.way", { state: "attached", timeout: 20_000 });
    assert.match(await page.locator("#hint").textContent(), /1 used/);
    await page.click("#resign");
    await page.click("#rematch");
    await page.waitForFunction(() => !location.search.includes("flip=1"));
    await page.waitForFunction(() => /You are White/.test(document.getElementById("playbar").textContent));
    await page.click("#leave-game");
    await page.waitForSelector("#playbar", { state: "hidden" });
    await close(page);
  });

  test("an engine that cannot be reached is asked again", async () => {
    const page = await open("/draughts");
    await begin(page, { side: "0" });
    await page.route("**/analyses", (route) => route.abort());
    await play(page, ["11", "15"]);
    await page.waitForSelector("#ask-again");
    await page.unroute("**/analyses");
    await page.click("#ask-again");
    await moves(page, 2);
    await page.context().close();
  });

  test("two people play at one screen, and agree on a draw", async () => {
    const page = await open("/arx");
    await begin(page, { side: "both" });
    await play(page, ["e3", "d4"]);
    await play(page, ["e7", "f6"]);
    await page.click("#offer-draw");
    await page.waitForSelector("#result[open]");
    assert.match(await page.locator("#result-title").textContent(), /Drawn/);
    await close(page);
  });

  test("after a move with the mouse the arrow keys step through the game", async () => {
    const page = await open("/chess");
    await play(page, ["e2", "e4"]);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => !document.querySelector("#line .here"));
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("#line .here");
    await close(page);
  });

  test("scores are told from one side, which is named; exact values replace estimates", async () => {
    const page = await open("/chess?pos=" + encodeURIComponent("k7/8/8/8/8/8/8/KQQ5 b - - 0 1"));
    await page.click("#engine-run");
    await page.waitForSelector("#strip .score", { timeout: 20_000 });
    await page.waitForFunction(() => /White wins|^\+/.test(document.getElementById("score").textContent));
    assert.ok((await page.locator("#gauge i").evaluate((bar) => parseFloat(bar.style.height))) > 60);
    await close(page);
    const exact = await open("/five-visible?tab=engine&pos=" + encodeURIComponent("0/0/0/0/1/1/1/-/- 0 -"));
    await exact.waitForSelector("#strip .score.exact", { timeout: 90_000 });
    assert.match(await exact.locator("#strip").textContent(), /Player 0 wins in 1/);
    assert.match(await exact.locator(".known").textContent(), /exact value is known/);
    assert.ok((await exact.locator("#gauge").boundingBox()).width >= 16);
    await close(exact);
  });

  test("the address keeps the whole tree, wherever one looks", async () => {
    const page = await open("/chess?play=e4,e5,Nf3,Nc6");
    await page.click("#back");
    await page.click("#back");
    await page.waitForFunction(() => document.querySelector("#line .here .move")?.textContent === "e5");
    await play(page, ["f1", "c4"]);
    await page.click("#back");
    await page.waitForFunction(() => document.querySelector("#line .here .move")?.textContent === "e5");
    const [tree, where] = [await line(page), await position(page)];
    assert.equal(tree.length, 5);
    await page.reload();
    await moves(page, 5);
    assert.deepEqual(await line(page), tree);
    await page.waitForFunction((text) => document.getElementById("paste-text").value === text, where);
    await close(page);
  });

  test("variations are indented, promoted and deleted", async () => {
    const page = await open("/chess?play=e4,e5,Nf3&also=2.Bc4,Nf6&at=4.1");
    await moves(page, 5);
    const main = () => page.locator("#line > li > .move").allTextContents();
    assert.deepEqual(await main(), ["e4", "e5", "Nf3"]);
    await page.click("#promote");
    await page.waitForFunction(() => document.querySelectorAll("#line > li > .move").length === 4);
    assert.deepEqual(await main(), ["e4", "e5", "Bc4", "Nf6"]);
    await page.locator("#line .variation .move").click();
    await page.waitForSelector("#line .variation .here");
    await page.click("#delete");
    await page.waitForSelector("#line .variation", { state: "detached" });
    assert.equal(new URL(page.url()).searchParams.get("also"), null);
    await close(page);
  });

  test("the mark at the end of a game has the winner's colour", async () => {
    const page = await open("/chess?play=f3,e5,g4,Qh4%23");
    await moves(page, 4);
    assert.match(await turn(page), /Black has won/);
    assert.match(await page.locator("#turn").getAttribute("class"), /over dark/);
    await close(page);
  });

  test("what the slider shows is what is played", async () => {
    const page = await open(at("solitaire", "--...--/--.o.--/.oo..../....o../......./--...--/--...--") + "&tab=solver");
    await page.waitForSelector(".playback", { timeout: 30_000 });
    await page.locator(".playback input").fill("2");
    await page.waitForFunction(() => document.querySelectorAll(".pieces .slot").length === 2);
    await cell(page, "d2").click();
    await page.waitForFunction(() => /only shown/.test(document.getElementById("refusal").textContent));
    await page.getByText("Play to here").click();
    await moves(page, 2);
    await close(page);
  });

  test("a bound is told as a bound", async () => {
    const page = await open("/draughts");
    await page.route("**/solve?*", (route) =>
      route.fulfill({
        json: {
          value: "loss",
          distance: 18,
          distance_exact: false,
          line: [],
          moves: [],
          method: "proof",
          reason: "",
          positions: 1,
          seconds: 0,
        },
      }),
    );
    await play(page, ["11", "15"]);
    await page.click("#tab-solver");
    await page.waitForSelector(".verdict");
    assert.match(await page.locator(".verdict").textContent(), /Black wins in at most 18/);
    await close(page);
  });

  test("moves that are alike share a row, and shares add up to 100 %", async () => {
    const page = await open("/solitaire");
    await page.waitForSelector(".nothing button");
    await page.click(".nothing button");
    await page.waitForSelector("table.moves .times", { timeout: 60_000 });
    const games = await page.locator("table.moves .times").allTextContents();
    assert.equal(
      games.reduce((sum, text) => sum + (Number(text) || 0), 0),
      100,
    );
    await page.route("**/stats?*", (route) =>
      route.fulfill({ json: { total: 3, wins0: 1, wins1: 1, draws: 1, score: 0.5, moves: [], hidden: 0 } }),
    );
    await play(page, ["d2", "d4"]);
    await page.waitForFunction(() => document.querySelector(".summary strong")?.textContent === "3");
    const parts = await page.locator(".summary .part").allTextContents();
    assert.equal(
      parts.reduce((sum, text) => sum + parseInt(text), 0),
      100,
    );
    await close(page);
  });

  test("dark pieces have a light outline in every game", async () => {
    for (const game of ["draughts", "chess", "arx", "five-visible"]) {
      const page = await open(`/${game}`);
      const stroke = await page
        .locator(".pieces .piece.dark .carved .body")
        .first()
        .evaluate((body) => getComputedStyle(body).stroke);
      assert.equal(stroke, "rgb(239, 226, 201)", game);
      await close(page);
    }
  });

  test("a stopped server leaves nothing that looks alive", async () => {
    const page = await open("/chess?tab=engine");
    await page.click("#engine-run");
    await page.waitForSelector(".lines li", { timeout: 20_000 });
    await page.route("**/api/v1/**", (route) => route.abort());
    await play(page, ["e2", "e4"]).catch(() => {});
    await page.waitForSelector("#notice:not([hidden])");
    assert.equal((await line(page)).length, 0, "the move that was shown is taken back");
    await page.unroute("**/api/v1/**");
    await page.route("**/analyses", (route) => route.abort());
    await play(page, ["e2", "e4"]);
    await page.waitForSelector("#strip .failed");
    assert.equal(await page.locator("#engine-run").getAttribute("aria-checked"), "false");
    assert.equal(await page.locator(".lines li").count(), 0);
    await page.context().close();
  });

  test("what is refused is refused with a word at the board", async () => {
    const page = await open("/chess");
    const said = async (act, words) => {
      await act();
      await page.waitForFunction((words) => {
        const sign = document.getElementById("refusal");
        return !sign.hidden && new RegExp(words).test(sign.textContent);
      }, words);
      await page.keyboard.press("Escape");
    };
    await said(() => drag(page, "e2", "e5"), "cannot go to e5");
    await said(() => drag(page, "a1", "a4"), "cannot go to a4");
    await said(() => cell(page, "e7").click(), "White is to move");
    await said(() => cell(page, "a1").click(), "ways are blocked");
    assert.equal((await line(page)).length, 0);
    await close(page);
  });

  test("a reason is the game's own where it has one, and triangles have letters", async () => {
    const page = await open(at("draughts", "B:W15,24,23:B11,1"));
    await drag(page, "1", "6");
    await page.waitForFunction(() => /captur/.test(document.getElementById("refusal").textContent));
    await cell(page, "1").click();
    await page.waitForFunction(() => /must capture: 11/.test(document.getElementById("refusal").textContent));
    await close(page);
    const german = await open(at("draughts", "B:W15,24,23:B11,1"), { locale: "de-DE" });
    await cell(german, "1").click();
    await german.waitForFunction(() => /Schlagzwang: 11/.test(document.getElementById("refusal").textContent));
    await close(german);
    const triangle = await open("/solitaire?pos=triangle5");
    await triangle.waitForFunction(() =>
      [..."abcde"].every((letter) =>
        [...document.querySelectorAll(".label")].some((word) => word.textContent === letter),
      ),
    );
    await close(triangle);
  });

  test("five-visible: a tap on an empty cell places a brick", async () => {
    const page = await open("/five-visible", PHONE);
    await cell(page, "1").tap();
    await moves(page, 1);
    await close(page);
  });

  test("a move is shown before the server has answered", async () => {
    const page = await open("/chess");
    let answer = null;
    await page.route("**/position?*", (route) => (answer = () => route.continue()));
    await cell(page, "e2").click();
    await cell(page, "e4").click();
    await page.waitForSelector('.slot[data-at="e4"]');
    assert.equal(await page.locator('.slot[data-at="e2"]').count(), 0);
    answer();
    await moves(page, 1);
    await close(page);
  });
});
