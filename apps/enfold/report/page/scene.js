// Hand and object at the time of the clock, drawn in SVG. One run in full; others of a comparison as outlines.
import { formatNumber, formatWithUnit, make, makeSvg } from "./format.js";
import { kModeWords } from "./run.js";

const kWidth = 640;
const kMaxHeight = 620;

/// The box that holds the motion of all runs, with room for force arrows.
function motionBox(runs) {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  const add = (x, y, margin) => {
    if (!Number.isFinite(x + y)) return;
    box.left = Math.min(box.left, x - margin);
    box.right = Math.max(box.right, x + margin);
    box.bottom = Math.min(box.bottom, y - margin);
    box.top = Math.max(box.top, y + margin);
  };
  for (const run of runs) {
    const { scene } = run.json;
    const reach = Math.max(...scene.outline.map(([x, y]) => Math.hypot(x, y)));
    const step = Math.max(1, Math.floor(run.time.length / 300));
    for (let k = 0; k < run.time.length; k += step) {
      for (const whose of ["object", "desired"])
        add(run.columns.get(`${whose}.x_m`)?.[k] ?? NaN, run.columns.get(`${whose}.y_m`)?.[k] ?? NaN, reach + 0.12 * scene.size_m);
      for (const link of scene.links) {
        const x = run.columns.get(`link.${link.name}.x`)?.[k] ?? NaN;
        const y = run.columns.get(`link.${link.name}.y`)?.[k] ?? NaN;
        const angle = run.columns.get(`link.${link.name}.angle`)?.[k] ?? NaN;
        add(x, y, link.radius + 0.08 * scene.size_m);
        add(x + link.length * Math.cos(angle), y + link.length * Math.sin(angle), link.radius + 0.08 * scene.size_m);
      }
    }
    for (const { point } of scene.planes)
      if (Math.hypot(point[0] - (box.left + box.right) / 2, point[1] - (box.bottom + box.top) / 2) < 3 * reach) add(point[0], point[1], 0.1 * reach);
  }
  return box;
}

/// The force that is drawn as long as ¾ of the object: all but the largest 2 %.
function referenceForce(run) {
  const forces = [];
  const step = Math.max(1, Math.floor(run.time.length / 500));
  for (const { name } of run.contacts) {
    const N = run.columns.get(`lambda_N.${name}_N`);
    const T = run.columns.get(`lambda_T.${name}_N`);
    for (let k = 0; N && k < N.length; k += step) {
      const force = Math.hypot(N[k], T ? T[k] : 0);
      if (force > 0) forces.push(force);
    }
  }
  forces.sort((a, b) => a - b);
  return forces.length ? forces[Math.floor(0.98 * (forces.length - 1))] : 0;
}

function roundDown(x) {
  const decade = 10 ** Math.floor(Math.log10(x));
  return (x >= 5 * decade ? 5 : x >= 2 * decade ? 2 : 1) * decade;
}

export class Scene {
  constructor(runs, theme) {
    this.runs = runs.filter((run) => run.json.scene && !run.empty);
    this.theme = theme;
    this.focus = this.runs[0];
    this.svg = makeSvg("svg", { class: "scene", role: "img", "aria-labelledby": "scene-title scene-text" });
    this.element = this.svg;
    if (!this.focus) return;
    this.size = this.focus.json.scene.size_m;
    this.force = Math.max(...this.runs.map(referenceForce));
    let box = motionBox(this.runs);
    // A thing that travels far is followed.
    this.follow = Math.max(box.right - box.left, box.top - box.bottom) > 14 * this.size;
    if (this.follow) box = { left: -4 * this.size, right: 4 * this.size, bottom: -3 * this.size, top: 3 * this.size };
    this.box = box;
    this.scale = Math.min(kWidth / (box.right - box.left), kMaxHeight / (box.top - box.bottom));
    this.height = Math.max(260, Math.round(this.scale * (box.top - box.bottom)));
    this.margin = 0.5 * (kWidth - this.scale * (box.right - box.left));
    this.svg.setAttribute("viewBox", `0 0 ${kWidth} ${this.height}`);
    this.build();
  }

  X(x) { return this.margin + this.scale * (x - this.box.left); }
  Y(y) { return this.height - this.scale * (y - this.box.bottom); }
  place(x, y, angle) {
    return `translate(${this.X(x).toFixed(2)} ${this.Y(y).toFixed(2)}) rotate(${(-angle * 180 / Math.PI).toFixed(3)})`;
  }

  setFocus(run) {
    if (!this.runs.includes(run)) return;
    this.focus = run;
    this.build();
  }

