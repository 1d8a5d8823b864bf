import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { serveModule } from './module-page.ts';

let browser: Browser;
let page: Page;
let served: { url: string; stop: () => void };

beforeAll(async () => {
  [browser, served] = await Promise.all([launchBrowser(), serveModule('dexie-conformance.ts')]);
  page = await browser.newPage();
  await page.goto(served.url);
  await page.waitForFunction('"runConformance" in globalThis');
});
afterAll(async () => {
  await browser.close();
  served.stop();
});

const RANDOM = 'rows in chunks read as the rows that were written, whatever came in which order';

test('IndexedDB keeps the promises of the store', async () => {
  const { [RANDOM]: _, ...ended } = await page.evaluate<Record<string, string>>('runConformance()');
  expect(Object.keys(ended)).toHaveLength(5);
  expect(Object.entries(ended).filter(([, how]) => how !== 'kept')).toEqual([]);
});

// Known: one of its transactions ends with PrematureCommitError.
test.fails('random changes of chunks on IndexedDB read as plain rows would', async () => {
  const ended = await page.evaluate<Record<string, string>>('runConformance()');
  expect(ended[RANDOM]).toBe('kept');
});

test('a copy of the first release opens, and what it remembers of the session stays', async () => {
  const opened = await page.evaluate<{ kept: unknown; tables: string[] }>('openFirstRelease()');
  expect(opened.kept).toBe(false);
  expect(opened.tables).toEqual(expect.arrayContaining(['chunk', 'meta', 'outbox', 'patch']));
});
