// The bar at the bottom: play, pause, speed, scrub; and the keyboard.
import { formatTime, make } from "./format.js";
import { stripBar, stripsOf } from "./strips.js";

const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const kKeys = [["Space", "play or pause"], ["← →", "one recorded instant; with Shift ten"], ["Home End", "start, end"], ["[ ]", "slower, faster"],
  ["+ −", "zoom the plots about the cursor"], ["0", "all of the time"], ["n p", "next or previous event"], ["?", "this list"]];

function icon(path) {
  const box = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  box.setAttribute("viewBox", "0 0 20 20");
  box.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  box.append(shape);
  return box;
}

const kPlay = "M5 3.5v13l11-6.5z";
const kPause = "M4.5 3.5h4v13h-4zM11.5 3.5h4v13h-4z";

export class Transport {
  constructor(host, clock, group, run, afterMove) {
    Object.assign(this, { host, clock, group, run, afterMove });
    this.speed = clock.end - clock.start > 4 ? 1 : clock.end - clock.start > 1.5 ? 0.5 : 0.25;
    clock.speed = this.speed;
    this.playIcon = icon(kPlay);
    this.playButton = make("button", { type: "button", class: "play", "aria-label": "Play", title: "Play or pause (Space)", onclick: () => clock.toggle() }, this.playIcon);
    this.now = make("output", { class: "now", "aria-live": "off" });
    const step = 10 ** Math.floor(Math.log10((clock.end - clock.start) / 2000 || 1e-3));
    this.slider = make("input", {
      type: "range", id: "time", min: clock.start, max: clock.end, step, value: clock.t, "aria-label": "Time",
      oninput: (event) => clock.set(+event.target.value), onchange: () => afterMove(),
    });
    this.select = make("select", { "aria-label": "Speed", title: "Speed ([ and ])", onchange: () => this.setSpeed(+this.select.value) },
      kSpeeds.map((s) => make("option", { value: s, selected: s === this.speed }, `${s}×`)));
    this.help = this.makeHelp();
    const strips = stripsOf(run).slice(0, 2).map((strip) => stripBar(strip, [clock.start, clock.end]));
    const marks = make("div", { class: "marks" }, (run.json.events ?? []).filter((e) => Number.isFinite(e.time)).slice(0, 200).map((event) =>
      make("span", { style: `left:${100 * (event.time - clock.start) / (clock.end - clock.start || 1)}%` })));
    host.append(this.playButton,
      make("div", { class: "readout" }, this.now, make("span", { class: "of" }, `of ${formatTime(clock.end)}`)),
      make("div", { class: "scrub" }, this.slider, marks, make("div", { class: "mini", "aria-hidden": "true" }, strips)),
      this.select, make("button", { type: "button", class: "plain keys", "aria-label": "Keys", title: "Keys (?)", onclick: () => this.help.showModal() }, "?"), this.help);
    clock.onTime((t) => this.show(t));
    clock.onPlay((playing) => this.showPlaying(playing));
    document.addEventListener("keydown", (event) => this.key(event));
    this.show(clock.t);
  }

  makeHelp() {
    const dialog = make("dialog", { class: "help", "aria-label": "Keys" }, make("h2", {}, "Keys"),
      make("dl", {}, kKeys.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)])),
      make("p", {}, "In a plot: drag to zoom, double-click to see all, click to go there."),
      make("form", { method: "dialog" }, make("button", { class: "plain" }, "Close")));
    return dialog;
  }

  show(t) {
    this.now.textContent = formatTime(t);
    if (document.activeElement !== this.slider || Math.abs(+this.slider.value - t) > +this.slider.step) this.slider.value = t;
    this.slider.setAttribute("aria-valuetext", formatTime(t));
  }

  showPlaying(playing) {
    this.playIcon.firstChild.setAttribute("d", playing ? kPause : kPlay);
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) this.afterMove();
  }

  setSpeed(speed) {
    this.speed = this.clock.speed = speed;
    this.select.value = speed;
  }

  /// Moves by recorded instants.
  step(count) {
    const { time } = this.run;
    const row = this.run.rowAt(this.clock.t + 1e-12);
    this.clock.set(time[Math.min(time.length - 1, Math.max(0, row + count))]);
  }

  jump(direction) {
    const times = [...new Set((this.run.json.events ?? []).map((e) => e.time).filter(Number.isFinite))].sort((a, b) => a - b);
    const next = direction > 0 ? times.find((t) => t > this.clock.t + 1e-9) : times.findLast((t) => t < this.clock.t - 1e-9);
    if (next !== undefined) this.clock.set(next);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const { target } = event;
    const typing = target.matches("input[type=number], select, textarea, [contenteditable]");
    const slides = target.matches("input[type=range]") && target !== this.slider;
    const presses = target.matches("button, summary, a");
    if (typing || (slides && event.key !== " ")) return;
    const actions = {
      " ": presses ? null : () => this.clock.toggle(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.clock.set(this.clock.start),
      End: () => this.clock.set(this.clock.end),
      "[": () => this.changeSpeed(-1),
      "]": () => this.changeSpeed(1),
      "+": () => this.group.zoom(0.5),
      "-": () => this.group.zoom(2),
      0: () => this.group.zoomOut(),
      n: () => this.jump(1),
      p: () => this.jump(-1),
      "?": () => this.help.showModal(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
    if (!this.clock.playing) this.afterMove();
  }

  changeSpeed(by) {
    const at = kSpeeds.indexOf(this.speed) + by;
    if (at >= 0 && at < kSpeeds.length) this.setSpeed(kSpeeds[at]);
  }
}
