// The recorded run: columns by name, values at a time, matrices.

function decode(text, Numbers) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return new Numbers(bytes.buffer);
}

export const kModes = ["open", "roll", "slide+", "slide-"];
export const kModeWords = { open: "open", roll: "rolls", "slide+": "slides +", "slide-": "slides −" };

export class Run {
  constructor(json, index) {
    this.json = json;
    this.index = index;
    this.label = json.label;
    this.time = json.time ? decode(json.time, Float64Array) : new Float64Array(0);
    this.columns = new Map();
    for (const column of json.columns ?? []) {
      const values = column.f32 ? decode(column.f32, Float32Array) : new Float32Array(this.time.length).fill(column.constant ?? NaN);
      this.columns.set(column.name, values);
    }
    this.states = new Map();
    for (const column of json.states ?? []) this.states.set(column.name, decode(column.u8, Uint8Array));
    this.contacts = json.contacts ?? [];
    this.matrices = json.matrices ? this.readMatrices(json.matrices) : null;
    this.lastRow = 0;
  }

  readMatrices({ n, rows, f64 }) {
    const numbers = decode(f64, Float64Array);
    const list = rows === "all" ? Array.from(this.time.keys()) : rows;
    return { n, rows: list, numbers };
  }

  get empty() { return this.time.length === 0; }
  get start() { return this.time[0]; }
  get end() { return this.time[this.time.length - 1]; }
  has(name) { return this.columns.has(name); }

  /// The last row at or before t; time mostly moves on by a row or two.
  rowAt(t) {
    const { time } = this;
    let row = this.lastRow;
    const near = time[row] <= t && (row + 1 >= time.length || t < time[row + 1]);
    if (!near) {
      let low = 0;
      let high = time.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (time[middle] <= t) low = middle + 1; else high = middle;
      }
      row = Math.max(0, low - 1);
    }
    this.lastRow = row;
    return row;
  }

  /// A value between rows on the straight line.
  at(name, t) {
    const values = this.columns.get(name);
    if (!values) return NaN;
    const row = this.rowAt(t);
    const next = Math.min(row + 1, values.length - 1);
    const span = this.time[next] - this.time[row];
    if (!(span > 0) || t <= this.time[row]) return values[row];
    const part = Math.min(1, (t - this.time[row]) / span);
    const value = values[row] + part * (values[next] - values[row]);
    return Number.isNaN(value) ? values[part < 0.5 ? row : next] : value;
  }

  state(name, t) {
    return this.states.get(name)?.[this.rowAt(t)];
  }

  mode(contact, t) {
    return kModes[this.state(`mode.${contact}`, t)] ?? "open";
  }

  /// A₀ and A₁ as recorded at the instant nearest to t, without the contacts that take no part: those have no numbers.
  matricesAt(t) {
    if (!this.matrices) return null;
    const { n, rows, numbers } = this.matrices;
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[rows[middle]] <= t) low = middle; else high = middle - 1;
    }
    if (low + 1 < rows.length && this.time[rows[low + 1]] - t < t - this.time[rows[low]]) ++low;
    const at = 2 * n * n * low;
    const present = [];
    for (let i = 0; i < n; ++i) if (Number.isFinite(numbers[at + i * n + i])) present.push(i);
    const block = (from) => present.map((i) => present.map((j) => numbers[from + i * n + j]));
    return { time: this.time[rows[low]], row: rows[low], present, A0: block(at), A1: block(at + n * n) };
  }

  /// Stretches [from, to, state] of one state column.
  stretches(name) {
    const values = this.states.get(name);
    const out = [];
    if (!values) return out;
    for (let i = 0; i < values.length;) {
      let j = i + 1;
      while (j < values.length && values[j] === values[i]) ++j;
      out.push([this.time[i], j < values.length ? this.time[j] : this.end, values[i]]);
      i = j;
    }
    return out;
  }
}
