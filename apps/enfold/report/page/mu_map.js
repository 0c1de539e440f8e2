// Where in the space of friction coefficients rigid contact has one answer, at the time of the clock: A(μ) = A₀ + A₁ diag(μ)
// from the recorded matrices, checked here. Moving a μ asks "what if", with the motion as it was.
import { formatNumber, make, makeCard, makeSvg } from "./format.js";
import { classify, contactMatrix, relativeMinor, uniqueInterval } from "./p_matrix.js";

const kMostContacts = 10;
const kSize = 340;
const kLeft = 44;
const kBottom = 40;
const kRight = 16;

/// The two groups of the map: by equal μ if there are two values, else the first contact and the others.
function chooseGroups(mu) {
  const values = [...new Set(mu)];
  if (mu.length < 2) return [[0], []];
  if (values.length === 2) return values.map((v) => mu.map((m, i) => (m === v ? i : -1)).filter((i) => i >= 0));
  return [mu.map((_, i) => i).filter((i) => i % 2 === 0), mu.map((_, i) => i).filter((i) => i % 2 === 1)];
}

export class MuMap {
  constructor(run, clock) {
    Object.assign(this, { run, clock });
    this.design = run.contacts.map(({ mu }) => mu ?? 0);
    this.mu = this.design.slice();
    this.top = Math.max(1, 2 * Math.max(...this.design));
    this.groups = chooseGroups(this.design);
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.note = make("p", { class: "note" });
    this.sliders = run.contacts.map(({ name }, i) => this.makeSlider(name, i));
    const several = run.contacts.length > 1;
    this.element = makeCard("mu-map", "Is the physics unique? What if μ were different",
      "Drag a μ, or the point in the map. A(μ) = A₀ + A₁ diag(μ) as recorded at the cursor's time; the motion is not computed again.",
      this.verdict,
      make("div", { class: "map-row" }, several ? this.makeMap() : null,
        make("div", { class: "map-side" }, several ? this.makeAxes() : null, ...this.sliders.map((s) => s.element),
          make("button", { type: "button", class: "plain", onclick: () => this.reset() }, "Back to the scenario's μ"), this.note)));
    this.draw(clock.t, true);
  }

  makeSlider(name, i) {
    const range = make("input", {
      type: "range", min: 0, max: this.top, step: this.top / 1000, value: this.mu[i], "aria-label": `μ of ${name}`,
      oninput: (event) => this.setMu(i, +event.target.value),
    });
    const number = make("input", {
      type: "number", min: 0, step: "any", value: this.mu[i], "aria-label": `μ of ${name}, as a number`,
      onchange: (event) => this.setMu(i, Math.max(0, +event.target.value || 0)),
    });
    const span = make("span", { class: "span" });
    const track = make("div", { class: "track" }, make("div", { class: "zone" }), range);
    const element = make("div", { class: "mu" }, make("div", { class: "mu-head" }, make("span", { class: "swatch", style: `--c:var(--series-${i % 7})` }), make("span", { class: "name" }, name), number), track, span);
    return { element, range, number, span, track, zone: track.firstChild };
  }

  makeAxes() {
    const names = this.run.contacts.map(({ name }) => name);
    const choices = (own) => [make("option", { value: "group" }, own.map((i) => names[i]).join(", ")), ...names.map((name, i) => make("option", { value: i }, name))];
    this.axes = ["across", "upwards"].map((word, a) => {
      const own = this.groups[a];
      const select = make("select", { "aria-label": `contacts whose μ goes ${word}`, onchange: () => {
        this.groups[a] = select.value === "group" ? own : [+select.value];
        this.drawMap();
      } }, choices(own));
      return make("label", { class: "axis-choice" }, `${word}: `, select);
    });
    return make("div", { class: "axes" }, this.axes);
  }

  makeMap() {
    this.region = makeSvg("path", { class: "region" });
    this.now = makeSvg("circle", { r: 8, class: "now" });
    this.there = makeSvg("circle", { r: 6, class: "design" });
    this.labels = [makeSvg("text", { x: kLeft + (kSize - kLeft) / 2, y: kSize - 6, class: "axis-name", "text-anchor": "middle" }),
      makeSvg("text", { transform: `translate(12 ${(kSize - kBottom) / 2}) rotate(-90)`, class: "axis-name", "text-anchor": "middle" })];
    this.ticks = makeSvg("g", { class: "ticks" });
    this.svg = makeSvg("svg", { viewBox: `0 0 ${kSize} ${kSize}`, class: "map", role: "img", "aria-label": "Map of friction: where A is a P-matrix" },
      makeSvg("defs", {}, makeSvg("pattern", { id: "not-p", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, makeSvg("line", { y2: 7, class: "hatch" }))),
      makeSvg("rect", { x: kLeft, y: 8, width: kSize - kLeft - kRight, height: kSize - kBottom - 8, class: "plane" }),
      makeSvg("rect", { x: kLeft, y: 8, width: kSize - kLeft - kRight, height: kSize - kBottom - 8, fill: "url(#not-p)" }),
      this.region, this.ticks, ...this.labels, this.there, this.now);
    this.drawTicks();
    const move = (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = (event.clientX - box.left) * kSize / box.width;
      const y = (event.clientY - box.top) * kSize / box.height;
      this.setGroup(0, this.muOfX(x), false);
      this.setGroup(1, this.muOfY(y), true);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.dragging = true;
      move(event);
    });
    this.svg.addEventListener("pointermove", (event) => { if (this.dragging) move(event); });
    for (const type of ["pointerup", "pointercancel"]) this.svg.addEventListener(type, () => { this.dragging = false; });
    return this.svg;
  }

