// A table of differences between runs: what was set, what came out, and how far the curves are apart.
import { formatNumber, make, makeCard, makeTable, splitUnit } from "./format.js";
import { flatten, summaryRows } from "./tables.js";

/// Largest difference of a column to the first run's over the time that both have, and when.
export function largestDifference(first, other, name) {
  let worst = { value: 0, time: NaN };
  const until = Math.min(first.end, other.end);
  for (const t of first.time) {
    if (t > until) break;
    const difference = Math.abs(other.at(name, t) - first.at(name, t));
    if (difference > worst.value) worst = { value: difference, time: t };
  }
  return worst;
}

function row(key, items) {
  return make("tr", {}, make("th", { scope: "row" }, key), items.map((item) => make("td", { class: "num" }, item)));
}

export function differencesCard(runs) {
  const labels = runs.map((run) => run.label);
  const parameters = parameterRows(runs);
  const numbers = numberRows(runs);
  const curves = curveRows(runs);
  return makeCard("differences", "Differences", `The first run, ${labels[0]}, is what the others are compared with.`,
    make("h3", {}, "Parameters"), parameters.length ? makeTable("Parameters that differ", ["parameter", ...labels], parameters, "numbers") : make("p", { class: "note" }, "none"),
    make("h3", {}, "Summary"), makeTable("Summary numbers", ["number", ...labels, ...labels.slice(1).map((l) => `${l} − ${labels[0]}`)], numbers, "numbers"),
    make("h3", {}, "Curves"), makeTable("Largest differences over the common time", ["curve", ...labels.slice(1).flatMap((l) => [`largest difference, ${l}`, "at"])], curves, "numbers"));
}

function parameterRows(runs) {
  const trees = runs.map((run) => new Map(flatten(run.json.scenario ?? {})));
  const keys = [...new Set(trees.flatMap((tree) => [...tree.keys()]))];
  return keys.filter((key) => trees.some((tree) => String(tree.get(key)) !== String(trees[0].get(key))))
    .map((key) => row(make("code", {}, key), trees.map((tree) => (tree.has(key) ? String(tree.get(key)) : "–"))));
}

function numberRows(runs) {
  const tables = runs.map((run) => new Map(summaryRows(run)));
  const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))];
  return keys.map((key) => {
    const [words, unit] = splitUnit(key);
    const values = tables.map((table) => table.get(key));
    const text = values.map((v) => (typeof v === "number" ? formatNumber(v, 5) : String(v ?? "–")));
    const differences = values.slice(1).map((v) => (typeof v === "number" && typeof values[0] === "number" ? formatNumber(v - values[0], 3) : "–"));
    return row(unit ? `${words} [${unit}]` : words, [...text, ...differences]);
  });
}

const kCurves = [/^object\./, /^error\./, /^tau\./, /^lambda_[NT]\./, /^alpha\./, /^min_minor$/, /^energy_J$/];

function curveRows(runs) {
  const [first, ...others] = runs.filter((run) => !run.empty);
  if (!first || others.length === 0) return [];
  return [...first.columns.keys()].filter((name) => kCurves.some((pattern) => pattern.test(name)) && others.every((run) => run.has(name))).map((name) => {
    const [words, unit] = splitUnit(name);
    const symbol = words.replace(/^lambda ([NT])\./, "λ_$1 ").replace(/^tau\./, "τ ").replace(/^alpha\./, "α ");
    return row(unit ? `${symbol} [${unit}]` : symbol, others.flatMap((other) => {
      const worst = largestDifference(first, other, name);
      return [formatNumber(worst.value, 4), Number.isFinite(worst.time) ? `${worst.time.toFixed(3)} s` : "–"];
    }));
  });
}
