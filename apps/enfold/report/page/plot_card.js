// One plot: a dygraph with a legend of buttons that show values and switch lines on and off. All plots share the window of
// time, the cursor and the hover line.
import { formatWithUnit, make, makeCard } from "./format.js";

/// What the plots of a page have in common.
export class PlotGroup {
  constructor(clock, theme, bands) {
    Object.assign(this, { clock, theme, bands, cards: [], window: [clock.start, clock.end], hover: null, windowListeners: [] });
    clock.onTime(() => this.moveCursors());
    theme.listeners.push(() => this.recolour());
  }

  add(card) {
    this.cards.push(card);
  }

  onWindow(listener) { this.windowListeners.push(listener); }

  /// Shows [from, to] in all plots.
  setWindow(from, to) {
    const { start, end } = this.clock;
    const least = Math.max(1e-9, 1e-5 * (end - start));
    const width = Math.min(end - start, Math.max(least, to - from));
    const left = Math.min(Math.max(start, from), end - width);
    this.window = [left, left + width];
    for (const card of this.cards) card.showWindow();
    for (const listener of this.windowListeners) listener(this.window);
    this.moveCursors();
  }

  /// Zooms about the cursor; factor < 1 shows less.
  zoom(factor) {
    const [from, to] = this.window;
    const t = Math.min(to, Math.max(from, this.clock.t));
    this.setWindow(t - factor * (t - from), t + factor * (to - t));
  }

  /// All of the time, and of the values.
  zoomOut() {
    for (const card of this.cards) card.graph?.updateOptions({ valueRange: card.plot.range ?? null }, true);
    this.setWindow(this.clock.start, this.clock.end);
  }

  setHover(t) {
    this.hover = t;
    this.moveCursors();
  }

  moveCursors() {
    for (const card of this.cards) card.moveCursor();
  }

  recolour() {
    for (const card of this.cards) card.recolour();
  }

  resize() {
    for (const card of this.cards) card.resize();
  }
}

/// `plot`: {id, title, unit, note, rows, lines}; `rows` [[t, v…]…]; a line is {label, colour(), dash, width, columns (1-based), value(t)}.
export class PlotCard {
  constructor(group, plot) {
    Object.assign(this, { group, plot, visible: true, shrink: 1 });
    this.legend = make("div", { class: "legend", role: "group", "aria-label": `Lines of ${plot.title}` });
    this.chart = make("div", { class: "chart", role: "img", "aria-label": plot.summary });
    this.cursor = make("div", { class: "cursor" });
    this.hoverLine = make("div", { class: "cursor hover" });
    this.box = make("div", { class: "chart-box" }, this.chart, this.cursor, this.hoverLine);
    this.element = makeCard(plot.id, plot.title, null, this.legend, this.box);
    this.element.querySelector("h2").append(make("span", { class: "unit" }, plot.unit ? ` ${plot.unit}` : ""));
    for (const line of plot.lines) this.addLine(line);
  }

  addLine(line) {
    line.shown = !line.hidden;
    line.output = make("span", { class: "value" });
    const swatch = make("span", { class: "swatch", "data-dash": line.dash ? "1" : null });
    line.swatch = swatch;
    line.button = make("button", {
      type: "button", "aria-pressed": String(line.shown), title: `show or hide ${line.label}`,
      onclick: () => this.toggle(line),
    }, swatch, make("span", { class: "name" }, line.label), line.output);
    this.legend.append(line.button);
  }

  toggle(line) {
    line.shown = !line.shown;
    line.button.setAttribute("aria-pressed", String(line.shown));
    this.graph?.setVisibility(Object.fromEntries(line.columns.map((c) => [c - 1, line.shown])));
  }

