// The page: puts the parts together. Every rule of every game stays on the server.

import { address, get, Problem } from "./api.js";
import { placeOf } from "./place.js";
import { Board } from "./board.js";
import { $, h, plural } from "./dom.js";
import { watchGauge } from "./gauge.js";
import { keyboard } from "./keyboard.js";
import { watchLine, watchPlot } from "./line.js";
import { codes } from "./panels/codes.js";
import { Engine } from "./panels/engine.js";
import { explorer } from "./panels/explorer.js";
import { rules } from "./panels/rules.js";
import { solver } from "./panels/solver.js";
import { solving } from "./solving.js";
import { fitting, targets, touch } from "./steps.js";
import { Store } from "./store.js";
import { theme } from "./theme.js";

const TABS = [
  ["explorer", "Explorer"],
  ["solver", "Solver"],
  ["engine", "Engine"],
  ["codes", "Codes"],
  ["rules", "Rules"],
];

theme($("theme"));
start().catch((problem) => {
  $("board").replaceChildren(
    h(
      "div",
      { class: "failed", role: "alert" },
      h("p", {}, problem.message),
      h("button", { type: "button", onclick: () => location.reload() }, "Try again"),
    ),
  );
});

async function start() {
  const { games } = await get("/games");
  const store = new Store(games);
  // A drag starts where a move starts, unless the cell is the next step of what has been touched.
  const may = (cell) => {
    const moves = store.live() ? store.answer.moves : [];
    const goesOn = store.touched.length > 0 && fitting(moves, [...store.touched, cell]).length > 0;
    return !goesOn && fitting(moves, [cell]).length > 0;
  };
  const board = new Board($("board"), { touched: (cell) => touched(store, cell), may });
  store.live = () => store.answer && !store.shown;
  const engine = new Engine(store);
  solving(store);
  gameLinks(store);
  tabs(store, engine);
  positions(store, board);
  controls(store);
  watchLine(store);
  watchPlot(store);
  watchGauge(store);
  keyboard(
    store,
    TABS.map(([id]) => id),
  );
  addEventListener("popstate", () => store.follow());
  await store.follow();
}

// A touch of a cell: selects, goes on, plays, or asks which move is meant.
function touched(store, cell) {
  if (!store.live()) return;
  const result = touch(store.answer.moves, store.touched, cell);
  store.touched = result.touched ?? [];
  store.tell("touched");
  if (result.play) store.play(result.play.move);
  if (result.choose) choose(store, result.choose);
}

function choose(store, moves) {
  const dialog = $("chooser");
  const pick = (move) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          dialog.close();
          store.play(move.move);
        },
        onpointerenter: () => store.tell("point", move.steps),
      },
      h("img", { src: address(`/games/${store.game.id}/board.svg`, { pos: move.position }), alt: "" }),
      h("span", {}, move.move),
    );
  $("choices").replaceChildren(...moves.map(pick));
  dialog.onclose = () => store.tell("point", null);
  dialog.showModal();
}

function gameLinks(store) {
  const link = (game) =>
    h(
      "a",
      {
        href: placeOf(game.id, []),
        "data-game": game.id,
        onclick: (event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          store.open(game);
        },
      },
      game.short_name,
    );
  $("games").replaceChildren(...store.games.map(link));
  store.on("game", () => {
    for (const link of $("games").children) {
      link.toggleAttribute("aria-current", link.dataset.game === store.game.id);
      if (link.dataset.game === store.game.id) $("games").scrollLeft = link.offsetLeft - $("games").clientWidth / 2;
    }
    document.title = `${store.game.name} · Tabia`;
    document.body.dataset.game = store.game.id;
    const named = store.game.starts.filter((start) => store.game.starts.length > 1);
    $("starts").replaceChildren(
      ...named.map((start) =>
        h(
          "button",
          { type: "button", class: "chip", title: start.about, onclick: () => store.open(store.game, start.position) },
          start.id,
        ),
      ),
    );
  });
}

function tabs(store, engine) {
  const panel = $("panel");
  const make = ([id, name], i) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": "panel",
        "aria-keyshortcuts": String(i + 1),
        onclick: () => store.look({ tab: id }),
      },
      name,
    );
  $("tabs").replaceChildren(...TABS.map(make));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = TABS.findIndex(([id]) => id === store.tab);
    store.look({ tab: TABS[(at + step + TABS.length) % TABS.length][0] });
    $(`tab-${store.tab}`).focus();
  });
  let [open, abort] = [null, null];
  const show = () => {
    abort?.abort();
    abort = new AbortController();
    store.tell("point", null);
    if (!TABS.some(([id]) => id === store.tab)) store.tab = "explorer";
    for (const [id] of TABS) {
      $(`tab-${id}`).setAttribute("aria-selected", String(id === store.tab));
      $(`tab-${id}`).tabIndex = id === store.tab ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `tab-${store.tab}`);
    panel.dataset.tab = store.tab;
    engine.host = store.tab === "engine" ? panel : null;
    if (store.tab === "engine") engine.draw();
    else open = { explorer, solver, codes, rules }[store.tab](store, panel, abort.signal) ?? null;
  };
  store.on("position", show);
  store.on("look", show);
  store.on("solved", () => store.tab !== "engine" && open?.solved?.());
}

