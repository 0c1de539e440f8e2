// Which plots a run gets, and the lines in them.
import { formatNumber } from "./format.js";
import { PlotCard } from "./plot_card.js";

const kDashes = [null, [7, 4], [2, 3], [9, 3, 2, 3]];

/// Joins the times of all runs and puts the columns of `lines` side by side. A run without an instant at some time has null there,
/// and its line goes on; a quantity without a value has NaN, and its line is broken.
function joinRows(runs, lines) {
  const used = runs.filter((run) => lines.some((line) => line.parts.some((part) => part.run === run)));
  let times;
  if (used.length === 1) {
    times = used[0].time;
  } else {
    times = Float64Array.from(new Set(used.flatMap((run) => Array.from(run.time)))).sort();
  }
  const parts = lines.flatMap((line) => line.parts);
  const rows = Array.from(times, (t) => {
    const row = new Array(parts.length + 1).fill(null);
    row[0] = t;
    return row;
  });
  const rowOf = new Map();
  for (const run of used) {
    const map = new Uint32Array(run.time.length);
    for (let i = 0, k = 0; i < run.time.length; ++i) {
      while (times[k] < run.time[i]) ++k;
      map[i] = k;
    }
    rowOf.set(run, map);
  }
  parts.forEach(({ run, values, scale }, p) => {
    const map = rowOf.get(run);
    for (let i = 0; i < values.length; ++i) rows[map[i]][p + 1] = scale * values[i];
  });
  let column = 0;
  for (const line of lines) line.columns = line.parts.map(() => ++column);
  return rows;
}

function rangeOf(lines) {
  let low = Infinity;
  let high = -Infinity;
  for (const line of lines)
    for (const { values, scale } of line.parts)
      for (const v of values) {
        const x = scale * v;
        if (x < low) low = x;
        if (x > high) high = x;
      }
  return [low, high];
}

export class PlotBuilder {
  constructor(runs, group) {
    this.runs = runs.filter((run) => !run.empty);
    this.group = group;
    this.theme = group.theme;
    this.several = this.runs.length > 1;
  }

  /// A line for each run that has the column, in one colour; runs differ by their dashes.
  lines(name, label, colour, { scale = 1, dash = null, firstOnly = false, width, mirror = false, hidden = false } = {}) {
    const out = [];
    this.runs.forEach((run, k) => {
      if (!run.has(name) || (firstOnly && k > 0)) return;
      const values = run.columns.get(name);
      out.push({
        label: this.several ? `${label} · ${run.label}` : label,
        quantity: label, run, colour, hidden, width,
        dash: dash ?? kDashes[k % kDashes.length],
        parts: mirror ? [{ run, values, scale }, { run, values, scale: -scale }] : [{ run, values, scale }],
        value: (t) => scale * run.at(name, t),
      });
    });
    return out;
  }

  series(i) { return () => this.theme.series(i); }
  named(colour) { return () => this.theme.colour(colour); }

  /// Adds a card, unless there is nothing to show.
  card(id, title, unit, lines, options = {}) {
    if (lines.length === 0) return null;
    const rows = joinRows(this.runs, lines);
    const [low, high] = rangeOf(lines);
    const plot = { id, title, unit, lines, rows, ...options };
    const size = Math.max(Math.abs(low), Math.abs(high));
    // What only rounding moves is drawn as a constant.
    const floor = options.floor ?? 1e-9 * size;
    if (high - low <= floor) plot.range = [0.5 * (low + high) - Math.max(floor, 1e-12), 0.5 * (low + high) + Math.max(floor, 1e-12)];
    plot.summary = `${title}${unit ? ` ${unit}` : ""} against time, ${lines.length} lines, from ${formatNumber(low)} to ${formatNumber(high)}.`;
    const card = new PlotCard(this.group, plot);
    this.group.add(card);
    return card;
  }

