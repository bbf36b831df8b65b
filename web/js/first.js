// Before anything is drawn: the front page shows its words while the rest is on its way.

if (location.pathname === "/") document.body.className = "at-front";
