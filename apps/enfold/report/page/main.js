// Puts the page together.
import { Clock } from "./clock.js";
import { differencesCard } from "./compare.js";
import { formatNumber, make } from "./format.js";
import { MuMap } from "./mu_map.js";
import { PlotGroup } from "./plot_card.js";
import { PlotBuilder } from "./plots.js";
import { kModeWords, Run } from "./run.js";
import { modeDot, modeLegend, Scene } from "./scene.js";
import { StripCard } from "./strips.js";
import { auditCard, commandCard, eventsCard, missingNotice, parametersCard, summaryCard, verdictsCard } from "./tables.js";
import { Theme } from "./theme.js";
import { Transport } from "./transport.js";

const kStatusWords = {
  completed: "completed", planned: "planned only", contact_lost: "lost a contact", contact_off_link: "a contact slid off its link",
  not_unique: "stopped: not unique", solver_failed: "stopped: no solution found", controller_singular: "stopped: controller singular", diverged: "diverged",
};

/// Numbers of every contact at the time of the clock.
class ContactTable {
  constructor(run) {
    this.run = run;
    this.rows = run.contacts.map(({ name }, i) => {
      const cells = ["mode", "N", "T", "use"].map((key) => make("td", { class: key === "mode" ? "" : "num" }));
      return { name, cells, element: make("tr", {}, make("th", { scope: "row" }, make("span", { class: "swatch", style: `--c:var(--series-${i % 7})` }), name), cells) };
    });
    this.element = make("table", { class: "now-table" }, make("caption", { class: "sr" }, "Contacts at the cursor's time"),
      make("thead", {}, make("tr", {}, ["contact", "mode", "λ_N [N]", "λ_T [N]", "use"].map((h) => make("th", { scope: "col" }, h)))),
      make("tbody", {}, this.rows.map((row) => row.element)));
  }

  draw(t) {
    for (const { name, cells } of this.rows) {
      const mode = this.run.mode(name, t);
      if (cells[0].dataset.mode !== mode) {
        cells[0].dataset.mode = mode;
        cells[0].replaceChildren(modeDot(mode), kModeWords[mode]);
      }
      cells[1].textContent = formatNumber(this.run.at(`lambda_N.${name}_N`, t), 3);
      cells[2].textContent = formatNumber(this.run.at(`lambda_T.${name}_N`, t), 3);
      const use = this.run.at(`use.${name}`, t);
      cells[3].textContent = Number.isFinite(use) ? `${Math.round(100 * use)} %` : "–";
      cells[3].style.setProperty("--use", Number.isFinite(use) ? Math.min(1, use) : 0);
      cells[3].classList.toggle("bar-cell", true);
    }
  }
}

