// The words of the page in every language.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeSite } from "./support.js";

const WEB = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const words = (file) => JSON.parse(readFileSync(join(WEB, "lang", file), "utf8"));
const english = words("en.json");
const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();

for (const file of readdirSync(join(WEB, "lang")))
  test(`${file} has every word, with the same places for values`, () => {
    const other = words(file);
    assert.deepEqual(Object.keys(other).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(other)) {
      assert.ok(text.trim(), key);
      assert.equal(places(text), places(key), key);
    }
  });

test("every sentence that a script says is in the list", () => {
  const scripts = readdirSync(join(WEB, "js"), { recursive: true }).filter((file) => file.endsWith(".js"));
  const said = scripts.flatMap((file) => [
    ...readFileSync(join(WEB, "js", file), "utf8").matchAll(/\bt\(\s*"([^"]+)"/g),
  ]);
  assert.ok(said.length > 30);
  const missing = said.map(([, text]) => text).filter((text) => !(text in english));
  assert.deepEqual([...new Set(missing)], []);
});

describeSite("languages", (open) => {
  test("the page speaks the browser's language, and another when asked", async () => {
    const page = await open("/chess", { locale: "de-DE" });
    assert.equal(await page.locator("#turn").textContent(), "Weiß am Zug");
    assert.equal(await page.locator("#tab-rules").textContent(), "Regeln");
    assert.equal(await page.getAttribute("html", "lang"), "de");
    await page.click("#help-open");
    await page.selectOption("#language", "en");
    await page.waitForFunction(() => document.querySelector("#turn")?.textContent === "White to move");
    page.calm();
    await page.context().close();
  });
});
