// What a player sees: the dialog for a new game, the bar while it lasts, the result.

import { $, h, plural } from "./dom.js";
import { t } from "./i18n.js";
import { LEVELS } from "./play.js";
import { startPicture } from "./starts.js";

export function playbar(store, play, settings, analysis) {
  const bar = $("playbar");
  const button = (text, act, more = {}) => h("button", { type: "button", onclick: act, ...more }, text);
  const draw = () => {
    const { now } = play;
    document.body.classList.toggle("playing", play.going);
    bar.hidden = !now;
    $("new-game").hidden = store.game?.players !== 2;
    $("new-game").textContent = t(now ? "New game" : "Play");
    if (!now) return;
    const over = now.over && { disabled: true };
    const back = play.node.parent ? {} : { disabled: true };
    bar.replaceChildren(
      h("p", { class: "lead", role: "status" }, words(store, play)),
      h(
        "div",
        { class: "row" },
        play.stuck ? button("Try again", () => play.answer(), { id: "ask-again", class: "primary" }) : null,
        button("Take back", () => play.takeBack(), { id: "take-back", ...back }),
        now.hints && !now.over
          ? button(now.used ? t("Hint ({count} used)", { count: now.used }) : "Hint", () => play.hint(), {
              id: "hint",
              disabled: play.node.answer?.side !== now.you,
            })
          : null,
        button("Offer a draw", () => play.offerDraw(), { id: "offer-draw", ...over }),
        button("Resign", () => play.resign(), { id: "resign", ...over }),
        now.over ? button("Rematch", () => play.rematch(), { id: "rematch-bar" }) : null,
        button(now.over ? "Analyse" : "Leave the game", () => play.leave(), { id: "leave-game" }),
      ),
    );
  };
  store.on("play", draw);
  store.on("game", draw);
  store.on("over", (now) => result(store, play, now, analysis));
  $("new-game").onclick = () => newGame(store, play, settings);
}

function words(store, play) {
  const { now } = play;
  const { game } = store;
  const against =
    now.you === null
      ? t("Two people at one screen")
      : t("You are {who}, against {level}", { who: t(game.sides[now.you]), level: t(LEVELS[now.level].name) });
  if (now.over) return `${against}. ${outcomeWords(game, now.over)}`;
  const turn = play.thinking
    ? t("The engine is thinking …")
    : t("{who} to move", { who: t(game.sides[play.node.answer?.side ?? 0]) });
  return [h("span", {}, `${against}. `), h("span", { class: "quiet" }, play.asked || turn)];
}

const outcomeWords = (game, { outcome, why }) =>
  `${why ? `${why} ` : ""}${outcome === "draw" ? t("Drawn.") : t("{who} wins.", { who: t(game.sides[outcome === "win0" ? 0 : 1]) })}`;

function result(store, play, now, analysis) {
  const dialog = $("result");
  const won = { win0: 0, win1: 1 }[now.over.outcome];
  const close = (act) => () => {
    dialog.close();
    act();
  };
  $("result-title").textContent =
    now.you === null || won === undefined
      ? outcomeWords(store.game, { ...now.over, why: "" })
      : won === now.you
        ? t("You have won.")
        : t("The engine has won.");
  $("result-body").replaceChildren(
    h(
      "p",
      {},
      `${now.over.why} ${t("{moves} were played.", { moves: plural(store.tree.moves(play.node).length, ...store.game.move_words) })}`.trim(),
    ),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", id: "rematch", onclick: close(() => play.rematch()) }, "Rematch"),
      h(
        "button",
        {
          type: "button",
          id: "analyse",
          onclick: close(() => {
            play.leave();
            if (!analysis.on) analysis.toggle(true);
            store.tell("review");
          }),
        },
        "Analyse",
      ),
      h("button", { type: "button", id: "another", onclick: close(() => $("new-game").click()) }, "New game"),
      h("button", { type: "button", onclick: close(() => {}) }, "Close"),
    ),
  );
  dialog.showModal();
}

const TIMES = [0.2, 0.5, 1, 2, 5];

// Remembers what was chosen last.
let last = { side: "0", level: 4, time: 1, hints: false };

function newGame(store, play, settings) {
  const { game, answer } = store;
  const radio = (name, value, text, checked, more) =>
    h(
      "label",
      { class: "pick" },
      h("input", { type: "radio", name, value, checked }),
      more ?? null,
      h("span", {}, text),
    );
  const sides = [
    ...game.sides.map((side, i) => [String(i), t("I play {who}", { who: t(side) })]),
    ["random", "Either"],
    ["both", "Two people at one screen"],
  ];
  const starts = [
    ...game.starts.map((start) => [start.id, start.id, start.position]),
    ...(store.tree.current.parent || store.tree.start ? [["here", "the position on the board", answer.position]] : []),
  ];
  const many = starts.length > 1;
  const field = (title, ...parts) => h("fieldset", {}, h("legend", {}, title), h("div", { class: "picks" }, parts));
  const form = h(
    "form",
    { method: "dialog", id: "new-game-form" },
    field(
      "Who plays",
      sides.map(([value, text]) => radio("side", value, text, value === last.side)),
    ),
    field(
      "Strength of the engine",
      h(
        "select",
        { name: "level", "aria-label": "Strength of the engine" },
        LEVELS.map(({ name, about }, i) =>
          h("option", { value: i, selected: i === last.level }, `${t(name)}: ${t(about)}`),
        ),
      ),
      h(
        "label",
        {},
        "at most ",
        h(
          "select",
          { name: "time" },
          TIMES.map((time) => h("option", { value: time, selected: time === last.time }, time)),
        ),
        " seconds a move",
      ),
    ),
    many
      ? field(
          "From",
          starts.map(([value, text, position], i) =>
            radio("start", value, text, i === 0, startPicture(game, position)),
          ),
        )
      : null,
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "hints", checked: last.hints }),
      "I may ask for hints",
    ),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "turning", checked: settings.turning }),
      "Two people: turn the board after every move",
    ),
    h(
      "div",
      { class: "row" },
      h("button", { type: "submit", class: "primary", id: "begin", value: "begin" }, "Begin"),
      h("button", { type: "submit", value: "" }, "Cancel"),
    ),
  );
  const dialog = $("new");
  $("new-body").replaceChildren(form);
  dialog.onclose = () => {
    if (dialog.returnValue !== "begin") return;
    const chosen = new FormData(form);
    const side = chosen.get("side");
    last = {
      side,
      level: Number(chosen.get("level")),
      time: Number(chosen.get("time")),
      hints: chosen.has("hints"),
    };
    if (settings.turning !== chosen.has("turning")) settings.set("turning", chosen.has("turning"));
    const you = side === "both" ? null : side === "random" ? Math.floor(2 * Math.random()) : Number(side);
    const start = starts.find(([id]) => id === chosen.get("start"))?.[2];
    play.begin({ you, level: last.level, time: last.time, hints: last.hints, start });
  };
  dialog.returnValue = "";
  dialog.showModal();
}
