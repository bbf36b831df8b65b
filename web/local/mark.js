// The small mark of a page without a server: where the answers come from, what is not there, and how far
// long work has come.

import { watch } from "./backend.js";
import { kept } from "./files.js";

const mark = document.createElement("div");
mark.className = "in-browser";
mark.innerHTML = `<span title="No server is asked: everything is worked out on this device, also without a network. Books on PostgreSQL are not available here.">In your browser</span>
<progress hidden></progress><output></output><button type="button" title="The statistics of all games as files that Tabia reads elsewhere">Save the book</button>`;
document.body.append(mark);
const [bar, words] = [mark.querySelector("progress"), mark.querySelector("output")];

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
  words.textContent = `${stage}: ${done.toLocaleString("en")}${total ? " of " + total.toLocaleString("en") : ""} ${unit}`;
});

// The book is a folder of runs, and elsewhere Tabia reads it as it is: `tabia book query GAME --book FOLDER`.
mark.querySelector("button").onclick = async () => {
  for (const [name, bytes] of await kept("/book/")) {
    const href = URL.createObjectURL(new Blob([bytes]));
    Object.assign(document.createElement("a"), { href, download: name.split("/").pop() }).click();
    URL.revokeObjectURL(href);
  }
};

navigator.serviceWorker?.register("sw.js");