  build() {
    const hatch = makeSvg("pattern", { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      makeSvg("line", { x1: 0, y1: 0, x2: 0, y2: 8, class: "hatch" }));
    this.title = makeSvg("title", { id: "scene-title" }, `Hand and object of ${this.focus.label}`);
    this.text = makeSvg("desc", { id: "scene-text" });
    this.world = makeSvg("g");
    this.svg.replaceChildren(this.title, this.text, makeSvg("defs", {}, hatch), this.world);
    this.addPlanes();
    this.others = this.runs.filter((run) => run !== this.focus).map((run) => this.addOutline(run));
    this.addFocus();
    this.addKey();
  }

  polyline(points) {
    return points.map(([x, y], i) => `${i ? "L" : "M"}${(this.scale * x).toFixed(2)} ${(-this.scale * y).toFixed(2)}`).join("");
  }
  path(points) { return `${this.polyline(points)}Z`; }

  addPlanes() {
    const far = 4 * kWidth;
    for (const { point, angle } of this.focus.json.scene.planes) {
      this.world.append(makeSvg("g", { transform: this.place(point[0], point[1], angle) },
        makeSvg("rect", { x: -far, y: 0, width: 2 * far, height: 14, fill: "url(#hatch)" }),
        makeSvg("line", { x1: -far, x2: far, class: "ground" })));
    }
  }

  addOutline(run) {
    const { scene } = run.json;
    const object = makeSvg("path", { d: this.path(scene.outline), class: "other", "data-run": run.index % 4 });
    const links = scene.links.map((link) => makeSvg("path", { d: this.polyline(link.centreline), class: "other", "data-run": run.index % 4 }));
    this.world.append(...links, object);
    return { run, object, links };
  }

  addFocus() {
    const run = this.focus;
    const { scene } = run.json;
    this.ghost = run.has("desired.x_m") ? makeSvg("path", { d: this.path(scene.outline), class: "ghost" }) : null;
    const rod = scene.outline.length < 3;
    this.object = makeSvg("g", {}, makeSvg("path", { d: this.path(scene.outline), class: rod ? "rod" : "object" }));
    if (scene.mark) {
      const [x, y] = [this.scale * scene.mark[0], -this.scale * scene.mark[1]];
      this.object.append(makeSvg("line", { x1: -x / 0.86, y1: -y / 0.86, x2: x / 0.86, y2: y / 0.86, class: "axis" }),
        makeSvg("circle", { cx: x, cy: y, r: 4, class: "mark" }));
    }
    this.object.append(makeSvg("circle", { r: 5, class: "centre" }), makeSvg("path", { d: "M0 0H5A5 5 0 0 0 0 -5ZM0 0H-5A5 5 0 0 0 0 5Z", class: "mark" }));
    this.links = scene.links.map((link) => {
      const width = Math.max(9, 2 * this.scale * link.radius);
      // A base stands upright, whichever way its link points.
      const base = link.first ? makeSvg("rect", { x: -9, y: -9, width: 18, height: 18, rx: 4, class: "joint" }) : makeSvg("circle", { r: 5.5, class: "joint" });
      return { name: link.name, base, element: makeSvg("g", {}, makeSvg("path", { d: this.polyline(link.centreline), class: "link-edge", "stroke-width": width + 2.5 }),
        makeSvg("path", { d: this.polyline(link.centreline), class: "link", "stroke-width": width }), base) };
    });
    this.contacts = run.contacts.map((contact, i) => this.makeContact(contact, i));
    this.world.append(this.object, ...this.contacts.map((c) => c.cone), ...this.links.map((l) => l.element),
      ...(this.ghost ? [this.ghost] : []), ...this.contacts.map((c) => c.arrow), ...this.contacts.map((c) => c.dot));
  }

  makeContact(contact, i) {
    const half = Math.atan(contact.mu ?? 0);
    const length = 0.62 * this.scale * this.size;
    const cone = makeSvg("path", {
      class: "cone", d: `M0 0L${length * Math.cos(half)} ${-length * Math.sin(half)}A${length} ${length} 0 0 1 ${length * Math.cos(half)} ${length * Math.sin(half)}Z`,
    });
    const shaft = makeSvg("line", { class: "shaft" });
    const head = makeSvg("path", { d: "M0 0L-11 -5.5L-11 5.5Z" });
    const arrow = makeSvg("g", { class: "force", style: `--c: var(--series-${i % 7})` }, shaft, head);
    const dot = makeSvg("g", { class: "dot", style: `--c: var(--series-${i % 7})` }, makeSvg("circle", { r: 7 }), makeSvg("path", {}));
    return { contact, cone, arrow, shaft, head, dot };
  }

  addKey() {
    if (!(this.force > 0)) return;
    const force = roundDown(this.force);
    const length = 0.75 * this.scale * this.size * force / this.force;
    this.svg.append(makeSvg("g", { class: "key", transform: `translate(16 ${this.height - 16})` },
      makeSvg("line", { x2: length - 6, class: "shaft" }), makeSvg("path", { d: `M${length} 0l-11 -5.5v11Z` }),
      makeSvg("text", { x: length + 8, y: 4.5 }, formatWithUnit(force, "N"))));
  }

  draw(t) {
    const run = this.focus;
    if (!run) return;
    const at = (name) => run.at(name, t);
    if (this.follow) {
      const shift = `translate(${(this.X(0) - this.X(at("object.x_m"))).toFixed(1)} ${(this.Y(0) - this.Y(at("object.y_m"))).toFixed(1)})`;
      this.world.setAttribute("transform", shift);
    }
    this.object.setAttribute("transform", this.place(at("object.x_m"), at("object.y_m"), at("object.phi_rad")));
    this.ghost?.setAttribute("transform", this.place(at("desired.x_m"), at("desired.y_m"), at("desired.phi_rad")));
    for (const { name, base, element } of this.links) {
      const angle = at(`link.${name}.angle`);
      element.setAttribute("transform", this.place(at(`link.${name}.x`), at(`link.${name}.y`), angle));
      base.setAttribute("transform", `rotate(${(angle * 180 / Math.PI).toFixed(3)})`);
    }
    for (const contact of this.contacts) this.drawContact(contact, t);
    for (const { run: other, object, links } of this.others) {
      const of = (name) => other.at(name, t);
      object.setAttribute("transform", this.place(of("object.x_m"), of("object.y_m"), of("object.phi_rad")));
      other.json.scene.links.forEach((link, i) =>
        links[i].setAttribute("transform", this.place(of(`link.${link.name}.x`), of(`link.${link.name}.y`), of(`link.${link.name}.angle`))));
    }
  }

  drawContact({ contact, cone, arrow, shaft, head, dot }, t) {
    const run = this.focus;
    const { name } = contact;
    const x = run.at(`foot.${name}.x`, t);
    const y = run.at(`foot.${name}.y`, t);
    const angle = run.at(`foot.${name}.angle`, t);
    const mode = run.mode(name, t);
    const known = Number.isFinite(x + y + angle);
    for (const part of [cone, arrow, dot]) part.style.display = known ? "" : "none";
    if (!known) return;
    cone.setAttribute("transform", this.place(x, y, angle));
    cone.setAttribute("data-mode", mode);
    dot.setAttribute("transform", this.place(x, y, angle));
    dot.setAttribute("data-mode", mode);
    dot.lastChild.setAttribute("d", modeGlyph(mode, contact.tangent ?? 1));
    const N = run.at(`lambda_N.${name}_N`, t);
    const T = run.at(`lambda_T.${name}_N`, t);
    const force = Math.hypot(N, T);
    if (!(force > 1e-6 * this.force)) {
      arrow.style.display = "none";
      return;
    }
    const length = Math.min(1.6, 0.75 * force / this.force) * this.scale * this.size;
    arrow.setAttribute("transform", this.place(x, y, angle + (contact.tangent ?? 1) * Math.atan2(T, N)));
    shaft.setAttribute("x2", Math.max(0, length - 9).toFixed(2));
    head.setAttribute("transform", `translate(${length.toFixed(2)} 0) scale(${Math.min(1, length / 14).toFixed(3)})`);
  }

  /// In words, for those who do not see the picture.
  describe(t) {
    const run = this.focus;
    if (!run) return;
    const x = 1e3 * run.at("object.x_m", t);
    const y = 1e3 * run.at("object.y_m", t);
    const phi = run.at("object.phi_rad", t) * 180 / Math.PI;
    const contacts = run.contacts.map(({ name }) => `${name} ${kModeWords[run.mode(name, t)]}, ${formatWithUnit(run.at(`lambda_N.${name}_N`, t), "N", 3)}`);
    this.text.textContent = `At ${formatNumber(t)} s the object is at x ${formatNumber(x, 3)} mm, y ${formatNumber(y, 3)} mm, turned ${formatNumber(phi, 3)}°. ${contacts.join("; ")}.`;
  }
}

/// What the dot of a contact shows: an arrow along the tangent the object slides to, a ring if it rolls. The dot's x axis is the
/// normal; the tangent is turned from it by ±90°, upwards on the screen for +1.
export function modeGlyph(mode, tangent) {
  if (mode === "roll") return "M-2.6 0A2.6 2.6 0 1 0 2.6 0A2.6 2.6 0 1 0 -2.6 0Z";
  if (mode === "open") return "";
  const up = (mode === "slide+") === (tangent > 0);
  return up ? "M0 -4.4L3.4 2.4L-3.4 2.4Z" : "M0 4.4L3.4 -2.4L-3.4 -2.4Z";
}

/// Which colour and sign stands for which mode.
export function modeLegend() {
  return make("ul", { class: "modes", "aria-label": "Contact modes" }, ["roll", "slide+", "slide-", "open"].map((mode) =>
    make("li", {}, modeDot(mode), kModeWords[mode])));
}

export function modeDot(mode) {
  return makeSvg("svg", { class: "dot", viewBox: "-9 -9 18 18", width: 16, height: 16, "data-mode": mode, "aria-hidden": "true" },
    makeSvg("circle", { r: 7 }), makeSvg("path", { d: modeGlyph(mode, 1), transform: "rotate(90)" }));
}
