// The small mark of a page without a server: where the answers come from, what is not there, how far long work
// has come, and when there is a new version.

import { $, grouped } from "../js/dom.js";
import { t } from "../js/i18n.js";
import { watch } from "./backend.js";
import { kept } from "./files.js";

const [bar, words] = [$("far"), $("far-words")];

// What is over at once is not worth a bar.
let since = 0;
watch((progress) => {
  if (!progress) {
    since = 0;
    bar.hidden = true;
    words.textContent = "";
    return;
  }
  since ||= performance.now();
  if (performance.now() - since < 200) return;
  bar.hidden = false;
  const { stage, done, total, unit } = progress;
  if (total) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute("value");
  words.textContent = `${stage}: ${grouped(done)}${total ? " / " + grouped(total) : ""} ${unit}`;
});

// The book is a folder of runs, and elsewhere Tabia reads it as it is: `tabia book query GAME --book FOLDER`.
$("save-book").onclick = async () => {
  const files = await kept("/book/");
  $("saved").textContent = files.length ? "" : t("The book is empty.");
  for (const [name, bytes] of files) {
    const href = URL.createObjectURL(new Blob([bytes]));
    Object.assign(document.createElement("a"), { href, download: name.split("/").pop() }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }
};

// A new version waits until it is asked for; then all pages of the old one are loaded anew.
const workers = navigator.serviceWorker;
const controlled = Boolean(workers?.controller);
workers?.addEventListener("controllerchange", () => controlled && location.reload());
if (workers) {
  const registration = await workers.register("sw.js");
  const offer = () => {
    $("renew").hidden = !(registration.waiting && workers.controller);
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  $("renew").onclick = () => registration.waiting?.postMessage("now");
  offer();
}
