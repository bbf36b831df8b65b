// What a person likes: remembered in this browser, told to those who watch.

const LIKES = { values: true, arrows: true, sounds: false, board: "wood", pieces: "carved", turning: false };

export class Settings extends EventTarget {
  constructor() {
    super();
    let stored = {};
    try {
      stored = JSON.parse(localStorage.getItem("settings") ?? "{}");
    } catch {
      // What cannot be read is as if it had never been said.
    }
    Object.assign(this, LIKES, Object.fromEntries(Object.entries(stored).filter(([name]) => name in LIKES)));
    this.apply();
  }

  set(name, value) {
    this[name] = value;
    try {
      localStorage.setItem(
        "settings",
        JSON.stringify(Object.fromEntries(Object.keys(LIKES).map((id) => [id, this[id]]))),
      );
    } catch {
      // Without a place to remember it, the choice lasts as long as the page.
    }
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  // Colours and shapes are the style sheet's.
  apply() {
    Object.assign(document.documentElement.dataset, { board: this.board, pieces: this.pieces });
  }
}
