// The report page in a browser: that it shows the run's numbers, answers to mouse and keyboard, and keeps to itself.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { openBrowser } from "./browser.mjs";
import { cut, enfold, events, folder, frontier, history, kSource, matrices, removeRuns, scenario, simulate } from "./runs.mjs";

const kAxe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser;
const pages = {};

/// A test that ends, whatever hangs.
const check = (name, work) => test(name, { timeout: 900_000 }, work);

before(async () => {
  pages.rotate = simulate("song2001-rotate");
  pages.translate = simulate("song2001-translate");
  pages.rocking = simulate("classic-rocking-block");
  pages.bouncing = simulate("classic-bouncing-block");
  simulate("song2001-rotate", "soft", "--set", "controller.Kp=25", "--set", "controller.Kv=10");
  enfold("report", "song2001-rotate", "soft", "--out", "compare.html");
  pages.compare = path.join(folder, "compare.html");
  pages.damaged = simulate("song2001-rotate", "damaged");
  cut("damaged", "history.csv", 300_000);
  cut("damaged", "matrices.bin", 10_000);
  enfold("report", "damaged", "--quiet");
  enfold("plan", scenario("song2001-rotate"), "--out", "plan", "--quiet");
  enfold("report", "plan", "--quiet");
  pages.plan = path.join(folder, "plan", "report.html");
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  removeRuns();
});

/// Opens a page; whatever it says on the console, throws or asks the network for ends up in `page.trouble`.
async function open(file, { width = 1440, height = 900, dark = false } = {}) {
  const page = await browser.context.newPage();
  page.setDefaultTimeout(120_000);  // for a machine that is busy with something else
  page.trouble = [];
  page.on("console", (message) => page.trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.trouble.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url() !== `file://${file}` && !/^(data|blob):/.test(request.url())) page.trouble.push(`request: ${request.url()}`);
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  await page.goto(`file://${file}`);
  if (await page.locator("#transport").count()) await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  return page;
}

async function close(page) {
  assert.deepEqual(page.trouble, []);
  await page.close();
}

const timeOf = (page) => page.evaluate(() => window.enfoldPage.clock.t);
const setTime = (page, t) => page.evaluate((t) => { window.enfoldPage.clock.set(t); window.enfoldPage.settle(); }, t);
/// "−1.2×10⁻³ N" → −0.0012
const numberOf = (text) => Number(text.trim().split(" ")[0].replace("−", "-").replace("×10", "e").replace(/[⁰¹²³⁴-⁹⁻]/g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".includes(c) ? "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c) : "-"));

/// Elements that reach beyond the right edge of the window.
const tooWide = (page) => page.evaluate(() => [...document.querySelectorAll("main *, header *, footer *")].filter((e) => {
  const box = e.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1 && !e.closest(".table-box, svg, .table-host");
}).map((e) => `${e.tagName} ${e.className}`));

async function unfold(page) {
  for (const details of await page.locator("details").all()) await details.evaluate((d) => { d.open = true; });
}

check("no page overflows at 375, 768 or 1440 px, complains or asks the network", async () => {
  for (const [name, file] of Object.entries(pages)) {
    const page = await open(file, { width: 375, height: 812 });
    await unfold(page);
    for (const [width, height] of [[375, 812], [768, 1024], [1440, 900]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= window, `${name} is ${content} px wide in a window of ${window} px`);
      assert.deepEqual(await tooWide(page), [], `${name} at ${width} px`);
    }
    await close(page);
  }
});

