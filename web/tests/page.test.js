// The page in a real browser: everything a person does, for every game.

import assert from "node:assert/strict";
import { GAMES, accessible, cell, describeSite, line, paste, play, position, shoot, turn, test } from "./support.js";

// Three moves by their steps, and a position to paste with the words it must lead to.
const PLANS = {
  "five-visible": {
    moves: [
      ["stash0", "1"],
      ["stash1", "2"],
      ["3", "4"],
    ],
    paste: "-/-/-/-/0/-/-/-/- 1 5",
    says: /Player 1 to move/,
    bad: "0/1/x",
    at: "x",
  },
  arx: {
    moves: [
      ["e3", "d4"],
      ["e7", "f6"],
      ["d3", "c4"],
    ],
    paste: "9/9/4k4/9/9/9/4K4/4S4/9 w",
    says: /White to move/,
    bad: "bdpgkgpdb/2c3q2/9",
    at: "q",
  },
  solitaire: {
    moves: [
      ["d2", "d4"],
      ["d5", "d3"],
      ["d7", "d5"],
    ],
    paste: "--...--/--...--/...o.../...o.../......./--...--/--...--",
    says: /1 possible jump|2 possible jumps/,
    bad: "--ooo--/--oxo--",
    at: "x",
  },
  draughts: {
    moves: [
      ["11", "15"],
      ["22", "18"],
      ["15", "22"],
    ],
    paste: "W:W18:B14,K7",
    says: /White to move/,
    bad: "B:W18,24:B5,99",
    at: "9",
  },
  chess: {
    moves: [
      ["e2", "e4"],
      ["e7", "e5"],
      ["g1", "f3"],
    ],
    paste: "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    says: /Drawn|White to move/,
    bad: "8/8/8/8/8/4z3/8/4K3 w - - 0 1",
    at: "z",
  },
};

