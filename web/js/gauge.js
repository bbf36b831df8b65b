// A bar beside the board: how the game stands, as far as the solver or the engine knows.

import { $ } from "./dom.js";
import { view } from "./values.js";
import { t } from "./i18n.js";

export function watchGauge(store) {
  const gauge = $("gauge");
  const [bar, number] = gauge.children;
  const draw = () => {
    if (!store.answer) return;
    const dark = store.answer.board.dark_side;
    // While the next value is worked out, the last one stays.
    const at = store.tree.path().findLast((node) => node.value !== null);
    const value = at?.value ?? 0;
    const light = dark === 0 ? -value : value;
    gauge.hidden = store.game.players !== 2;
    gauge.classList.toggle("unknown", !at);
    gauge.classList.toggle("stale", at !== store.tree.current);
    gauge.classList.toggle("upside", store.flipped);
    gauge.classList.toggle("for-dark", light < 0);
    bar.style.height = `${Math.round(50 + 50 * light)}%`;
    number.textContent = at?.word ?? "";
    gauge.title = `${at?.word ?? t("not known yet")}; ${view(store.game)}`;
  };
  for (const what of ["value", "position", "look"]) store.on(what, draw);
}
