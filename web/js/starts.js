// Openings and boards: a menu with pictures.

import { address } from "./api.js";
import { $, h } from "./dom.js";

export const startPicture = (game, position) =>
  h("img", { src: address(`/games/${game.id}/board.svg`, { pos: position }), alt: "", loading: "lazy" });

export function startsMenu(store) {
  const button = $("starts-open");
  store.on("game", () => (button.hidden = store.game.starts.length < 2));
  store.on("position", () => {
    const here = store.game.starts.find((start) => start.position === store.answer.start);
    const named = store.game.starts.find((start) => start.position === store.answer.position);
    $("start-name").textContent = here && store.tree.start ? here.id : "";
    $("start-name").title = here?.about ?? "";
    $("name").textContent = named && named !== here ? named.id : (store.answer.opening ?? "");
    $("name").title = $("name").textContent;
  });
  button.onclick = () => {
    const dialog = $("starts");
    const open = (start) => () => {
      dialog.close();
      store.open(store.game, start.position);
    };
    $("starts-list").replaceChildren(
      ...store.game.starts.map((start) =>
        h(
          "button",
          { type: "button", class: "start-card", "data-start": start.id, onclick: open(start) },
          startPicture(store.game, start.position),
          h("strong", {}, start.id),
          h("span", { class: "quiet" }, start.about),
        ),
      ),
    );
    dialog.showModal();
  };
}
