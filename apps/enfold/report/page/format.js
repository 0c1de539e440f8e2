// Numbers as people read them, and elements made from text (never from markup).

const kSuperscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(n) {
  return (n < 0 ? "⁻" : "") + String(Math.abs(n)).replace(/\d/g, (d) => kSuperscripts[+d]);
}

/// A number with `digits` significant digits: 0.1234, 12.3, 1.2×10⁻⁶; "–" for none.
export function formatNumber(x, digits = 4) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) {
    const text = String(+x.toPrecision(digits));
    return text.replace("-", "−");
  }
  const [mantissa, exponent] = x.toExponential(Math.max(0, digits - 2)).split("e");
  return `${String(+mantissa).replace("-", "−")}×10${superscript(+exponent)}`;
}

export function formatWithUnit(x, unit, digits = 4) {
  const text = formatNumber(x, digits);
  return unit && text !== "–" ? `${text} ${unit}` : text;
}

/// A time with three decimals, which is the recorded millisecond.
export function formatTime(t) {
  return `${t.toFixed(3)} s`;
}

const kUnits = {
  m: "m", s: "s", N: "N", J: "J", Nm: "N·m", rad: "rad", deg: "°", kg: "kg", mps: "m/s", mps2: "m/s²", radps: "rad/s",
  "1ps": "1/s", hz: "Hz", Npm: "N/m", kgm2: "kg·m²", Ns: "N·s",
};

/// `max_gap_drift_m` → ["max gap drift", "m"]; a name without a known unit keeps all its words.
export function splitUnit(name) {
  const cut = name.lastIndexOf("_");
  const unit = cut > 0 ? kUnits[name.slice(cut + 1)] : undefined;
  const words = (unit ? name.slice(0, cut) : name).replaceAll("_", " ");
  return [words, unit ?? ""];
}

/// An element with attributes and children; strings become text.
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const kSvg = "http://www.w3.org/2000/svg";
export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(kSvg, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/// A card with a heading; `level` is that of the heading.
export function makeCard(id, title, note, ...children) {
  const heading = make("h2", { id: `${id}-title` }, title);
  return make("section", { class: "card", id, "aria-labelledby": `${id}-title` },
    make("div", { class: "card-head" }, heading, note ? make("p", { class: "note" }, note) : null), ...children);
}

/// Values one below the other, as a table with a caption for screen readers.
export function makeTable(caption, head, rows, cls = "") {
  return make("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": caption },
    make("table", { class: cls }, make("caption", { class: "sr" }, caption),
      head ? make("thead", {}, make("tr", {}, head.map((h) => make("th", { scope: "col" }, h)))) : null,
      make("tbody", {}, rows)));
}
