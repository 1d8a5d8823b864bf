import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveModule } from './module-page.ts';
import { workersBrowser } from './share-product.ts';

let browser: Browser;
let page: Page;
let served: { url: string; stop: () => void };

beforeAll(async () => {
  [browser, served] = await Promise.all([workersBrowser(), serveModule('local-reading.ts')]);
  page = await browser.newPage();
  await page.goto(served.url);
  await page.waitForFunction('"read" in globalThis');
});
afterAll(async () => {
  await page.context().close();
  served.stop();
});

test('the grid reads the newest posts first, then all, and sees what is changed and added', async () => {
  await page.evaluate('fill("some", 1000)');
  const seen = await page.evaluate<Record<string, number>>('read("some")');
  expect(seen).toMatchObject({ shown: 100, all: 1000, afterAdding: 1001 });
});
