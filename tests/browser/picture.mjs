// A picture of a report page, as in docs/report.md.
// usage: node tests/browser/picture.mjs PAGE PICTURE.png [TIME [WIDTH [HEIGHT [light|dark]]]]
import path from "node:path";
import { openBrowser } from "./browser.mjs";

const [file, picture, time = "0", width = "1440", height = "900", colorScheme = "light"] = process.argv.slice(2);
const browser = await openBrowser({ viewport: { width: +width, height: +height }, colorScheme });
const page = await browser.context.newPage();
await page.goto(`file://${path.resolve(file)}`);
await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
await page.evaluate((t) => {
  window.enfoldPage.clock.set(t);
  window.enfoldPage.settle();
}, +time);
await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
await page.screenshot({ path: picture });
await browser.close();
