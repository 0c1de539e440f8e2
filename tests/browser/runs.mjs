// Runs and pages for the tests, made by the program itself; and its answers about matrices.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const kSource = fileURLToPath(new URL("../..", import.meta.url));
export const kProgram = path.resolve(process.env.ENFOLD_PROGRAM ?? path.join(kSource, "build/dev/apps/enfold/enfold"));
export const folder = mkdtempSync(path.join(tmpdir(), "enfold-pages-"));

export function removeRuns() {
  rmSync(folder, { recursive: true, force: true });
}

export function enfold(...words) {
  return execFileSync(kProgram, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

export function scenario(name) {
  return path.join(kSource, "scenarios", `${name}.yaml`);
}

/// Simulates a shipped scenario, or a file; returns the path of its page.
export function simulate(name, out = name, ...more) {
  enfold("simulate", name.endsWith(".yaml") ? name : scenario(name), "--no-figures", "--quiet", "--out", out, ...more);
  return path.join(folder, out, "report.html");
}

/// history.csv as an array of objects of texts.
export function history(run) {
  const [head, ...rows] = readFileSync(path.join(folder, run, "history.csv"), "utf8").trimEnd().split("\n").map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}

/// Times and kinds of a run's events.
export function events(run) {
  const [, ...rows] = readFileSync(path.join(folder, run, "events.csv"), "utf8").trimEnd().split("\n");
  return rows.map((row) => row.split(",")).map(([time, kind]) => ({ time: Number(time), kind }));
}

/// A₀ and A₁ of one row, straight from matrices.bin.
export function matrices(run, row, n) {
  const bytes = readFileSync(path.join(folder, run, "matrices.bin"));
  const at = (block, i, j) => bytes.readDoubleLE(8 * ((2 * row + block) * n * n + i * n + j));
  const block = (b) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => at(b, i, j)));
  return { A0: block(0), A1: block(1) };
}

/// The first r ≥ 0 at which A + r·B is no P-matrix, by the C++ code; null if there is none.
export function frontier(A, B) {
  const csv = (M) => M.map((row) => row.join(",")).join("\n") + "\n";
  writeFileSync(path.join(folder, "A.csv"), csv(A));
  writeFileSync(path.join(folder, "B.csv"), csv(B));
  return JSON.parse(enfold("lcp", "A.csv", "--second", "B.csv", "--json", "-")).second.r;
}

/// A file of a run, cut off after so many bytes.
export function cut(run, file, size) {
  truncateSync(path.join(folder, run, file), size);
}
