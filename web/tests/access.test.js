// Every screen in both themes: nothing is in anybody's way.

import { accessible, cell, describeSite, paste, play, test } from "./support.js";

const begin = async (page, side) => {
  await page.click("#new-game");
  await page.check(`#new input[name=side][value="${side}"]`);
  await page.click("#begin");
  await page.waitForSelector("#playbar:not([hidden])");
};
const reviewed = async (page) => {
  await paste(page, "1. f3 e5 2. g4 Qh4# 0-1");
  await page.getByRole("button", { name: "Analyse the game" }).click();
  await page.getByRole("button", { name: "Learn from your mistakes" }).waitFor({ timeout: 60_000 });
};

// Where each begins, and the way to it.
const SCREENS = {
  "a new game": ["/chess", async (page) => page.click("#new-game")],
  "a game being played": ["/draughts", async (page) => begin(page, "0")],
  "a result": [
    "/arx",
    async (page) => {
      await begin(page, "both");
      await play(page, ["e3", "d4"]);
      await page.click("#resign");
      await page.waitForSelector("#result[open]");
    },
  ],
  "a choice of moves": [
    `/chess?pos=${encodeURIComponent("8/P7/8/8/8/8/k7/2K5 w - - 0 1")}`,
    async (page) => {
      await cell(page, "a7").click();
      await cell(page, "a8").click();
      await page.waitForSelector("#chooser[open]");
    },
  ],
  "boards and openings": ["/solitaire", async (page) => page.click("#starts-open")],
  settings: ["/chess", async (page) => page.click("#likes-open")],
  help: ["/chess", async (page) => page.click("#help-open")],
  "a game looked at": ["/chess", reviewed],
  "a lesson": [
    "/chess",
    async (page) => {
      await reviewed(page);
      await page.getByRole("button", { name: "Learn from your mistakes" }).click();
      await page.waitForSelector(".lesson");
    },
  ],
  "a refusal": [
    "/chess",
    async (page) => {
      await cell(page, "a1").click();
      await page.waitForSelector("#refusal:not([hidden])");
    },
  ],
  "the best line": [
    "/chess?tab=engine",
    async (page) => {
      await page.click("#engine-run");
      await page.waitForSelector(".turn-number", { state: "attached", timeout: 20_000 });
    },
  ],
};

describeSite("every screen", (open) => {
  for (const [name, [path, act]] of Object.entries(SCREENS))
    test(`${name}: has no accessibility finding, light or dark`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(path, { colorScheme });
        await act(page);
        await accessible(page, `${name}, ${colorScheme}`);
        page.calm();
        await page.context().close();
      }
    });
});
