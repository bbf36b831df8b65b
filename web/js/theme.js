// Light or dark: as the system says, until somebody says otherwise.

export function theme(button) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const apply = () => {
    const now = stored() ?? (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = now;
    button.textContent = now === "dark" ? "☀" : "☾";
  };
  button.onclick = () => {
    try {
      localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    } catch {
      // Without a place to remember it, the choice lasts as long as the page.
    }
    apply();
  };
  system.addEventListener("change", apply);
  apply();
}