check("axe finds nothing serious, in light and dark", async () => {
  for (const [name, dark] of [["translate", false], ["translate", true], ["compare", false], ["rocking", true], ["damaged", false], ["plan", true]]) {
    const page = await open(pages[name], { dark });
    await unfold(page);
    // The page's policy lets no other script in; a debugger's evaluation is none.
    await page.evaluate(readFileSync(kAxe, "utf8"));
    const { violations } = await page.evaluate(() => window.axe.run());
    const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" ")}`), [], name);
    await close(page);
  }
});

check("plays, pauses and changes speed by mouse and by keyboard", async () => {
  const page = await open(pages.rotate);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("0.05");
  const object = page.locator(".scene .object").locator("..");
  const before = await object.getAttribute("transform");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.enfoldPage.clock.t > 0.005);
  await page.getByRole("button", { name: "Pause" }).click();
  const stopped = await timeOf(page);
  await page.waitForTimeout(120);
  assert.equal(await timeOf(page), stopped);
  assert.notEqual(await object.getAttribute("transform"), before);
  await page.locator("body").press(" ");
  await page.waitForFunction((t) => window.enfoldPage.clock.t > t, stopped);
  await page.locator("body").press(" ");
  assert.equal(await page.evaluate(() => window.enfoldPage.clock.playing), false);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("4");
  assert.equal(await page.evaluate(() => window.enfoldPage.clock.speed), 4);
  await page.locator("body").press("[");
  await page.locator("body").press("End");
  assert.equal(await timeOf(page), 1);
  await page.locator("body").press("ArrowLeft");
  assert.equal(await timeOf(page), 0.999);
  await page.locator("body").press("Shift+ArrowLeft");
  assert.equal(await timeOf(page), 0.989);
  await page.locator("body").press("Home");
  assert.equal(await timeOf(page), 0);
  await page.locator("body").press("?");
  assert.ok(await page.getByRole("dialog").isVisible());
  await page.getByRole("button", { name: "Close" }).click();
  // At the end it stops; playing again starts over.
  await setTime(page, 0.99);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.enfoldPage.clock.t === 1 && !window.enfoldPage.clock.playing);
  await close(page);
});

check("scrubbing moves the scene, all cursors and all values to the recorded numbers", async () => {
  const page = await open(pages.translate);
  const slider = await page.locator("#time").boundingBox();
  await page.mouse.move(slider.x + 0.2 * slider.width, slider.y + slider.height / 2);
  await page.mouse.down();
  await page.mouse.move(slider.x + 0.5 * slider.width, slider.y + slider.height / 2, { steps: 5 });
  await page.mouse.up();
  const t = await timeOf(page);
  assert.ok(Math.abs(t - 0.5) < 0.02, `t = ${t}`);
  await setTime(page, 0.5);
  const row = history("song2001-translate")[500];
  assert.equal(await page.locator("#transport output").textContent(), "0.500 s");
  const cells = await page.locator(".now-table tbody tr").first().locator("td").allTextContents();
  assert.match(cells[0], /slides \+/);
  assert.ok(Math.abs(numberOf(cells[1]) - row["lambda_N.left.proximal_N"]) < 5e-3);
  assert.ok(Math.abs(numberOf(cells[2]) - row["lambda_T.left.proximal_N"]) < 5e-3);
  await page.locator("#plot-torque").scrollIntoViewIfNeeded();
  const torque = page.locator("#plot-torque .legend button", { hasText: "right.distal" }).locator(".value");
  await page.waitForFunction(() => document.querySelector("#plot-torque .legend .value").textContent !== "");
  const text = await torque.textContent();
  assert.match(text, / N·m$/);
  assert.ok(Math.abs(numberOf(text) / row["tau.right.distal_Nm"] - 1) < 1e-3, text);
  // Every cursor in sight is at the same part of its plot.
  const parts = await page.evaluate(() => window.enfoldPage.group.cards.filter((c) => c.graph && !c.offscreen).map((c) => {
    const x = new DOMMatrix(getComputedStyle(c.cursor).transform).e;
    return (x - c.area.x) / c.area.w;
  }));
  assert.ok(parts.length >= 2);
  for (const part of parts) assert.ok(Math.abs(part - 0.5) < 2e-3, String(parts));
  assert.match(await page.locator("#scene-text").textContent(), /At 0\.5 s the object is at/);
  await close(page);
});

check("hovering shows the values there in every plot; a click goes there", async () => {
  const page = await open(pages.rotate);
  const rows = history("song2001-rotate");
  await page.locator("#plot-normal").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.getElementById("plot-normal").scrollIntoView());
  const box = await page.locator("#plot-normal .chart").boundingBox();
  const area = await page.evaluate(() => window.enfoldPage.group.cards.find((c) => c.plot.id === "plot-normal").area);
  await page.mouse.move(box.x + area.x + 0.25 * area.w, box.y + 60);
  const t = await page.evaluate(() => window.enfoldPage.group.hover);
  assert.ok(Math.abs(t - 0.25) < 0.01, `hover at ${t}`);
  const row = rows.find((r) => Math.abs(r.time_s - t) < 1e-9);
  for (const [card, column] of [["#plot-normal", "lambda_N.left.proximal_N"], ["#plot-tangential", "lambda_T.left.proximal_N"]]) {
    const text = await page.locator(`${card} .legend .value`).first().textContent();
    assert.match(text, / N$/);
    assert.ok(Math.abs(numberOf(text) / row[column] - 1) < 1e-3, `${card}: ${text}, recorded ${row[column]}`);
  }
  await page.mouse.click(box.x + area.x + 0.75 * area.w, box.y + 60);
  assert.ok(Math.abs(await timeOf(page) - 0.75) < 0.01);
  await page.mouse.move(5, 5);
  assert.equal(await page.evaluate(() => window.enfoldPage.group.hover), null);
  await close(page);
});

check("legend buttons switch lines off and on; dragging zooms all plots, a double click shows all", async () => {
  const page = await open(pages.rotate);
  const shown = (id) => page.evaluate((id) => window.enfoldPage.group.cards.find((c) => c.plot.id === id).graph.visibility(), id);
  const button = page.locator("#plot-normal .legend button", { hasText: "left.distal" });
  await button.click();
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  assert.deepEqual(await shown("plot-normal"), [true, false, true, true, true]);
  await button.press("Enter");
  assert.deepEqual(await shown("plot-normal"), [true, true, true, true, true]);
  await page.evaluate(() => document.getElementById("plot-normal").scrollIntoView());
  const box = await page.locator("#plot-normal .chart").boundingBox();
  const area = await page.evaluate(() => window.enfoldPage.group.cards.find((c) => c.plot.id === "plot-normal").area);
  await page.mouse.move(box.x + area.x + 0.2 * area.w, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + area.x + 0.6 * area.w, box.y + 62, { steps: 4 });
  await page.mouse.up();
  const windows = () => page.evaluate(() => window.enfoldPage.group.cards.filter((c) => c.graph).map((c) => c.graph.xAxisRange()));
  for (const [from, to] of await windows()) {
    assert.ok(Math.abs(from - 0.2) < 0.01 && Math.abs(to - 0.6) < 0.01, `${from} to ${to}`);
  }
  await page.mouse.dblclick(box.x + area.x + 0.5 * area.w, box.y + 60);
  for (const window of await windows()) assert.deepEqual(window, [0, 1]);
  await page.getByRole("button", { name: "Zoom in" }).click();
  assert.ok((await windows()).every(([from, to]) => Math.abs(to - from - 0.5) < 1e-9));
  await page.locator("body").press("0");
  await close(page);
});

const verdictOf = (page) => page.locator("#mu-map .verdict").getAttribute("data-verdict");

/// Types values of μ into the field of a contact: where between low and high does the verdict change?
const bisect = (page, contact, low, high, width) => page.evaluate(([contact, low, high, width]) => {
  const field = document.querySelector(`#mu-map input[type=number][aria-label^="μ of ${contact}"]`);
  const verdict = document.querySelector("#mu-map .verdict");
  const at = (mu) => {
    field.value = String(mu);
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return verdict.dataset.verdict;
  };
  const ends = [at(low), at(high)];
  while (high - low > width) {
    const middle = 0.5 * (low + high);
    if (at(middle) === "yes") low = middle; else high = middle;
  }
  return { ends, change: 0.5 * (low + high) };
}, [contact, low, high, width]);