  pose() {
    const { runs } = this;
    const angle = 180 / Math.PI;
    const hasError = runs.some((run) => run.has("error.x_m"));
    const position = ["x", "y"].flatMap((c, i) => [
      ...this.lines(`object.${c}_m`, c, this.series(i), { scale: 1e3, width: 2 }),
      ...this.lines(`desired.${c}_m`, `${c} desired`, this.named("muted"), { scale: 1e3, dash: [5, 4], firstOnly: true, width: 1.4 })]);
    const turned = [
      ...this.lines("object.phi_rad", "φ", this.series(0), { scale: angle, width: 2 }),
      ...this.lines("desired.phi_rad", "φ desired", this.named("muted"), { scale: angle, dash: [5, 4], firstOnly: true, width: 1.4 })];
    const envelope = (name, label, scale) => (runs.some((run) => run.has(name) && run.columns.get(name).some((v) => v * scale > 1e-6))
      ? this.lines(name, label, this.named("envelope"), { scale, dash: [4, 3], firstOnly: true, mirror: true, width: 1.4 }) : []);
    const cards = [
      this.card("plot-position", "Position of the object", "[mm]", position, { floor: 1e-3 }),
      this.card("plot-orientation", "Orientation of the object", "[°]", turned, { floor: 1e-3 })];
    if (hasError) {
      cards.push(this.card("plot-error-position", "Error of the position", "[mm]", ["x", "y"].flatMap((c, i) => [
        ...this.lines(`error.${c}_m`, `e ${c}`, this.series(i), { scale: 1e3 }), ...envelope(`envelope.${c}_m`, `predicted ± ${c}`, 1e3)]), { levels: [{ value: 0 }], floor: 1e-6 }));
      cards.push(this.card("plot-error-orientation", "Error of the orientation", "[°]", [
        ...this.lines("error.phi_rad", "e φ", this.series(0), { scale: angle }), ...envelope("envelope.phi_rad", "predicted ±", angle)], { levels: [{ value: 0 }], floor: 1e-6 }));
    }
    return cards;
  }

  perContact(prefix, unit, scale = 1) {
    return this.runs[0].contacts.flatMap(({ name }, i) => this.lines(`${prefix}.${name}${unit}`, name, this.series(i), { scale }));
  }

  forces() {
    const floors = this.runs[0].contacts.map(({ name }) => this.runs[0].columns.get(`floor.${name}_N`)).filter(Boolean);
    const same = floors.length > 0 && floors.every((f) => f.every((v, k) => v === floors[0][k]));
    const minimum = this.runs[0].contacts.flatMap(({ name }, i) => (same && i > 0 ? []
      : this.lines(`floor.${name}_N`, same ? "minimum Λ" : `Λ ${name}`, same ? this.named("limit") : this.series(i), { dash: [3, 3], firstOnly: true, width: 1.3 })));
    return [
      this.card("plot-normal", "Normal forces λ_N", "[N]", [...this.perContact("lambda_N", "_N"), ...minimum], { levels: [{ value: 0 }] }),
      this.card("plot-tangential", "Tangential forces λ_T", "[N]", this.perContact("lambda_T", "_N"), { levels: [{ value: 0 }] }),
      this.card("plot-use", "Friction use |λ_T| / (μ λ_N)", "", this.perContact("use", ""), { levels: [{ value: 1, colour: "limit" }], range: this.useRange() }),
    ];
  }

  effort() {
    return [
      this.card("plot-internal", "Internal force α", "[N]", this.internal(), {}),
      this.card("plot-torque", "Joint torques τ", "[N·m]", (this.runs[0].json.joints ?? []).flatMap((name, i) => this.lines(`tau.${name}_Nm`, name, this.series(i))), { levels: [{ value: 0 }] }),
      this.card("plot-minor", "Smallest principal minor of A", "", this.lines("min_minor", "smallest minor", this.series(0)), { levels: [{ value: 0, colour: "limit" }], includeZero: true }),
    ];
  }

  useRange() {
    let most = 1;
    for (const run of this.runs)
      for (const { name } of run.contacts) for (const v of run.columns.get(`use.${name}`) ?? []) if (v > most) most = v;
    return [0, 1.1 * Math.min(most, 2)];
  }

  internal() {
    const lines = [];
    for (let i = 1; this.runs.some((run) => run.has(`alpha.${i}_N`) || run.has(`alpha_des.${i}_N`)); ++i) {
      lines.push(...this.lines(`alpha.${i}_N`, `α ${i}`, this.series(i - 1)));
      lines.push(...this.lines(`alpha_des.${i}_N`, `α ${i} desired`, this.named("muted"), { dash: [5, 4], firstOnly: true, width: 1.4 }));
    }
    return lines;
  }

  more() {
    return [
      this.card("plot-gap", "Gaps", "[mm]", this.perContact("gap", "_m", 1e3), { levels: [{ value: 0 }], floor: 1e-9 }),
      this.card("plot-slip", "Slip of the object along the links", "[mm/s]", this.perContact("slip", "_mps", 1e3), { levels: [{ value: 0 }] }),
      this.card("plot-energy", "Energy", "[J]", this.lines("energy_J", "kinetic, potential and stored", this.series(0))),
      this.card("plot-growth", "Growth of the contacts' own fastest mode", "[1/s]", this.lines("contact_growth_1ps", "growth", this.series(0)), { levels: [{ value: 0, colour: "limit" }], includeZero: true }),
    ];
  }
}