describeSite("the page", (open, site) => {
  for (const game of GAMES) {
    const plan = PLANS[game];
    test(`${game}: plays three moves by click, undoes, and shares`, async () => {
      const page = await open(`/${game}`);
      await page.waitForFunction(() => document.getElementById("paste-text").value);
      const start = await position(page);
      const seen = [start];
      for (const steps of plan.moves) {
        await play(page, steps);
        seen.push(await position(page));
      }
      await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 3);
      assert.equal(new Set(seen).size, 4);
      const copy = await open(page.url().slice(site.server.url.length));
      await copy.waitForFunction((text) => document.getElementById("paste-text").value === text, seen[3]);
      assert.deepEqual(await line(copy), await line(page));
      copy.calm();
      await copy.context().close();
      await page.goBack();
      await page.waitForFunction((text) => document.getElementById("paste-text").value === text, seen[2]);
      await page.click("#back");
      await page.waitForFunction((text) => document.getElementById("paste-text").value === text, seen[1]);
      await page.click("#forward");
      await page.waitForFunction((text) => document.getElementById("paste-text").value === text, seen[2]);
      page.calm();
      await page.context().close();
    });

    test(`${game}: reads a pasted position, and points at the mistake in a bad one`, async () => {
      const page = await open(`/${game}`);
      await paste(page, plan.paste);
      await page.waitForURL(/pos=/);
      const good = new URL(page.url()).searchParams.get("pos");
      await page.waitForFunction((text) => document.getElementById("paste-text").value === text, good);
      assert.match(await turn(page), plan.says);
      await paste(page, plan.bad);
      await page.waitForSelector("#paste-error :is(p, li)");
      const marked = await page.locator("#paste-error mark").allTextContents();
      if (marked.length) assert.equal(marked[0], plan.at);
      assert.equal(new URL(page.url()).searchParams.get("pos"), good, "a bad paste changes nothing");
      page.calm();
      await page.context().close();
    });

    test(`${game}: solver, engine, statistics, codes and rules answer`, async () => {
      const page = await open(`/${game}`);
      await page.waitForSelector(".nothing, .summary");
      await page.click("#tab-solver");
      await page.waitForSelector(".verdict, .nothing", { timeout: 30_000 });
      await page.click("#tab-engine");
      if (game === "solitaire") await page.waitForSelector(".nothing");
      else {
        await page.click("#engine-run");
        await page.waitForSelector(".lines li");
        assert.match(await page.locator(".numbers").textContent(), /depth \d+ · [\d,]+ nodes/);
        await page.click("#engine-run");
      }
      await page.click("#tab-codes");
      await page.waitForSelector(".bits .run");
      await page.click("#tab-rules");
      assert.match(await page.locator("#panel h2").textContent(), /\w/);
      page.calm();
      await page.context().close();
    });

    test(`${game}: has no accessibility finding, light or dark`, async () => {
      // Colours are the same in all panels, so the dark ones are looked at where most of them meet.
      for (const [colorScheme, tabs] of [
        ["light", ["explorer", "solver", "engine", "codes", "rules"]],
        ["dark", ["solver"]],
      ]) {
        const page = await open(`/${game}`, { colorScheme });
        await page.waitForSelector(".nothing, .summary");
        for (const tab of tabs) {
          await page.click(`#tab-${tab}`);
          if (tab === "solver") await page.waitForSelector(".verdict, .nothing", { timeout: 30_000 });
          if (tab === "codes") await page.waitForSelector(".bits .run");
          await accessible(page, tab);
        }
        page.calm();
        await page.context().close();
      }
    });

    test(`${game}: screenshots, light and dark`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(`/${game}`, { colorScheme });
        for (const steps of plan.moves) await play(page, steps);
        await page.click(
          game === "chess" || game === "arx" ? "#tab-engine" : game === "draughts" ? "#tab-codes" : "#tab-solver",
        );
        if (game === "chess" || game === "arx") {
          await page.click("#engine-run");
          await page.waitForSelector(".lines li");
        } else await page.waitForSelector(".verdict, .nothing, .bits .run", { timeout: 30_000 });
        await shoot(page, `${game}-${colorScheme}`);
        page.calm();
        await page.context().close();
      }
    });
  }

  test("arx: asks which move is meant when several share their cells", async () => {
    const page = await open(`/arx?pos=${encodeURIComponent("4k4/9/9/9/4[JC]4/9/9/9/4K4 w")}`);
    await cell(page, "e5").click();
    const targets = await page.locator(".cell.target").count();
    assert.ok(targets > 0);
    const shared = await page.evaluate(async () => {
      const answer = await (await fetch("/api/v1/games/arx/position" + location.search)).json();
      const count = {};
      for (const move of answer.moves) (count[move.steps] ??= []).push(move.move);
      return Object.entries(count).find(([, moves]) => moves.length > 1);
    });
    assert.ok(shared, "the position has a choice");
    await cell(page, shared[0].split(",")[1]).click();
    await page.waitForSelector("#chooser[open]");
    assert.deepEqual(
      (await page.locator("#choices button").evaluateAll((all) => all.map((one) => one.dataset.move))).sort(),
      [...shared[1]].sort(),
    );
    await page.locator("#choices button").last().click();
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 1);
    page.calm();
    await page.context().close();
  });

  test("draughts: plays a jump of several steps", async () => {
    const page = await open(`/draughts?pos=${encodeURIComponent("B:W15,24,23:B11,1")}`);
    await cell(page, "11").click();
    await cell(page, "18").click();
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 1);
    assert.match((await line(page))[0], /^11x(18x)?27$/);
    assert.equal(await position(page), "W:W24:B1,27");
    page.calm();
    await page.context().close();
  });

  test("chess: drags a piece", async () => {
    const page = await open("/chess");
    const [from, to] = [await cell(page, "d2").boundingBox(), await cell(page, "d4").boundingBox()];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 1);
    assert.deepEqual(await line(page), ["d4"]);
    page.calm();
    await page.context().close();
  });

  test("everything can be done with the keyboard alone", async () => {
    const page = await open("/chess");
    await cell(page, "e2").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 1);
    assert.deepEqual(await line(page), ["e4"]);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("m");
    await page.keyboard.type("e5");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 2);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelector("#line .here .move").textContent === "e4");
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction(() => !document.querySelector("#line .here"));
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => document.querySelector("#line .here .move").textContent === "e5");
    await page.keyboard.press("f");
    await page.waitForURL(/flip=1/);
    await page.keyboard.press("4");
    await page.waitForSelector(".codes");
    await page.keyboard.press("Shift+?");
    await page.waitForSelector("#help[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#help", { state: "hidden" });
    // On a button the space bar would press it.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(" ");
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 3, null, { timeout: 30_000 });
    page.calm();
    await page.context().close();
  });

  test("1400 by 900: the buttons below the moves are in sight, however long the game", async () => {
    const pushes = (white, black) => [..."abcdefgh"].flatMap((file) => [file + white, file + black]);
    const moves = [...pushes(3, 6), ...pushes(4, 5)].join();
    for (const path of GAMES.map((game) => `/${game}`).concat(`/chess?play=${moves}`)) {
      const page = await open(path, { viewport: { width: 1400, height: 900 } });
      await page.waitForSelector(".nothing, .summary");
      for (const id of ["flip", "typed-move", "tab-rules"]) {
        const { y, height } = await page.locator(`#${id}`).boundingBox();
        assert.ok(y > 0 && y + height <= 900, `${path}: ${id} ends at ${y + height}`);
      }
      page.calm();
      await page.context().close();
    }
  });

  test("an illegal typed move is refused with its reason", async () => {
    const page = await open("/chess");
    await page.fill("#typed-move", "e2e5");
    await page.press("#typed-move", "Enter");
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await page.locator("#notice").textContent(), /\w+/);
    assert.equal((await line(page)).length, 0);
    page.calm();
    await page.context().close();
  });

  test("variations are kept beside the line", async () => {
    const page = await open("/chess?play=e4,e5");
    await page.click("#back");
    await page.waitForFunction(() => document.querySelector("#line .here .move")?.textContent === "e4");
    await play(page, ["c7", "c5"]);
    await page.waitForFunction(() => document.querySelectorAll("#line .move").length === 3);
    assert.deepEqual(await line(page), ["e4", "e5", "c5"]);
    assert.equal(await page.locator("#line .variation .move").count(), 1);
    page.calm();
    await page.context().close();
  });

  test("solitaire: a fatal jump is said to be fatal, and the solution can be played through", async () => {
    const page = await open("/solitaire?tab=solver");
    await page.waitForSelector(".playback", { timeout: 30_000 });
    const before = await page.locator(".pieces .slot").count();
    await page.locator(".playback input").fill("5");
    await page.waitForFunction((count) => document.querySelectorAll(".pieces .slot").length === count - 5, before);
    await page.locator(".playback input").fill("0");
    await page.waitForFunction((count) => document.querySelectorAll(".pieces .slot").length === count, before);
    await paste(page, "--...--/--.o.--/.oo..../....o../......./--...--/--...--");
    await page.waitForSelector("table.moves .badge.unsolvable", { timeout: 30_000 });
    await page.waitForFunction(() => document.querySelectorAll("table.moves .badge.solvable").length === 1);
    await play(page, ["c3", "a3"]);
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await page.locator("#notice").textContent(), /c3-a3 was fatal/);
    page.calm();
    await page.context().close();
  });

  test("five-visible: stash trays and the blocked stack are shown", async () => {
    const page = await open("/five-visible");
    await play(page, ["stash0", "1"]);
    assert.equal(await page.locator(".mark.told").count(), 1);
    assert.match(await cell(page, "1").getAttribute("aria-label"), /blocked/);
    assert.match(await cell(page, "stash0").getAttribute("aria-label"), /5 times/);
    page.calm();
    await page.context().close();
  });

  test("an empty book fills with games the machine plays", async () => {
    const page = await open("/five-visible?tab=explorer");
    await page.waitForSelector(".nothing button");
    await page.click(".nothing button");
    await page.waitForSelector(".summary .bar", { timeout: 60_000 });
    assert.ok((await page.locator("table.moves .bar").count()) > 0);
    page.calm();
    await page.context().close();
  });

  test("360 pixels are enough", async () => {
    for (const game of GAMES) {
      const page = await open(`/${game}`, { viewport: { width: 360, height: 740 } });
      await page.waitForSelector(".nothing, .summary");
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, `${game} is wider than its window`);
      await shoot(page, `${game}-360`);
      page.calm();
      await page.context().close();
    }
  });

  test("the theme follows the system, and a button changes it", async () => {
    const page = await open("/chess", { colorScheme: "dark" });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.click("#theme");
    assert.equal(await theme(), "light");
    page.calm();
    await page.context().close();
  });

  test("an address without a position says so", async () => {
    const context = await site.browser.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${site.server.url}/chess?pos=nonsense`);
    await page.waitForSelector(".failed button");
    await page.click(".failed button");
    await page.waitForSelector("#board svg");
    await context.close();
  });

  test("all of it weighs under 150 kB compressed", async (test) => {
    // German needs one file more.
    const page = await open("/chess", { locale: "de-DE" });
    await page.waitForSelector(".nothing, .summary");
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .concat(performance.getEntriesByType("navigation"))
        .filter((entry) => !entry.name.includes("/api/"))
        .reduce((sum, entry) => sum + entry.transferSize, 0),
    );
    assert.ok(bytes > 0 && bytes < 150_000, `${bytes} bytes`);
    test.diagnostic(`${bytes} bytes`);
    await page.context().close();
  });
});