/// A(μ) = A₀ + A₁ diag(μ) and its derivative by μ_j.
function family({ A0, A1 }, mu, j) {
  return [A0.map((row, i) => row.map((a, k) => a + A1[i][k] * mu[k])), A0.map((row, i) => row.map((_, k) => (k === j ? A1[i][k] : 0)))];
}

check("a μ across the frontier changes the verdict where the C++ code says, within 1e-6", async () => {
  const page = await open(pages.translate);
  const names = ["left.proximal", "left.distal", "right.proximal", "right.distal"];
  const mu = [0.8, 0.6, 0.8, 0.6];
  for (const [row, j] of [[300, 0], [500, 1], [560, 2]]) {
    await setTime(page, row / 1000);
    await page.getByRole("button", { name: "Back to the scenario's μ" }).click();
    assert.equal(await verdictOf(page), "yes");
    const [A, B] = family(matrices("song2001-translate", row, 4), mu, j);
    const edge = mu[j] + frontier(A, B);
    const told = Number(await page.locator("#mu-map .mu").nth(j).locator(".span").getAttribute("data-upper"));
    assert.ok(Math.abs(told - edge) < 1e-9, `${names[j]} at row ${row}: the page says ${told}, C++ ${edge}`);
    // Found again through the verdict alone.
    const { ends, change } = await bisect(page, names[j], mu[j], 2 * edge, 1e-8);
    assert.deepEqual(ends, ["yes", "no"]);
    assert.ok(Math.abs(change - edge) < 1e-6, `${names[j]} at row ${row}: the verdict changes at ${change}, C++ ${edge}`);
    assert.ok((await page.locator("#mu-map .verdict").textContent()).includes("with these μ"));
  }
  await close(page);
});

