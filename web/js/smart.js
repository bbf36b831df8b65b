// The box that takes anything: games, lists of moves, positions and codes of any game, links of ours, files.

import { post, Problem } from "./api.js";
import { $, h } from "./dom.js";
import { enter, leftOut } from "./drop.js";
import { keeping } from "./keeping.js";
import { t, told } from "./i18n.js";
import { load } from "./load.js";
import { placeOf } from "./place.js";

// What is looked at of a long file to say what it is.
const GLANCE = 2_000_000;

export function smartBox(store) {
  const field = $("paste-text");
  const open = (text) => take(store, text).catch((problem) => explain(problem));
  $("paste").onsubmit = (event) => {
    event.preventDefault();
    if (field.value.trim()) open(field.value);
  };
  field.onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    $("paste").requestSubmit();
  };
  // What is pasted into the empty or selected box is meant whole: it opens at once.
  field.onpaste = (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    const whole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    if (!whole || !text.trim()) return;
    event.preventDefault();
    field.value = text;
    open(text);
  };
  field.onfocus = () => field.select();
  $("file-open").onclick = () => $("file").click();
  $("file").onchange = () => {
    read($("file").files);
    $("file").value = "";
  };
  const read = async (files) => {
    for (const file of files) await take(store, await file.text(), file.name).catch((problem) => explain(problem));
  };
  dropping(read);
  $("found-close").onclick = () => say();
  // What was said is about what was opened: whoever goes on has read it.
  for (const what of ["touched", "position"]) store.on(what, () => say());
}

// Files may be dropped anywhere on the page.
function dropping(read) {
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  const over = (on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget || over(false));
  addEventListener("drop", (event) => {
    over(false);
    if (!carries(event)) return;
    event.preventDefault();
    read(event.dataTransfer.files);
  });
}

// How often something was given: what was given before the last is not opened over it.
let given = 0;

// Opens whatever the text is: one thing at once, several as a list.
async function take(store, text, name) {
  const turn = ++given;
  say(h("p", { class: "quiet loading" }, "Reading …"));
  if (follow(store, text)) return say();
  const part = text.length > GLANCE ? text.slice(0, text.lastIndexOf("\n\n", GLANCE)) : text;
  const { found, more, skipped = [] } = await post("/recognise", { text: part, game: store.game?.id });
  if (turn !== given) return;
  const games = found.length > 1 && found.every(({ kind, game }) => kind === "game" && game === found[0].game);
  if (games || more || part !== text) {
    say();
    return list(store, found, more, { text, part, name, skipped });
  }
  await show(store, found[0], found.slice(1));
  if (name) $("recognised").append(intoBook(store, found, text) ?? "");
}

// Loads it and says so, with what else the text could be.
async function show(store, item, others = []) {
  await load(store, item);
  const other = (one) => {
    const rest = [item, ...others.filter((known) => known !== one)];
    return h("button", { type: "button", class: "link", onclick: () => show(store, one, rest) }, told(one.summary));
  };
  say(
    h("p", {}, t("Opened {what}.", { what: told(item.summary) })),
    ...(others.length
      ? [
          h(
            "p",
            { class: "quiet" },
            t("It could also be:"),
            others.map((one) => [" ", other(one)]),
          ),
        ]
      : []),
  );
}

// A link to a position or game of this page, wherever it was copied.
function follow(store, text) {
  if (!/^https?:\/\/\S+$/.test(text.trim())) return false;
  const { searchParams, pathname, hash } = new URL(text.trim());
  const named = searchParams.get("game") ?? pathname.slice(1);
  if (!store.games.some(({ id }) => id === named)) return false;
  searchParams.delete("game");
  history.pushState(null, "", placeOf(named, [...searchParams]) + hash);
  store.follow();
  return true;
}

// Several games: which one, or all of them into the book.
function list(store, found, more, { text, part, name, skipped }) {
  const dialog = $("several");
  const total = found.length + (more ?? 0);
  const count = part === text ? String(total) : t("more than {count}", { count: total });
  const row = (item) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            dialog.close();
            show(store, item).catch(explain);
          },
        },
        told(item.summary),
      ),
    );
  const rows = h("ol", { class: "several" }, found.map(row));
  const seek = h("input", {
    type: "search",
    placeholder: "Find a name, a year …",
    "aria-label": "Find a name, a year …",
    oninput: () => {
      const wanted = seek.value.toLowerCase();
      [...rows.children].forEach((li) => (li.hidden = !li.textContent.toLowerCase().includes(wanted)));
    },
  });
  dialog
    .querySelector(".inside")
    .replaceChildren(
      h("h2", { id: "several-title" }, name ? `${name}: ` : "", t("{count} games", { count })),
      intoBook(store, found, text) ?? "",
      found.length > 8 ? seek : "",
      rows,
      skipped.length ? leftOut(skipped.map(({ number, line, reason }) => `${number} (${line}): ${reason}`)) : "",
      more ? h("p", { class: "quiet" }, t("{count} more are not listed.", { count: more })) : "",
    );
  dialog.showModal();
}

// A button that puts all games of a text into the book, and says how that went.
function intoBook(store, found, text) {
  const ids = new Set(found.map(({ game }) => game));
  if (ids.size !== 1 || found.some(({ kind }) => kind !== "game")) return null;
  const state = h("div", { class: "quiet", role: "status" });
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        button.disabled = true;
        await enter(store, [...ids][0], text, state);
      },
    },
    "Put into the book",
  );
  return h("div", { class: "into" }, button, keeping(), state);
}

// Says something below the box, over the page, so that nothing moves; nothing takes it away.
function say(...what) {
  $("recognised").replaceChildren(...what);
  $("paste-error").replaceChildren();
  $("found").hidden = !what.length;
}

// Says what is wrong with what was given, and points at the place.
export function explain(problem) {
  say();
  const message = problem.message.replace(/^./, (first) => first.toUpperCase());
  $("paste-error").replaceChildren(h("p", {}, told(message)), pointed(problem) ?? "", reasonsOf(problem) ?? "");
  $("found").hidden = false;
}

// All that is wrong: every broken rule; or how each game would have read it, for those who want to know.
function reasonsOf({ reasons = [] }) {
  if (reasons.length < 2) return null;
  const list = h(
    "ul",
    {},
    reasons.map((reason) => h("li", {}, told(reason))),
  );
  const readings = reasons.every((reason) => reason.startsWith("as "));
  return readings ? h("details", {}, h("summary", {}, "How each game reads it"), list) : list;
}

// The text with the offending character marked, and some of what stands around it. Offsets count bytes.
export function pointed(problem) {
  if (!(problem instanceof Problem) || problem.offset === undefined || problem.input === undefined) return null;
  const bytes = new TextEncoder().encode(problem.input);
  const read = (part) => new TextDecoder().decode(part);
  const [before, rest] = [read(bytes.slice(0, problem.offset)), [...read(bytes.slice(problem.offset))]];
  const cut = before.length > 160 ? "… " + before.slice(-150) : before;
  return h(
    "pre",
    { class: "pointed" },
    cut,
    h("mark", {}, rest[0] ?? "␣"),
    rest.slice(1, 120).join("") + (rest.length > 120 ? " …" : ""),
  );
}
