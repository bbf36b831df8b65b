// The page: puts the parts together. Every rule of every game stays on the server.

import { Analysis } from "./analysis.js";
import { knowledge, marks, watchLegend } from "./answers.js";
import { get } from "./api.js";
import { arrows } from "./arrows.js";
import { Board } from "./board.js";
import { $, h, plural } from "./dom.js";
import { Editor } from "./editor.js";
import { front } from "./front.js";
import { watchGauge } from "./gauge.js";
import { chooser, speak, t } from "./i18n.js";
import { keyboard } from "./keyboard.js";
import { watchLine, watchPlot } from "./line.js";
import { likes } from "./likes.js";
import { watchMaterial } from "./material.js";
import { codes } from "./panels/codes.js";
import { engine } from "./panels/engine.js";
import { explorer } from "./panels/explorer.js";
import { puzzles } from "./panels/puzzles.js";
import { rules } from "./panels/rules.js";
import { solver } from "./panels/solver.js";
import { placeOf } from "./place.js";
import { Play } from "./play.js";
import { playbar } from "./playbar.js";
import { Review } from "./review.js";
import { Settings } from "./settings.js";
import { explain, pointed, smartBox } from "./smart.js";
import { solving } from "./solving.js";
import { sounds } from "./sounds.js";
import { startsMenu } from "./starts.js";
import { targets } from "./steps.js";
import { Store } from "./store.js";
import { watchStrip } from "./strip.js";
import { theme } from "./theme.js";
import { touching } from "./touching.js";
import { Trainer } from "./trainer.js";

const TABS = [
  ["explorer", "Explorer"],
  ["solver", "Solver"],
  ["engine", "Engine"],
  ["codes", "Codes"],
  ["rules", "Rules"],
  ["puzzles", "Puzzles"],
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
  await speak();
  chooser($("language"));
  const { games } = await get("/games");
  const store = new Store(games);
  const settings = new Settings();
  const board = new Board($("board"));
  const play = new Play(store, settings);
  const trainer = new Trainer(store);
  store.live = () => Boolean(store.tree.current.answer) && !store.blocked();
  const analysis = new Analysis(store);
  solving(store);
  gameLinks(store);
  startsMenu(store);
  positions(store, board, settings);
  touching(store, board);
  tabs(store, analysis, trainer);
  controls(store);
  for (const watch of [watchLine, watchPlot, watchGauge, watchMaterial]) watch(store);
  watchStrip(store, analysis);
  watchLegend(store, settings);
  arrows(store, board, settings);
  playbar(store, play, settings, analysis);
  likes(settings);
  sounds(store, settings);
  keyboard(
    store,
    TABS.map(([id]) => id),
  );
  smartBox(store);
  new Review(store);
  new Editor(store);
  const home = front(store);
  const follow = () => home() || store.follow().then(() => trainer.follow());
  addEventListener("popstate", follow);
  await follow();
  if (store.game) await play.resume();
}

function gameLinks(store) {
  const link = (game) =>
    h(
      "a",
      {
        href: placeOf(game.id),
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
  const edges = () => {
    const { scrollLeft, scrollWidth, clientWidth } = $("games");
    $("games").classList.toggle("before", scrollLeft > 4);
    $("games").classList.toggle("more", scrollLeft + clientWidth < scrollWidth - 4);
  };
  $("games").addEventListener("scroll", edges, { passive: true });
  addEventListener("resize", edges);
  edges();
  store.on("game", () => {
    for (const link of $("games").children) {
      link.toggleAttribute("aria-current", link.dataset.game === store.game.id);
      if (link.dataset.game === store.game.id) $("games").scrollLeft = link.offsetLeft - $("games").clientWidth / 2;
    }
    document.title = `${t(store.game.name)} · Tabia`;
    $("title").textContent = t(store.game.name);
    document.body.dataset.game = store.game.id;
  });
}

function tabs(store, analysis, trainer) {
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
    const shows = {
      explorer,
      solver,
      codes,
      rules,
      engine: () => engine(store, panel, analysis),
      puzzles: () => puzzles(store, panel, trainer),
    };
    open = shows[store.tab](store, panel, abort.signal) ?? null;
  };
  store.on("position", show);
  store.on("look", show);
  for (const what of ["solved", "report", "puzzle"]) store.on(what, () => open?.[what]?.());
}

function positions(store, board, settings) {
  const waits = (cell) => board.cells.get(cell)?.shape === "tray";
  const hint = () => {
    if (!board.svg || !store.answer) return;
    const moves = store.live() ? store.answer.moves : [];
    const reach = store.touched.length ? targets(moves, store.touched) : new Set();
    const worth = settings.values ? marks(store, knowledge(store), waits) : new Map();
    board.hint(store.touched, reach, store.touched.length ? new Set() : targets(moves, []), worth);
  };
  const draw = (answer, last, way) => {
    board.lay(answer.board, store.flipped, store.game.name);
    board.show(answer.board, last, way);
    hint();
  };
  store.on("position", ({ forward, undone }) => {
    const { answer } = store;
    store.shown = null;
    $("board").classList.remove("busy");
    draw(answer, answer.last, forward ? answer.last?.steps : undone && [...undone.steps].reverse());
    say(store);
    $("paste-text").value = answer.position;
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
  store.on("shown", () => draw(store.shown ?? store.answer, store.shown?.last, store.shown?.last?.steps));
  for (const what of ["touched", "solved", "report", "play", "stats"]) store.on(what, hint);
  settings.addEventListener("change", hint);
  store.on("expected", (move) => board.expect(move.steps, board.dropping));
  store.on("point", (steps) => board.svg && board.point(steps));
  store.on("loading", () => $("board").classList.add("busy"));
  store.on("fatal", (text) => notice(text));
  store.on("problem", (problem) => {
    $("board").classList.remove("busy");
    if (store.answer) {
      // The move that was shown before the answer came is taken back.
      draw(store.answer, null);
      store.tell("value");
      return problem.input === undefined ? notice(problem.message) : explain(problem);
    }
    $("turn").textContent = t("This address has no position.");
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
    win0: t("{who} has won.", { who: t(game.sides[0]) }),
    win1: game.players === 2 ? t("{who} has won.", { who: t(game.sides[1]) }) : t("Nothing is left to play."),
    draw: t("Drawn."),
  }[answer.outcome];
  const solved = game.players === 1 && answer.outcome === "win0" ? t("Solved.") : word;
  // The mark is the colour of who is to move, or of who has won.
  const whose = { win0: 0, win1: 1 }[answer.outcome] ?? answer.side;
  const tone = answer.outcome === "draw" ? "half" : whose === answer.board.dark_side ? "dark" : "light";
  $("turn").className = `turn ${answer.outcome ? "over" : ""} ${tone}`;
  $("turn").textContent =
    solved ??
    (game.players === 2
      ? t("{who} to move", { who: t(answer.side_name) })
      : plural(answer.move_count, ...game.move_words.map((word) => `possible ${word}`)));
  $("where").textContent = answer.last ? t("after {move}", { move: answer.last.move }) : "";
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
    if (!store.live()) return notice(store.blocked());
    try {
      await store.play(input.value.trim());
      input.value = "";
      notice("");
    } catch (problem) {
      notice(problem.message);
    }
  };
  $("copy").onclick = async () => {
    const link = new URL(store.url(), location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      $("copy").textContent = t("Copied");
    } catch {
      $("paste-text").value = link;
      $("paste-text").select();
      $("copy").textContent = t("Select and copy");
    }
    setTimeout(() => ($("copy").textContent = t("Share")), 1500);
  };
}
