// A bar beside the board: how the game stands, as far as the solver or the engine knows.

import { $ } from "./dom.js";

export function watchGauge(store) {
  const gauge = $("gauge");
  const draw = () => {
    const { value } = store.tree.current;
    gauge.hidden = store.game.players !== 2;
    gauge.classList.toggle("unknown", value === null);
    gauge.firstElementChild.style.height = `${Math.round(50 + 50 * (store.answer?.board.dark_side === 0 ? -value : value))}%`;
    gauge.classList.toggle("upside", store.flipped);
  };
  for (const what of ["value", "position", "look"]) store.on(what, draw);
}
