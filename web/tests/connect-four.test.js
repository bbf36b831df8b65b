// A game in somebody else's crate has the whole page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CONNECT_FOUR, describeSite, line, play } from "./support.js";

if (CONNECT_FOUR) {
  describeSite(
    "connect four",
    (open) => {
      test("three moves are played by click", async () => {
        const page = await open("/connect-four");
        await play(page, ["d1"]);
        await play(page, ["d2"]);
        await play(page, ["c1"]);
        assert.deepEqual(await line(page), ["d", "d", "c"]);
        page.calm();
        await page.context().close();
      });
    },
    CONNECT_FOUR,
  );
} else {
  test("connect four", { skip: "skipped: connect four in the browser: the example is not built" }, () => {});
}