check("dragging a slider, and the point in the map, crosses the frontier there too", async () => {
  const page = await open(pages.translate);
  await setTime(page, 0.5);
  const mu = [0.8, 0.6, 0.8, 0.6];
  const [A, B] = family(matrices("song2001-translate", 500, 4), mu, 0);
  const edge = mu[0] + frontier(A, B);
  const slider = page.getByRole("slider", { name: "μ of left.proximal" });
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 0.5 * box.width, y);
  await page.mouse.down();
  const seen = [];
  for (let k = 0; k <= 16; ++k) {
    await page.mouse.move(box.x + (0.5 + 0.4 * k / 16) * box.width, y);
    seen.push([Number(await slider.inputValue()), await verdictOf(page)]);
  }
  await page.mouse.up();
  assert.ok(seen[0][1] === "yes" && seen.at(-1)[1] === "no", String(seen));
  for (const [value, verdict] of seen) assert.equal(verdict, value < edge ? "yes" : "no", `μ = ${value}, frontier ${edge}`);

  // Both groups at once, along the diagonal of the map.
  await page.getByRole("button", { name: "Back to the scenario's μ" }).click();
  const map = await page.locator("#mu-map svg.map").boundingBox();
  const at = (share) => page.evaluate(({ share }) => {
    const map = window.enfoldPage.map;
    const k = map.svg.getBoundingClientRect().width / 340;
    return [k * map.xOfMu(share * map.top), k * map.yOfMu(share * map.top)];
  }, { share });
  const verdicts = [];
  await page.mouse.move(map.x + (await at(0.1))[0], map.y + (await at(0.1))[1]);
  await page.mouse.down();
  for (let k = 1; k <= 9; ++k) {
    const [x, y] = await at(k / 10);
    await page.mouse.move(map.x + x, map.y + y);
    verdicts.push([await page.evaluate(() => window.enfoldPage.map.mu.slice()), await verdictOf(page)]);
  }
  await page.mouse.up();
  const { A0, A1 } = matrices("song2001-translate", 500, 4);
  for (const [own, verdict] of verdicts) {
    const r = frontier(A0, A0.map((row, i) => row.map((_, k) => A1[i][k] * own[k])));
    assert.equal(verdict, r === null || r > 1 ? "yes" : "no", `μ = ${own}, r = ${r}`);
  }
  assert.deepEqual(new Set(verdicts.map(([, v]) => v)), new Set(["yes", "no"]));
  await close(page);
});

check("contacts without a part in the problem, and those that stick, say so", async () => {
  const page = await open(pages.rocking);
  await setTime(page, 0.05);
  const spans = await page.locator("#mu-map .span").allTextContents();
  assert.match(spans.join(" | "), /open: takes no part/);
  await close(page);
});

check("events take the clock to their time, by click and by key", async () => {
  const page = await open(pages.translate);
  const all = events("song2001-translate");
  const lost = all.find((event) => event.kind === "uniqueness").time;
  const button = page.getByRole("button", { name: `${lost} s` }).first();
  await button.click();
  assert.ok(Math.abs(await timeOf(page) - lost) < 1e-9);
  assert.equal(await page.locator("#plot-states .strip .value").nth(1).textContent(), "not P");
  await page.locator("body").press("p");
  const before = all.map((event) => event.time).filter((time) => time < lost).at(-1);
  assert.ok(Math.abs(await timeOf(page) - before) < 1e-9);
  assert.match(await page.locator("#events tbody").textContent(), /settled for 0\.01\d* s/);
  await close(page);
});

