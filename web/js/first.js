// Before anything is drawn: the front page shows its words while the rest is on its way, and what the page will ask
// of a server first is asked now, while its modules are on their way, too.

(() => {
  const front = location.pathname.endsWith("/");
  if (front && !/[?#&]game=/.test(location.href)) document.body.className = "at-front";
  if (document.querySelector('meta[name="tabia-answers"]')) return;
  const early = (path) =>
    document.head.append(
      Object.assign(document.createElement("link"), {
        rel: "preload",
        as: "fetch",
        crossOrigin: "anonymous",
        href: path,
      }),
    );
  early("api/v1/games");
  if (front || location.search || location.hash) return;
  const game = `api/v1/games/${location.pathname.split("/").pop()}`;
  early(`${game}/position?board=true`);
  early(`${game}/stats`);
})();
