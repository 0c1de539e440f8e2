// Coloured strips over time: contact model, uniqueness, modes of the contacts, the plan's critical contact.
import { make, makeCard } from "./format.js";
import { kModes, kModeWords } from "./run.js";

const kModelWords = ["rigid", "compliant"];
const kMatrixWords = ["not P", "P", "undecided"];

/// The strips of one run: {label, stretches, name(state), cls(state)}.
export function stripsOf(run) {
  const strips = [
    { label: "model", stretches: run.stretches("model"), name: (s) => kModelWords[s], cls: (s) => `model-${kModelWords[s]}` },
    { label: "A is P?", stretches: run.stretches("p_matrix"), name: (s) => kMatrixWords[s], cls: (s) => `p-${s}` },
  ];
  for (const { name } of run.contacts)
    strips.push({ label: name, stretches: run.stretches(`mode.${name}`), name: (s) => kModeWords[kModes[s]], cls: (s) => `mode-${kModes[s]}` });
  const critical = run.stretches("critical_contact");
  if (critical.some(([, , state]) => state !== 255)) {
    strips.push({
      label: "critical contact", stretches: critical, name: (s) => run.contacts[s]?.name ?? "none",
      cls: (s) => (s === 255 ? "none" : "series"), colour: (s) => `var(--series-${s % 7})`,
    });
  }
  return strips;
}

/// A bar of one strip for the window [from, to].
export function stripBar(strip, [from, to]) {
  const bar = make("div", { class: "bar" });
  for (const [start, end, state] of strip.stretches) {
    const left = Math.max(from, start);
    const right = Math.min(to, end);
    if (!(right > left)) continue;
    const style = `left:${100 * (left - from) / (to - from)}%;width:${100 * (right - left) / (to - from)}%`;
    const colour = strip.colour ? `;--c:${strip.colour(state)}` : "";
    bar.append(make("span", { class: strip.cls(state), style: style + colour, title: `${strip.label}: ${strip.name(state)}, ${+start.toFixed(6)} s to ${+end.toFixed(6)} s` }));
  }
  return bar;
}

/// The card of strips; `add(run)` rows for each run.
export class StripCard {
  constructor(runs, group) {
    this.group = group;
    this.runs = runs.filter((run) => !run.empty);
    this.body = make("div", { class: "strips" });
    this.cursor = make("div", { class: "cursor" });
    this.area = make("div", { class: "strip-area" }, this.body, this.cursor);
    this.element = makeCard("plot-states", "Model, uniqueness and modes", null, stripLegend(), this.area);
    this.rows = [];
    for (const run of this.runs) {
      if (this.runs.length > 1) this.body.append(make("p", { class: "strip-run" }, run.label));
      for (const strip of stripsOf(run)) {
        const value = make("span", { class: "value" });
        const holder = make("div", { class: "bar-holder" });
        this.body.append(make("div", { class: "strip" }, make("div", { class: "strip-label" }, make("span", {}, strip.label), value), holder));
        this.rows.push({ run, strip, value, holder });
      }
    }
    this.area.addEventListener("click", (event) => {
      const box = this.area.getBoundingClientRect();
      const [from, to] = group.window;
      group.clock.set(from + (to - from) * (event.clientX - box.left) / box.width);
    });
    group.onWindow(() => this.draw());
    group.clock.onTime(() => this.move());
    this.draw();
  }

  draw() {
    for (const { strip, holder } of this.rows) holder.replaceChildren(stripBar(strip, this.group.window));
    this.move();
  }

  move() {
    const [from, to] = this.group.window;
    const { t } = this.group.clock;
    const inside = t >= from && t <= to;
    this.cursor.style.visibility = inside ? "visible" : "hidden";
    if (inside) this.cursor.style.left = `${100 * (t - from) / (to - from)}%`;
    for (const { strip, value } of this.rows) {
      const now = strip.stretches.find(([start, end]) => t >= start && t < end) ?? strip.stretches.at(-1);
      const text = now ? strip.name(now[2]) : "";
      if (value.textContent !== text) value.textContent = text;
    }
  }
}

function stripLegend() {
  const entries = [["model-rigid", "rigid"], ["model-compliant", "compliant"], ["p-1", "P: one answer"], ["p-0", "not P"], ["p-2", "undecided"],
    ["mode-roll", "rolls"], ["mode-slide+", "slides +"], ["mode-slide-", "slides −"], ["mode-open", "open"]];
  return make("ul", { class: "strip-legend", "aria-label": "Colours" }, entries.map(([cls, text]) => make("li", {}, make("span", { class: `chip ${cls}` }), text)));
}
