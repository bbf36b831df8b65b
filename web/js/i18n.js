// Words in the reader's language. The English sentence is the key: what a language file does not have is shown
// in English. A further language is a file in lang/ and its line here.

export const LANGUAGES = { en: "English", de: "Deutsch" };

let words = {};

// "{count} games" with its values put in.
export const t = (text, values) => {
  const said = words[text] ?? text;
  return values ? said.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all) : said;
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
