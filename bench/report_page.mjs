// The report page of a 10 s run at 1 kHz: how soon is the first frame there, and how many frames a second does scrubbing give?
// usage: node bench/report_page.mjs [PROGRAM]
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../tests/browser/browser.mjs";

const source = fileURLToPath(new URL("..", import.meta.url));
const program = path.resolve(process.argv[2] ?? path.join(source, "build/bench/apps/enfold/enfold"));
const folder = mkdtempSync(path.join(tmpdir(), "enfold-bench-"));
const file = path.join(folder, "run", "report.html");

/// Moves the clock in every frame for two seconds, as a hand on the slider does; times between frames in ms.
function scrub() {
  const { clock } = window.enfoldPage;
  return new Promise((done) => {
    const times = [];
    const start = performance.now();
    const step = (now) => {
      times.push(now);
      clock.set(clock.start + (clock.end - clock.start) * (0.5 + 0.5 * Math.sin(times.length / 9)));
      if (now - start < 2000) requestAnimationFrame(step);
      else done(times.slice(1).map((t, i) => t - times[i]));
    };
    requestAnimationFrame(step);
  });
}

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))];

try {
  execFileSync(program, ["simulate", path.join(source, "scenarios/song2001-rotate.yaml"), "--set", "simulation.duration_s=10", "--no-figures", "--quiet",
    "--out", path.join(folder, "run")], { stdio: "inherit" });
  console.log(`page: ${(statSync(file).size / 1e6).toFixed(2)} MB`);
  const browser = await openBrowser({ viewport: { width: 1440, height: 900 } });
  const first = [];
  const ready = [];
  for (let k = 0; k < 5; ++k) {
    const page = await browser.context.newPage();
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
    const marks = await page.evaluate(() => Object.fromEntries(performance.getEntriesByType("mark").map((m) => [m.name, m.startTime])));
    first.push(marks["enfold-first-frame"]);
    ready.push(marks["enfold-ready"]);
    if (k === 4) {
      for (const [what, id] of [["scene and first plots in sight", "main"], ["torques and smallest minor in sight", "plot-torque"], ["map of friction in sight", "mu-map"]]) {
        await page.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
        await page.waitForTimeout(300);
        const session = await browser.context.newCDPSession(page);
        await session.send("Performance.enable", { timeDomain: "threadTicks" });
        const busy = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
        const before = await busy();
        const gaps = await page.evaluate(scrub);
        const cpu = 1000 * (await busy() - before) / gaps.length;
        const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
        console.log(`scrubbing, ${what}: ${(1000 / mean).toFixed(1)} frames/s, 95 % of frames within ${quantile(gaps, 0.95).toFixed(1)} ms, ${cpu.toFixed(1)} ms of the page's processor time each`);
      }
    }
    await page.close();
  }
  console.log(`first frame after ${quantile(first, 0.5).toFixed(0)} ms (median of 5, worst ${Math.max(...first).toFixed(0)}), all plots after ${quantile(ready, 0.5).toFixed(0)} ms`);
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
