// Before anything is drawn: the front page shows its words while the rest is on its way.

if (location.pathname.endsWith("/") && !/[?#&]game=/.test(location.href)) document.body.className = "at-front";
