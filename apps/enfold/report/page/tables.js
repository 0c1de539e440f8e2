// Everything about a run that is words: events, audit, verdicts, parameters, how to get it again.
import { formatNumber, formatTime, make, makeCard, makeTable, splitUnit } from "./format.js";

const kVerdictWords = { reproduced: "reproduced", reproduced_under_reading: "reproduced under a reading", not_reproduced: "not reproduced" };

function cells(...items) {
  return make("tr", {}, items.map((item) => make("td", {}, item)));
}

/// Events with a button each that takes the clock there.
export function eventsCard(run, clock) {
  const events = run.json.events ?? [];
  if (events.length === 0) return makeCard("events", "Events", null, make("p", { class: "note" }, "No switch of model or contact mode was recorded."));
  const rows = events.map((event) => {
    const jump = [["jump_q", "q"], ["jump_v", "v"], ["jump_lambda_N", "λ [N]"], ["energy_change_J", "energy [J]"]]
      .filter(([key]) => event[key] !== undefined).map(([key, word]) => `${word} ${formatNumber(event[key], 3)}`).join(", ");
    const change = event.from || event.to ? `${event.from ?? ""} → ${event.to ?? ""}` : "";
    const time = Number.isFinite(event.time) ? make("button", { type: "button", class: "jump", onclick: () => clock.set(event.time) }, formatTime(event.time)) : "–";
    const row = cells(time, make("span", { class: "kind", "data-kind": event.kind }, event.kind), event.contact ?? "", change, event.cause ?? "", jump);
    row.dataset.time = event.time;
    return row;
  });
  const card = makeCard("events", `Events (${events.length})`, "A time takes the clock there.",
    makeTable("Events", ["time", "what", "contact", "change", "cause", "jumps"], rows, "events"));
  clock.onTime((t) => {
    for (const row of rows) row.classList.toggle("past", +row.dataset.time <= t + 1e-9);
  });
  return card;
}

export function auditCard(run) {
  const { audit } = run.json;
  if (!audit) return null;
  const verdict = audit.controllable ? "The grasp can be controlled by the law (11) of S4 at the start." : "An assumption of S4 fails at the start.";
  return makeCard("audit", "Audit at the start", null, make("p", { class: `flag ${audit.controllable ? "good" : "bad"}` }, verdict),
    make("ul", { class: "lines" }, audit.lines.map((line) => make("li", {}, line))));
}

export function verdictsCard(run) {
  const verdicts = run.json.verdicts ?? [];
  if (verdicts.length === 0) return null;
  const rows = verdicts.map((v) => cells(v.claim, v.source, v.expected, v.measured,
    make("span", { class: "flag", "data-verdict": v.verdict }, `${kVerdictWords[v.verdict] ?? v.verdict}${v.reading ? ` (reading ${v.reading})` : ""}`)));
  return makeCard("verdicts", "Verdicts", null, makeTable("Verdicts", ["claim", "where", "expected", "measured", "verdict"], rows));
}

export function summaryRows(run) {
  return Object.entries(run.json.summary ?? {}).filter(([, value]) => value !== null && value !== "");
}

function showValue(value) {
  return typeof value === "number" ? formatNumber(value, 5) : String(value);
}

export function summaryCard(run) {
  const rows = summaryRows(run).map(([key, value]) => {
    const [words, unit] = splitUnit(key);
    return make("tr", {}, make("th", { scope: "row" }, words), make("td", { class: "num" }, unit && typeof value === "number" ? `${showValue(value)} ${unit}` : showValue(value)));
  });
  return rows.length ? makeCard("summary", "Summary", null, makeTable("Summary", null, rows, "pairs")) : null;
}

/// Dotted keys and values of a tree of parameters; lists of named things go by their names, as on the command line.
export function flatten(value, path = "", out = []) {
  if (value === null || typeof value !== "object") {
    out.push([path, value]);
  } else if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object")) {
    out.push([path, `[${value.join(", ")}]`]);
  } else {
    for (const [key, item] of Object.entries(value)) {
      const own = Array.isArray(value) && item && typeof item.name === "string" ? item.name : key;
      flatten(item, path ? `${path}.${own}` : own, out);
    }
  }
  return out;
}

export function parametersCard(run) {
  const { scenario } = run.json;
  if (!scenario) return null;
  const rows = flatten(scenario).map(([key, value]) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, key)), make("td", {}, String(value))));
  const readings = Object.entries(run.json.readings ?? {}).map(([key, text]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, text)));
  return makeCard("parameters", "Parameters", "The scenario with every default filled in.",
    make("details", {}, make("summary", {}, `${rows.length} parameters`), makeTable("Parameters", null, rows, "pairs")),
    readings.length ? make("details", {}, make("summary", {}, "How the paper is read"), makeTable("Readings", null, readings, "pairs")) : null,
    make("p", {}, make("button", { type: "button", class: "plain", onclick: () => saveText(`${run.label}.yaml`, JSON.stringify(scenario, null, 1)) }, "Save the scenario as a file")));
}

function saveText(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/yaml" })), download: name.replace(/[^\w.-]+/g, "_") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function commandCard(run) {
  const command = run.json.command ?? "";
  const code = make("code", { class: "command", tabindex: "0" }, command || "not recorded");
  const done = make("span", { class: "note", role: "status" });
  const copy = make("button", {
    type: "button", class: "plain", onclick: async () => {
      const selection = window.getSelection();
      selection.selectAllChildren(code);
      try {
        await navigator.clipboard.writeText(command);
        done.textContent = "copied";
      } catch {
        done.textContent = "selected: copy it with the keyboard";
      }
    },
  }, "Copy");
  const rows = run.json.rows;
  const facts = [`enfold ${run.json.version ?? "?"}`, `seed ${run.json.seed ?? "?"}`, rows ? `${rows.recorded} recorded instants` : null, run.json.folder ? `folder ${run.json.folder}` : null];
  return makeCard("command", "How to get this run again", null, make("div", { class: "command-row" }, code, copy), done,
    make("p", { class: "note" }, facts.filter(Boolean).join(" · "), ". Same scenario, seed and build: same bytes."));
}

/// What the page does not show, and why.
export function missingNotice(run) {
  const notes = [...(run.json.missing ?? [])];
  const { rows } = run.json;
  if (rows && rows.shown < rows.recorded && rows.shown > 1) {
    const far = rows.deviation >= 1 ? "some changes of state are missing" : `no line is off by more than ${formatNumber(100 * rows.deviation, 2)} % of its range`;
    notes.push(`To keep the page small it shows ${rows.shown} of ${rows.recorded} recorded instants; ${far}.`);
  }
  if (notes.length === 0) return null;
  return make("div", { class: "notice", role: "note" }, make("strong", {}, run.json.missing?.length ? "Parts of this run are missing or damaged." : "Thinned."),
    make("ul", {}, notes.map((note) => make("li", {}, note))));
}