check("the page tells audit, verdicts, parameters and the command", async () => {
  enfold("reproduce", "song2001", "--no-figures", "--quiet", "--out", "paper");
  const page = await open(path.join(folder, "paper", "report.html"));
  assert.match(await page.locator("#audit").textContent(), /can be controlled/);
  assert.match(await page.locator("#verdicts").textContent(), /reproduced under a reading/);
  assert.match(await page.locator("#command .command").textContent(), /enfold reproduce song2001/);
  await page.locator("#parameters summary").first().click();
  assert.match(await page.locator("#parameters").textContent(), /contacts\.left\.proximal\.mu\s*0\.1/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the scenario" }).click()]);
  const saved = path.join(folder, "saved.yaml");
  await download.saveAs(saved);
  assert.match(enfold("check", saved), /P-matrix/);  // what was saved is a scenario
  await close(page);
});

check("text of a scenario stays text", async () => {
  const text = readFileSync(scenario("classic-block-slips"), "utf8").replace(/^shows: .*$/m, "shows: \"<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\"");
  writeFileSync(path.join(folder, "mean.yaml"), text);
  simulate(path.join(folder, "mean.yaml"), "mean");
  const run = path.join(folder, "mean", "run.json");
  writeFileSync(run, readFileSync(run, "utf8").replace("\"name\": \"classic-block-slips\"", "\"name\": \"<script>window.hacked = 3</script>\""));
  enfold("report", "mean", "--quiet");
  const page = await open(path.join(folder, "mean", "report.html"));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("h1").textContent(), "<script>window.hacked = 3</script>");
  assert.match(await page.locator(".shows").textContent() + await page.locator(".notice").allTextContents(), /<script>|can't be used/);
  await close(page);
});

check("a damaged run is shown as far as it goes, and the page says what is missing", async () => {
  const page = await open(pages.damaged);
  const notice = await page.locator(".notice").first().textContent();
  for (const word of ["history.csv", "matrices.bin", "of 1001 recorded instants"]) assert.ok(notice.includes(word), notice);
  assert.ok(await page.evaluate(() => window.enfoldPage.clock.end) < 0.9);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.enfoldPage.clock.t > 0.02);
  await close(page);
  const plan = await open(pages.plan);
  assert.match(await plan.locator(".notice").first().textContent(), /not simulated/);
  assert.equal(await plan.locator("#transport").count(), 0);
  await close(plan);
});

check("two runs lie over each other, with a table of differences", async () => {
  const page = await open(pages.compare);
  assert.equal(await page.locator("#plot-torque .legend button").count(), 8);
  const table = await page.locator("#differences").textContent();
  assert.match(table, /controller\.Kp\s*100\s*25/);
  const first = history("song2001-rotate");
  const second = history("soft");
  const largest = Math.max(...first.map((row, k) => Math.abs(row["object.phi_rad"] - second[k]["object.phi_rad"])));
  const cell = page.locator("#differences tr", { hasText: "object.phi [rad]" }).locator("td").first();
  assert.ok(Math.abs(numberOf(await cell.textContent()) / largest - 1) < 1e-3);
  assert.equal(await page.locator(".scene path.other").count(), 1 + 4);  // object and links
  await page.getByRole("combobox", { name: "in full:" }).selectOption({ label: "soft" });
  await page.evaluate(() => window.enfoldPage.clock.set(0.1));
  assert.match(await page.locator("#scene-title").textContent(), /soft/);
  await close(page);
});

check("a long run is thinned and says how far off that is", async () => {
  const file = simulate("song2001-rotate", "long", "--set", "simulation.duration_s=10");
  assert.ok(statSync(file).size < 3e6, `${statSync(file).size} bytes`);
  const page = await open(file);
  assert.match(await page.locator(".notice").first().textContent(), /of 10001 recorded instants; no line is off by more than/);
  await close(page);
});

check("on paper there are no controls, and the colours are light", async () => {
  const page = await open(pages.translate, { dark: true });
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  assert.ok(pdf.length > 50_000);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.equal(await page.locator("#transport").isVisible(), false);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await page.locator("#transport").isVisible(), true);
  await close(page);
});

check("the theme follows the system until it is chosen", async () => {
  const page = await open(pages.rotate, { dark: true });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");  // the browser tells it with a frame
  const button = page.locator("button.theme");
  await button.click();
  await button.click();
  assert.equal(await theme(), "dark");
  await button.click();
  assert.equal(await theme(), "light");
  await close(page);
});

check("no name is used twice in the modules, which share one scope in the page", () => {
  const sources = path.join(kSource, "apps/enfold/report/page");
  const names = readdirSync(sources).filter((f) => f.endsWith(".js")).flatMap((file) =>
    [...readFileSync(path.join(sources, file), "utf8").matchAll(/^(?:export )?(?:async )?(?:function|class|const|let) ([A-Za-z_$][\w$]*)/gm)].map((m) => m[1]));
  assert.ok(names.length > 40);
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
});