  xOfMu(mu) { return kLeft + (kSize - kLeft - kRight) * mu / this.top; }
  yOfMu(mu) { return kSize - kBottom - (kSize - kBottom - 8) * mu / this.top; }
  muOfX(x) { return Math.min(this.top, Math.max(0, (x - kLeft) / (kSize - kLeft - kRight) * this.top)); }
  muOfY(y) { return Math.min(this.top, Math.max(0, (kSize - kBottom - y) / (kSize - kBottom - 8) * this.top)); }

  drawTicks() {
    this.ticks.replaceChildren();
    for (let k = 0; k <= 4; ++k) {
      const mu = this.top * k / 4;
      this.ticks.append(makeSvg("text", { x: this.xOfMu(mu), y: kSize - kBottom + 16, "text-anchor": "middle" }, formatNumber(mu, 3)),
        makeSvg("text", { x: kLeft - 6, y: this.yOfMu(mu) + 4, "text-anchor": "end" }, formatNumber(mu, 3)));
    }
  }

  setGroup(a, mu, draw) {
    for (const i of this.groups[a]) this.mu[i] = mu;
    if (draw) this.draw(this.clock.t, true);
  }

  setMu(i, mu) {
    this.mu[i] = mu;
    if (mu > this.top) {
      this.top = mu;
      for (const { range } of this.sliders) Object.assign(range, { max: this.top, step: this.top / 1000 });
      if (this.svg) this.drawTicks();
    }
    this.draw(this.clock.t, true);
  }

  reset() {
    this.mu = this.design.slice();
    this.draw(this.clock.t, true);
  }

  /// Shows the time t, unless it is out of sight.
  draw(t, force = false) {
    const m = this.run.matricesAt(t);
    if (!m) return;
    const changed = m.row !== this.row;
    this.row = m.row;
    this.m = m;
    if ((!changed || this.offscreen) && !force) return;
    this.drawVerdict();
    if (force) this.drawParts();
    else if (!this.waiting && !this.offscreen) this.waiting = setTimeout(() => this.drawParts(), 100);
  }

  /// Sliders and map follow a moving time a few times a second, and are exact when it rests.
  drawParts() {
    clearTimeout(this.waiting);
    this.waiting = null;
    this.drawSliders();
    this.drawMap();
  }

  drawVerdict() {
    const { m } = this;
    const names = m.present.map((i) => this.run.contacts[i].name);
    const own = m.present.map((i) => this.mu[i]);
    if (m.present.length === 0) {
      this.show("none", "No contact presses: nothing to decide", "");
      return;
    }
    if (m.present.length > kMostContacts) {
      this.show("none", `Not checked here: ${m.present.length} contacts are more than ${kMostContacts}`, "");
      return;
    }
    const c = classify(contactMatrix(m.A0, m.A1, own));
    const changed = this.mu.some((v, i) => v !== this.design[i]);
    const minor = `smallest minor ${formatNumber(c.value, 5)} of {${c.set.map((i) => names[i]).join(", ")}}`;
    this.show(c.isP ? "yes" : "no", c.isP ? "Unique: one answer for every load" : "Not unique: some loads have no answer or several",
      `A(μ) is ${c.isP ? "a" : "no"} P-matrix at ${m.time.toFixed(3)} s ${changed ? "with these μ" : "with the scenario's μ"}; ${minor}.`);
  }

  show(verdict, head, text) {
    if (this.verdict.dataset.text === head + text) return;
    this.verdict.dataset.text = head + text;
    this.verdict.dataset.verdict = verdict;
    this.verdict.replaceChildren(make("strong", {}, head), " ", make("span", {}, text));
  }

