// Where a game stands in the address: a server knows a path for each, a static site has one page for all.

const ROOT = new URL(".", document.baseURI).pathname;

export const isStatic = Boolean(document.querySelector('meta[name="tabia-answers"][content="worker"]'));

// An address below the page, whatever folder it is served from.
export const below = (path) => ROOT + path;

// The address of a game with what else is to be said.
export function placeOf(id, given) {
  const query = new URLSearchParams(isStatic ? [["game", id], ...given] : given).toString();
  return below((isStatic ? "" : id) + (query && "?" + query));
}

// The game that an address names.
export const gameAt = (url) => (isStatic ? url.searchParams.get("game") : url.pathname.slice(ROOT.length));
