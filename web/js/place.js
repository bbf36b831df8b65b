// Where a game stands in the address: a server knows a path for each, a static site has one page for all.

const ROOT = new URL(".", document.baseURI).pathname;

export const isStatic = Boolean(document.querySelector('meta[name="tabia-answers"][content="worker"]'));

// An address below the page, whatever folder it is served from.
export const below = (path) => ROOT + path;

// The address of a game with what else is to be said. Servers need not read what is long: the page alone does.
export function placeOf(id, given = [], long = Infinity) {
  const query = String(new URLSearchParams(isStatic ? [["game", id], ...given] : given));
  return below((isStatic ? "" : id) + (query && (query.length < long ? "?" : "#") + query));
}

// The game that an address names.
export const gameAt = (url) =>
  isStatic ? new URLSearchParams(url.search || url.hash.slice(1)).get("game") : url.pathname.slice(ROOT.length);