  /// Draws; the card must be in the document.
  start() {
    const { plot, group } = this;
    const labels = ["t", ...plot.rows[0].slice(1).map((_, i) => `s${i + 1}`)];
    this.graph = new Dygraph(this.chart, plot.rows, {
      labels,
      legend: "never",
      width: this.box.clientWidth,
      height: this.box.clientHeight,
      visibility: labels.slice(1).map((_, i) => plot.lines.find((l) => l.columns.includes(i + 1))?.shown ?? true),
      dateWindow: group.window.slice(),
      connectSeparatedPoints: true,
      strokeWidth: 1.6,
      highlightCircleSize: 3,
      includeZero: plot.includeZero ?? false,
      valueRange: plot.range ?? null,
      yRangePad: 8,
      xAxisHeight: 22,
      axes: {
        x: { axisLabelFormatter: (t) => timeTick(t), axisLabelWidth: 60, pixelsPerLabel: 70, drawGrid: true },
        y: { axisLabelFormatter: (v) => tick(v), axisLabelWidth: 54, pixelsPerLabel: 34 },
      },
      interactionModel: {
        mousedown: Dygraph.defaultInteractionModel.mousedown,
        dblclick: () => group.zoomOut(),
        willDestroyContextMyself: true,
      },
      underlayCallback: (context, area, graph) => this.drawUnder(context, area, graph),
      zoomCallback: (from, to) => { if (this.visible) group.setWindow(from, to); },
      clickCallback: (event, t) => group.clock.set(t),
      highlightCallback: (event, t) => group.setHover(t),
      unhighlightCallback: () => group.setHover(null),
      ...this.colours(),
    });
    this.drawn = true;
    this.measure();
    this.moveCursor();
  }

  colours() {
    const { theme } = this.group;
    const count = this.plot.rows[0].length - 1;
    const series = {};
    for (const line of this.plot.lines) {
      const colour = line.colour();
      line.swatch.style.setProperty("--c", colour);
      for (const c of line.columns) series[`s${c}`] = { color: colour, strokePattern: line.dash ?? null, strokeWidth: line.width ?? 1.6 };
    }
    return { colors: Array(count).fill(theme.colour("ink")), series, gridLineColor: theme.colour("grid"), axisLineColor: theme.colour("grid"), axisTickSize: 3 };
  }

  recolour() {
    this.graph?.updateOptions(this.colours());
  }

  drawUnder(context, area, graph) {
    const { theme, bands } = this.group;
    context.fillStyle = theme.colour("band");
    for (const [from, to] of bands) {
      const x0 = Math.max(area.x, graph.toDomXCoord(from));
      const x1 = Math.min(area.x + area.w, graph.toDomXCoord(to));
      if (x1 > x0) context.fillRect(x0, area.y, x1 - x0, area.h);
    }
    for (const level of this.plot.levels ?? []) {
      const y = Math.round(graph.toDomYCoord(level.value)) + 0.5;
      if (y < area.y || y > area.y + area.h) continue;
      context.strokeStyle = theme.colour(level.colour ?? "muted");
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(area.x, y);
      context.lineTo(area.x + area.w, y);
      context.stroke();
    }
  }

  showWindow() {
    if (!this.graph) return;
    this.graph.updateOptions({ dateWindow: this.group.window.slice() });
    this.measure();
  }

  measure() {
    this.area = this.graph.getArea();
  }

  resize() {
    if (!this.graph || this.box.clientWidth === 0) return;
    this.graph.resize(this.box.clientWidth, this.box.clientHeight);
    this.measure();
    this.moveCursor();
  }

  /// On paper the picture is scaled: what a canvas draws anew while the browser prepares to print does not get there.
  scaleForPaper(on) {
    this.chart.style.transform = this.box.style.height = "";
    this.shrink = 1;
    if (!on || !this.graph) return;
    const { width, height } = this.graph.size();
    this.shrink = Math.min(1, this.box.clientWidth / width);
    this.chart.style.transform = `scale(${this.shrink})`;
    this.box.style.height = `${this.shrink * height}px`;
  }

  moveCursor() {
    if (!this.graph || this.offscreen) return;
    const { clock, hover } = this.group;
    this.placeLine(this.cursor, clock.t);
    this.placeLine(this.hoverLine, hover);
    const t = hover ?? clock.t;
    for (const line of this.plot.lines) {
      const text = line.value ? formatWithUnit(line.value(t), this.plot.unit ? this.plot.unit.replace(/[[\]]/g, "") : "", 4) : "";
      if (line.output.textContent !== text) line.output.textContent = text;
    }
  }

  placeLine(element, t) {
    const [from, to] = this.group.window;
    const inside = t !== null && t >= from && t <= to;
    element.style.visibility = inside ? "visible" : "hidden";
    if (inside) element.style.transform = `translateX(${(this.shrink * (this.area.x + this.area.w * (t - from) / (to - from))).toFixed(1)}px)`;
  }
}

function tick(v) {
  if (v === 0) return "0";
  const size = Math.abs(v);
  const text = size >= 1e-3 && size < 1e5 ? String(+v.toPrecision(6)) : String(+v.toPrecision(3)).replace("e-", "e−").replace("e+", "e");
  return text.replace(/^-/, "−");
}

function timeTick(t) {
  return `${String(+(+t).toPrecision(8))} s`;
}
