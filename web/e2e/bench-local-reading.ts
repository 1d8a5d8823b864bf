import { launchBrowser } from './browser.ts';
import { Figures } from './figures.ts';
import { serveModule } from './module-page.ts';

/**
 * `npm run bench:local [posts]...`: how long the grid's reading of the replica takes in real Chromium. The target:
 * the first posts of 10,000 within 1 s. Ends with 1 where it is missed; with other numbers of posts nothing is judged.
 */
const asked = process.argv.slice(2).map(Number);
const COUNTS = asked.length > 0 ? asked : [1000, 10_000];
const TARGET_MS = 1000;
const figures = new Figures(asked.length === 0);

const served = await serveModule('local-reading.ts');
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  for (const count of COUNTS) {
    await page.goto(served.url);
    await page.waitForFunction('"read" in globalThis');
    await page.evaluate(`fill("n${count}", ${count})`);
    // A fresh page: nothing is in memory, as after a reload.
    await page.reload();
    await page.waitForFunction('"read" in globalThis');
    const seen = await page.evaluate<Record<string, number>>(`read("n${count}")`);
    const { firstMs = Infinity, allMs = 0, changeMs = 0, addMs = 0 } = seen;
    const inMs = (ms: number): string => `${Math.round(ms)} ms`;
    const more = `all after ${inMs(allMs)}, a change after ${inMs(changeMs)}, a new one after ${inMs(addMs)}`;
    figures.tell(`${count} posts, the first 100`, firstMs, { unit: 'ms', limit: TARGET_MS, more });
  }
} finally {
  await browser.close();
  served.stop();
}
process.exitCode = figures.end();
