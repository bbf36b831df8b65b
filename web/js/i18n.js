// Words in the reader's language. The English sentence is the key: what a language file does not have is shown
// in English. A further language is a file in lang/ and its line here.

export const LANGUAGES = { en: "English", de: "Deutsch" };

let words = {};

// "{count} games" with its values put in.
export const t = (text, values) => {
  const said = words[text] ?? text;
  return values ? said.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all) : said;
};

// Sentences of the server that a language file knows: their keys begin with this, and have places for what varies.
const TOLD = "told: ";
let patterns = null;

const readPatterns = () =>
  Object.entries(words)
    .filter(([key]) => key.startsWith(TOLD))
    .map(([key, said]) => {
      const names = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const literal = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const form = key
        .slice(TOLD.length)
        .split(/\{\w+\}/)
        .map(literal)
        .join("(.+?)");
      return { names, said, form: new RegExp(`^${form}$`, "s") };
    });

// What the server says, in the reader's language where the file has it.
export const told = (text) => {
  patterns ??= readPatterns();
  for (const { names, said, form } of patterns) {
    const found = form.exec(text);
    if (!found) continue;
    const values = names.map((name, i) => [name, words[TOLD + found[i + 1]] ?? found[i + 1]]);
    return t(said, Object.fromEntries(values));
  }
  return text;
};

const wanted = () => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // Without a place to remember it, the browser's own language it is.
  }
};

export const language = () =>
  [wanted(), ...navigator.languages.map((tag) => tag.split("-")[0])].find((tag) => tag in LANGUAGES) ?? "en";

// Fetches the words, and says those that stand in the page itself.
export async function speak() {
  document.documentElement.lang = language();
  if (language() === "en") return;
  try {
    words = await (await fetch(new URL(`../lang/${language()}.json`, import.meta.url))).json();
  } catch {
    return; // English is better than nothing.
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.data.replace(/\s+/g, " ").trim();
    if (words[text]) walk.currentNode.data = walk.currentNode.data.replace(/\S[^]*\S|\S/, words[text]);
  }
  for (const name of SPOKEN)
    for (const element of document.querySelectorAll(`[${name}]`))
      element.setAttribute(name, t(element.getAttribute(name)));
}

// Attributes that people hear or read.
export const SPOKEN = ["title", "aria-label", "placeholder", "alt"];

// A choice between the languages; the page is loaded anew, so that everything speaks it.
export function chooser(select) {
  select.replaceChildren(...Object.entries(LANGUAGES).map(([tag, name]) => new Option(name, tag)));
  select.value = language();
  select.onchange = () => {
    try {
      localStorage.setItem("language", select.value);
    } catch {
      return;
    }
    location.reload();
  };
}
