// Starts Debian's Chromium without a display.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const kArguments = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];

/// A browser with a profile of its own, which close() removes. `options` are those of playwright's browser contexts.
export async function openBrowser(options = {}) {
  const profile = mkdtempSync(path.join(tmpdir(), "enfold-browser-"));
  const args = process.getuid?.() === 0 ? ["--no-sandbox", ...kArguments] : kArguments;
  const executablePath = process.env.ENFOLD_CHROMIUM ?? "/usr/bin/chromium";
  const context = await chromium.launchPersistentContext(profile, { executablePath, args, headless: true, ...options });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
