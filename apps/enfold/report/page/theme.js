// Light and dark. Colours live in the style sheet; what is drawn on a canvas reads them from there.

const kKey = "enfold-theme";
const kChoices = ["auto", "light", "dark"];

export class Theme {
  constructor() {
    this.listeners = [];
    this.media = window.matchMedia("(prefers-color-scheme: dark)");
    this.media.addEventListener("change", () => this.apply());
    try { this.choice = localStorage.getItem(kKey) ?? "auto"; } catch { this.choice = "auto"; }
    if (!kChoices.includes(this.choice)) this.choice = "auto";
    this.printing = false;
    this.apply();
  }

  apply() {
    const dark = this.choice === "auto" ? this.media.matches : this.choice === "dark";
    document.documentElement.dataset.theme = dark && !this.printing ? "dark" : "light";
    this.style = getComputedStyle(document.documentElement);
    this.colours = new Map();
    for (const listener of this.listeners) listener();
  }

  next() {
    this.choice = kChoices[(kChoices.indexOf(this.choice) + 1) % kChoices.length];
    try { localStorage.setItem(kKey, this.choice); } catch { /* a page from a file may have no storage */ }
    this.apply();
  }

  /// The colour of a name in the style sheet, e.g. "ink".
  colour(name) {
    if (!this.colours.has(name)) this.colours.set(name, this.style.getPropertyValue(`--${name}`).trim());
    return this.colours.get(name);
  }
  /// Colour of contact, joint or coordinate i: the same everywhere, as in the figures of a run.
  series(i) { return this.colour(`series-${i % 7}`); }
}