class Page {
  constructor(data) {
    this.runs = data.runs.map((json, i) => new Run(json, i));
    this.theme = new Theme();
    this.focus = this.runs.find((run) => !run.empty) ?? this.runs[0];
    this.drawHead();
    const facts = document.getElementById("facts");
    if (this.runs.every((run) => run.empty)) {
      document.getElementById("stage").remove();
      document.getElementById("plots").remove();
      document.getElementById("transport").remove();
      document.body.classList.add("no-time");
      this.drawFacts(facts);
      return;
    }
    const filled = this.runs.filter((run) => !run.empty);
    this.clock = new Clock(Math.min(...filled.map((run) => run.start)), Math.max(...filled.map((run) => run.end)));
    this.drawStage();
    performance.mark("enfold-first-frame");
    this.group = new PlotGroup(this.clock, this.theme, this.bands());
    this.transport = new Transport(document.getElementById("transport"), this.clock, this.group, this.focus, () => this.settle());
    this.clock.onTime((t) => this.draw(t));
    this.drawFacts(facts);
    this.drawPlots();
    window.addEventListener("resize", () => this.resizeSoon());
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  /// Stretches of compliant contact of the run in focus, shaded in the plots.
  bands() {
    return this.focus.stretches("model").filter(([, , state]) => state === 1);
  }

  drawHead() {
    const head = document.getElementById("head");
    const { json } = this.focus;
    const several = this.runs.length > 1;
    const title = several ? "Comparison of runs" : json.label;
    const chips = several ? this.runs.map((run) => make("li", { class: "chip-run", "data-run": run.index % 4 }, make("span", { class: "run-line" }), run.label))
      : this.chips(this.focus).map(([text, cls]) => make("li", { class: cls ?? "" }, text));
    this.themeButton = make("button", { type: "button", class: "plain theme", onclick: () => { this.theme.next(); this.nameTheme(); } });
    this.nameTheme();
    const notices = this.runs.map(missingNotice).filter(Boolean);
    head.append(make("div", { class: "head-row" }, make("p", { class: "brand" }, "enfold"), this.themeButton), make("h1", {}, title),
      several ? "" : make("p", { class: "shows" }, json.shows ?? ""), make("ul", { class: "chips", "aria-label": several ? "Runs" : "In short" }, chips),
      json.message && !several ? make("p", { class: "notice bad" }, json.message) : "", ...notices);
  }

  nameTheme() {
    this.themeButton.textContent = { auto: "◐ auto", light: "○ light", dark: "● dark" }[this.theme.choice];
    this.themeButton.setAttribute("aria-label", `Theme: ${this.theme.choice}. Change it`);
  }

  chips(run) {
    const { json } = run;
    const out = [[kStatusWords[json.status] ?? json.status ?? "status unknown", json.status === "completed" ? "good" : "bad"]];
    if (run.empty) return out;
    out.push([`${formatNumber(run.end - run.start)} s`]);
    const model = json.scenario?.simulation?.model;
    if (model) out.push([`${model} contacts`]);
    const p = run.states.get("p_matrix");
    if (p) {
      const share = p.reduce((sum, state) => sum + (state === 1), 0);
      const never = p.every((state) => state === 2);
      out.push(never ? ["uniqueness not decided"] : share === p.length ? ["unique throughout", "good"] : [`not unique at ${p.length - share} of ${p.length} instants`, "warn"]);
    }
    const smallest = json.summary?.smallest_normal_N;
    if (Number.isFinite(smallest)) out.push([`smallest λ_N ${formatNumber(smallest, 3)} N`]);
    if (json.summary?.stability_warning) out.push(["contacts grow: see the summary", "warn"]);
    return out;
  }

  drawStage() {
    const stage = document.getElementById("stage");
    this.scene = new Scene(this.runs, this.theme);
    this.table = new ContactTable(this.focus);
    this.tableHost = make("div", { class: "table-host" }, this.table.element);
    stage.style.setProperty("--rows", this.focus.contacts?.length ?? 0);
    const several = this.runs.filter((run) => !run.empty).length > 1;
    const choose = several ? make("label", { class: "focus" }, "in full: ", make("select", { onchange: (event) => this.setFocus(this.runs[+event.target.value]) },
      this.runs.filter((run) => !run.empty).map((run) => make("option", { value: run.index, selected: run === this.focus }, run.label)))) : null;
    const picture = this.scene.focus ? make("div", { class: "picture" }, this.scene.element) : make("p", { class: "notice" }, "There is no picture: hand and object can't be built from what the folder holds.");
    stage.append(make("div", { class: "card stage-card" }, make("h2", { class: "sr" }, "Playback"), choose, picture,
      make("div", { class: "stage-legend" }, modeLegend(), this.focus.has("desired.x_m") ? make("p", { class: "note ghost-note" }, make("span", { class: "ghost-line" }), "desired pose") : null), this.tableHost));
    this.scene.draw(this.clock.t);
    this.scene.describe(this.clock.t);
    this.table.draw(this.clock.t);
  }

  setFocus(run) {
    this.focus = run;
    this.scene.setFocus(run);
    this.table = new ContactTable(run);
    this.tableHost.replaceChildren(this.table.element);
    this.group.bands = this.bands();
    this.group.recolour();
    this.transport.run = run;
    this.replaceMap();
    this.draw(this.clock.t);
  }

  replaceMap() {
    const old = this.map?.element;
    this.map = this.focus.matrices ? new MuMap(this.focus, this.clock) : null;
    if (this.map) this.watch.observe(this.map.element);
    if (old && this.map) old.replaceWith(this.map.element);
    else if (old) old.remove();
    return this.map?.element;
  }

  draw(t) {
    this.scene.draw(t);
    this.table.draw(t);
    this.map?.draw(t);
  }

  /// When time rests: what costs more, or is read aloud.
  settle() {
    this.scene.describe(this.clock.t);
    this.map?.draw(this.clock.t, true);
  }

  drawPlots() {
    const host = document.getElementById("plots");
    const builder = new PlotBuilder(this.runs, this.group);
    const strips = new StripCard(this.runs, this.group);
    const buttons = [["−", "Zoom out", () => this.group.zoom(2)], ["+", "Zoom in", () => this.group.zoom(0.5)], ["All", "Show all of the time", () => this.group.zoomOut()]];
    host.append(make("div", { class: "tools" }, make("p", { class: "note" }, "Click: go there. Drag: zoom. Double-click: all."),
      make("div", { class: "buttons", role: "group", "aria-label": "Zoom" }, buttons.map(([text, label, act]) => make("button", { type: "button", class: "plain", "aria-label": label, onclick: act }, text)))), strips.element);
    const cards = [...builder.forces(), ...builder.pose(), ...builder.effort()].filter(Boolean);
    const more = builder.more().filter(Boolean);
    const details = make("details", { class: "more", ontoggle: () => { for (const card of more) this.startCard(card); } }, make("summary", {}, "More plots: gaps, slip, energy, stability"), ...more.map((card) => card.element));
    host.append(...cards.map((card) => card.element), ...(more.length ? [details] : []));
    // The first plots at once, the rest when the page is there.
    const queue = cards.slice();
    const next = () => {
      const until = performance.now() + 12;
      while (queue.length && performance.now() < until) this.startCard(queue.shift());
      if (queue.length) requestAnimationFrame(next);
      else performance.mark("enfold-ready");
      document.documentElement.dataset.ready = String(queue.length === 0);
    };
    requestAnimationFrame(next);
    // What is not seen need not move.
    const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const card = this.group.cards.find((c) => c.element === target);
        card.offscreen = !isIntersecting;
        if (isIntersecting) card.moveCursor();
      }
    }, { rootMargin: "100px" });
    for (const card of this.group.cards) seen.observe(card.element);
  }

  startCard(card) {
    if (!card.drawn) card.start();
    else card.resize();
  }

  drawFacts(host) {
    this.watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (target !== this.map?.element) continue;
        this.map.offscreen = !isIntersecting;
        if (isIntersecting) this.map.draw(this.clock.t, true);
      }
    });
    const cards = [];
    if (this.runs.length > 1) cards.push(differencesCard(this.runs));
    if (this.clock) cards.push(this.replaceMap());
    for (const run of this.runs) {
      const own = [this.clock && !run.empty ? eventsCard(run, this.clock) : null, verdictsCard(run), auditCard(run), summaryCard(run), parametersCard(run), commandCard(run)].filter(Boolean);
      if (this.runs.length > 1) {
        for (const card of own) this.renameIds(card, run.index);
        cards.push(make("details", { class: "of-run" }, make("summary", {}, `About ${run.label}`), ...own));
      } else {
        cards.push(...own);
      }
    }
    host.append(...cards.filter(Boolean));
  }

  renameIds(card, index) {
    card.id += `-${index}`;
    const heading = card.querySelector("h2");
    heading.id += `-${index}`;
    card.setAttribute("aria-labelledby", heading.id);
  }

  resizeSoon() {
    cancelAnimationFrame(this.resizing);
    this.resizing = requestAnimationFrame(() => this.group.resize());
  }

  /// On paper: light, one column.
  print(on) {
    this.clock.pause();
    document.documentElement.classList.toggle("printing", on);
    this.theme.printing = on;
    this.theme.apply();
    for (const card of this.group.cards) {
      card.offscreen = false;
      card.scaleForPaper(on);
      card.moveCursor();
    }
  }
}

window.enfoldPage = new Page(JSON.parse(document.getElementById("enfold-data").textContent));
