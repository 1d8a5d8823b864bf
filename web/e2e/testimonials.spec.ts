import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { build } from 'vite';
import { registerWebBuild } from '#server/kit/http/static-files.ts';
import { freePort } from '#test/free-port.ts';
import { expectAccessible } from './axe.ts';
import { workersBrowser } from './share-product.ts';

const ENTRIES = ['ada.paints', 'bob.bakes', 'cleo.runs', 'dora.dives'].map((handle, index) => ({
  quote: `Quote number ${index + 1}.`,
  handle,
  isHandleBlurred: index === 1,
  avatar: '/favicon.svg',
  followers: `${index + 1},200 followers`,
  profileUrl: `https://network.example/${handle}`,
  consent: 'By mail, 3 May 2026',
  ...(index === 0 && { rating: { stars: 5, basis: 'Given in our survey of May 2026' } }),
}));

let browser: Browser;
let directory: string;
let url: string;
let server: ReturnType<typeof serve>;
const pages: Page[] = [];

/** A build of the pages with an operator's content file in place of the empty one. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ovation-testimonials-'));
  const content = join(directory, 'testimonials.json');
  await writeFile(content, JSON.stringify(ENTRIES));
  process.env['TESTIMONIALS_FILE'] = content;
  const outDir = join(directory, 'dist');
  await build({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  });
  const app = new Hono();
  registerWebBuild(app, outDir);
  const port = await freePort();
  server = serve({ fetch: app.fetch, port });
  url = `http://localhost:${port}/`;
  browser = await workersBrowser();
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});
afterAll(async () => {
  delete process.env['TESTIMONIALS_FILE'];
  server.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(width: number): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
  pages.push(page);
  await page.goto(url);
  await page.locator('#testimonials [data-live]').waitFor();
  return page;
}

// Shows facts 2.11, 2.29.
test.each([
  [320, 1],
  [1199, 1],
  [1200, 3],
])('at %i px the testimonials show %i card(s)', async (width, shown) => {
  const page = await open(width);
  const slide = page.locator('#testimonials [role="group"]').first();
  const ratio = await slide.evaluate((one) => {
    const view = one.parentElement?.parentElement;
    return (view?.clientWidth ?? 0) / one.getBoundingClientRect().width;
  });
  expect(Math.round(ratio)).toBe(shown);
});

// Shows fact 2.28.
test('after the last testimonial comes the first', async () => {
  const page = await open(390);
  const section = page.locator('#testimonials');
  const selected = (): Promise<string | null> =>
    section.locator('[role="tab"][aria-selected="true"]').getAttribute('aria-label');
  await section.getByRole('tab').last().click();
  expect(await selected()).toBe('What dora.dives says');
  await section.getByRole('button', { name: 'Next' }).click();
  expect(await selected()).toBe('What ada.paints says');
});

// Shows facts 2.30, 2.31, 2.32.
test('each shows quote, avatar, handle and followers, stars only with a basis, one handle blurred, and its profile in a new tab', async () => {
  const page = await open(1280);
  const figures = page.locator('#testimonials figure');
  for (const [index, entry] of ENTRIES.entries()) {
    const figure = figures.nth(index);
    const text = (await figure.textContent()) ?? '';
    for (const part of [entry.quote, `@${entry.handle}`, entry.followers]) {
      expect(text).toContain(part);
    }
    expect(await figure.locator('img').getAttribute('src')).toBe(entry.avatar);
    expect(text.includes('5 of 5 stars')).toBe(index === 0);
    const link = figure.locator('a');
    expect(await link.getAttribute('href')).toBe(entry.profileUrl);
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toContain('noopener');
    const filters = await figure
      .locator('a span')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).filter));
    expect(filters.some((filter) => filter.includes('blur'))).toBe(entry.isHandleBlurred);
  }
  await expect.poll(() => page.getByText('Sample', { exact: true }).count()).toBe(0);
  await expectAccessible(page);
});