function positions(store, board) {
  const hint = () => {
    const moves = store.live() ? store.answer.moves : [];
    const reach = store.touched.length ? targets(moves, store.touched) : new Set();
    board.hint(store.touched, reach, store.touched.length ? new Set() : targets(moves, []));
  };
  const draw = (answer, last) => {
    board.lay(answer.board, store.flipped, store.game.name);
    board.show(answer.board, last);
    hint();
  };
  store.on("position", () => {
    const { answer } = store;
    store.shown = null;
    $("board").classList.remove("busy");
    draw(answer, answer.last);
    say(store);
    $("paste-text").value = answer.position;
    $("paste-error").replaceChildren();
    notice(store.fatal?.() ?? "");
    for (const [id, off] of [
      ["back", !store.tree.current.parent],
      ["first", !store.tree.current.parent],
      ["forward", !store.tree.current.children.length],
      ["last", !store.tree.current.children.length],
    ])
      $(id).disabled = off;
  });
  store.on("look", () => store.answer && draw(store.shown ?? store.answer, (store.shown ?? store.answer).last));
  store.on("shown", () => {
    draw(store.shown ?? store.answer, store.shown ? store.shown.last : null);
  });
  store.on("touched", hint);
  store.on("point", (steps) => board.svg && board.point(steps));
  store.on("advice", (steps) => board.svg && board.advise(steps));
  store.on("loading", () => $("board").classList.add("busy"));
  store.on("fatal", (text) => notice(text));
  store.on("problem", (problem) => {
    $("board").classList.remove("busy");
    if (store.answer) return explain(problem);
    $("turn").textContent = "This address has no position.";
    $("where").textContent = problem.message;
    $("board").replaceChildren(
      h(
        "div",
        { class: "failed" },
        h("p", {}, problem.message),
        pointed(problem),
        h("button", { type: "button", onclick: () => store.open(store.game) }, `Start ${store.game.name}`),
      ),
    );
    board.shape = null;
  });
}

function say(store) {
  const { answer, game } = store;
  const word = {
    win0: `${game.sides[0]} has won.`,
    win1: game.players === 2 ? `${game.sides[1]} has won.` : `No ${game.move_words[0]} is left.`,
    draw: "Drawn.",
  }[answer.outcome];
  const solved = game.players === 1 && answer.outcome === "win0" ? "Solved." : word;
  $("turn").className =
    `turn side${answer.side} ${answer.outcome ? "over" : ""} ${answer.side === answer.board.dark_side ? "dark" : "light"}`;
  $("turn").textContent =
    solved ??
    (game.players === 2
      ? `${answer.side_name} to move`
      : plural(answer.move_count, ...game.move_words.map((word) => `possible ${word}`)));
  $("where").textContent = answer.last ? `after ${answer.last.move}` : "";
}

function notice(text) {
  $("notice").textContent = text;
  $("notice").hidden = !text;
}

function controls(store) {
  const go = (node) => node && node !== store.tree.current && store.go(node);
  $("first").onclick = () => go(store.tree.root);
  $("back").onclick = () => go(store.tree.current.parent);
  $("forward").onclick = () => go(store.tree.next());
  $("last").onclick = () => go(store.tree.end());
  $("flip").onclick = () => store.look({ flipped: !store.flipped });
  $("help-open").onclick = () => $("help").showModal();
  $("typed").onsubmit = async (event) => {
    event.preventDefault();
    const input = $("typed-move");
    if (!input.value.trim() || !store.answer) return;
    try {
      await store.play(input.value.trim());
      input.value = "";
      notice("");
    } catch (problem) {
      notice(problem.message);
    }
  };
  $("paste").onsubmit = async (event) => {
    event.preventDefault();
    try {
      await store.open(store.game, $("paste-text").value);
    } catch (problem) {
      explain(problem);
    }
  };
  $("copy").onclick = async () => {
    const link = new URL(store.url(), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      $("copy").textContent = "Copied";
    } catch {
      $("paste-text").value = link;
      $("paste-text").select();
      $("copy").textContent = "Select and copy";
    }
    setTimeout(() => ($("copy").textContent = "Share"), 1500);
  };
}

// Says what is wrong with what was typed, and points at the place.
function explain(problem) {
  const reasons =
    problem.reasons?.length > 1
      ? h(
          "ul",
          {},
          problem.reasons.map((reason) => h("li", {}, reason)),
        )
      : h("p", {}, problem.message);
  $("paste-error").replaceChildren(reasons, pointed(problem) ?? "");
  $("paste-error").scrollIntoView({ block: "nearest" });
}

// The text with the offending character marked. Offsets count bytes.
function pointed(problem) {
  if (!(problem instanceof Problem) || problem.offset === undefined || problem.input === undefined) return null;
  const bytes = new TextEncoder().encode(problem.input);
  const read = (part) => new TextDecoder().decode(part);
  const rest = [...read(bytes.slice(problem.offset))];
  return h(
    "pre",
    { class: "pointed" },
    read(bytes.slice(0, problem.offset)),
    h("mark", {}, rest[0] ?? "␣"),
    rest.slice(1).join(""),
  );
}