  drawSliders() {
    const { m } = this;
    const own = m.present.map((i) => this.mu[i]);
    const many = m.present.length > kMostContacts;
    this.sliders.forEach(({ range, number, span, zone, track }, i) => {
      if (document.activeElement !== number) number.value = String(+this.mu[i].toPrecision(12));
      range.value = this.mu[i];
      const at = m.present.indexOf(i);
      let text = "open: takes no part";
      let interval = null;
      if (at >= 0 && !many) {
        if (m.A1.every((row) => row[at] === 0)) {
          text = "sticks: its μ does not enter";
        } else {
          interval = uniqueInterval(m.A0, m.A1, own, at);
          text = interval === null ? "unique for no μ here" : spanText(interval);
          span.dataset.lower = interval?.lower ?? "";
          span.dataset.upper = interval ? String(interval.upper) : "";
        }
      }
      span.textContent = text;
      track.classList.toggle("unknown", interval === null);
      const lower = Math.min(1, (interval?.lower ?? 0) / this.top);
      const upper = Math.min(1, (interval?.upper ?? 0) / this.top);
      zone.style.setProperty("--from", lower);
      zone.style.setProperty("--to", upper);
    });
  }

  drawMap() {
    if (!this.svg || !this.m) return;
    const x = this.mu[this.groups[0][0]] ?? 0;
    const y = this.mu[this.groups[1][0]] ?? 0;
    this.now.setAttribute("cx", this.xOfMu(x));
    this.now.setAttribute("cy", this.yOfMu(y));
    this.there.setAttribute("cx", this.xOfMu(this.design[this.groups[0][0]] ?? 0));
    this.there.setAttribute("cy", this.yOfMu(this.design[this.groups[1][0]] ?? 0));
    this.groups.forEach((group, a) => {
      const names = group.map((i) => this.run.contacts[i].name);
      const text = `μ of ${names.length > 2 ? `${names.length} contacts` : names.join(", ")}`;
      this.labels[a].textContent = text;
    });
    const n = this.m.present.length;
    if (n === 0 || n > kMostContacts) {
      this.region.setAttribute("d", "");
      return;
    }
    // About 2·10⁵ minors a picture: fine for few contacts, coarse for many.
    const cells = Math.max(8, Math.min(48, Math.floor(Math.sqrt(2e5 / 2 ** n))));
    this.region.setAttribute("d", this.regionPath(cells));
  }

  /// The part of the plane where the smallest minor is positive, cell by cell, cut where it vanishes by linear interpolation.
  regionPath(cells) {
    const { m } = this;
    const value = [];
    const mu = this.mu.slice();
    const own = m.present.map(() => 0);
    const least = relativeMinor(m.A0, m.A1);
    for (let j = 0; j <= cells; ++j) {
      const row = [];
      for (let i = 0; i <= cells; ++i) {
        for (const k of this.groups[0]) mu[k] = this.top * i / cells;
        for (const k of this.groups[1]) mu[k] = this.top * j / cells;
        m.present.forEach((k, p) => { own[p] = mu[k]; });
        row.push(least(own));
      }
      value.push(row);
    }
    const parts = [];
    const point = (i, j) => `${this.xOfMu(this.top * i / cells).toFixed(1)} ${this.yOfMu(this.top * j / cells).toFixed(1)}`;
    for (let j = 0; j < cells; ++j) {
      for (let i = 0; i < cells; ++i) {
        if (value[j][i] > 0 && value[j][i + 1] > 0 && value[j + 1][i] > 0 && value[j + 1][i + 1] > 0) {
          let end = i + 1;
          while (end < cells && value[j][end + 1] > 0 && value[j + 1][end + 1] > 0) ++end;
          parts.push(`M${point(i, j)}L${point(end, j)}L${point(end, j + 1)}L${point(i, j + 1)}Z`);
          i = end - 1;
          continue;
        }
        const corners = [[i, j, value[j][i]], [i + 1, j, value[j][i + 1]], [i + 1, j + 1, value[j + 1][i + 1]], [i, j + 1, value[j + 1][i]]];
        const inside = [];
        corners.forEach(([x0, y0, v0], k) => {
          const [x1, y1, v1] = corners[(k + 1) % 4];
          if (v0 > 0) inside.push(point(x0, y0));
          if (v0 > 0 !== v1 > 0) {
            const part = v0 / (v0 - v1);
            inside.push(point(x0 + part * (x1 - x0), y0 + part * (y1 - y0)));
          }
        });
        if (inside.length > 2) parts.push(`M${inside.join("L")}Z`);
      }
    }
    return parts.join("");
  }
}

function spanText({ lower, upper }) {
  if (upper === Infinity) return lower > 0 ? `unique above ${formatNumber(lower, 7)}` : "unique for every μ ≥ 0";
  return `unique from ${formatNumber(lower, 7)} to ${formatNumber(upper, 7)}`;
}
