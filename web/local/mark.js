// The small mark of a page without a server: where the answers come from, what is not there, and how far
// long work has come. Games that are dropped onto the page are counted in the book.

import { answer, watch } from "./backend.js";
import { address, get, Problem, upload } from "../js/api.js";
import { gameAt } from "../js/place.js";

const mark = document.createElement("div");
mark.className = "in-browser";
mark.innerHTML = `<span title="No server is asked: everything is worked out on this device, also without a network. Books on PostgreSQL are not available here.">In your browser</span>
<progress hidden></progress><output></output><button type="button" title="The statistics of this game as lines of JSON">Save the book</button>`;
document.body.append(mark);
const [bar, words] = [mark.querySelector("progress"), mark.querySelector("output")];

// Until then what was said stays.
let quiet = null;
const say = (text, seconds) => {
  words.textContent = text;
  clearTimeout(quiet);
  const hush = () => {
    words.textContent = "";
    quiet = null;
  };
  quiet = setTimeout(hush, seconds * 1000);
};

// What is over at once is not worth a bar.
let since = 0;
watch((progress) => {
  if (!progress) {
    since = 0;
    bar.hidden = true;
    if (!quiet) words.textContent = "";
    return;
  }
  since ||= performance.now();
  if (performance.now() - since < 200) return;
  bar.hidden = false;
  const { stage, done, total, unit } = progress;
  if (total) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute("value");
  if (!quiet) words.textContent = `${stage}: ${done.toLocaleString("en")}${total ? " of " + total.toLocaleString("en") : ""} ${unit}`;
});

const gameHere = async () => gameAt(new URL(location.href)) ?? (await get("/games")).games[0].id;

mark.querySelector("button").onclick = async () => {
  const game = await gameHere();
  const book = await (await answer(address(`/games/${game}/book`))).blob();
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(book), download: `${game}.jsonl` });
  link.click();
  URL.revokeObjectURL(link.href);
};

addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
addEventListener("drop", async (event) => {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!files.length) return;
  event.preventDefault();
  for (const file of files) {
    const media = /\.(jsonl|ndjson)$/i.test(file.name) ? "application/x-ndjson" : "text/plain";
    try {
      say(`${file.name}: reading`, 600);
      const job = await upload(`/games/${await gameHere()}/records`, file, media);
      const [games, why] = [job.games.toLocaleString("en"), job.messages[0] ? `; ${job.messages[0]}` : ""];
      say(`${file.name}: ${games} games counted${why}`, 20);
    } catch (error) {
      say(error instanceof Problem ? error.message : String(error), 20);
    }
  }
});

navigator.serviceWorker?.register("sw.js");
