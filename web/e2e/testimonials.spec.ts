import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from 'vite';
import { registerWebBuild } from '#server/kit/http/static-files.ts';
import { keptUntilChanged } from '#test/databases/kept-until-changed.ts';
import { freePort } from '#test/processes/free-port.ts';
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

const SOURCES = [
  'web/{src,public}/**/*.*',
  'web/*.{html,ts}',
  'shared/**/*.ts',
  'web/e2e/testimonials.spec.ts',
];

let page: Page;
let server: ReturnType<typeof serve>;

/** A build of the pages with an operator's content file in place of the empty one. */
async function buildPages(outDir: string): Promise<void> {
  const content = `${outDir}.json`;
  await writeFile(content, JSON.stringify(ENTRIES));
  process.env['TESTIMONIALS_FILE'] = content;
  await build({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, reportCompressedSize: false },
  });
  delete process.env['TESTIMONIALS_FILE'];
  await rm(content);
}

beforeAll(async () => {
  const app = new Hono();
  registerWebBuild(app, await keptUntilChanged('testimonials', SOURCES, buildPages));
  const port = await freePort();
  server = serve({ fetch: app.fetch, port });
  page = await (await (await workersBrowser()).newContext()).newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.locator('#testimonials [data-live]').waitFor();
});
afterAll(async () => {
  await page.context().close();
  server.close();
});

// Shows facts 2.11, 2.29.
test.each([
  [320, 1],
  [1199, 1],
  [1200, 3],
])('at %i px the testimonials show %i card(s)', async (width, shown) => {
  await page.setViewportSize({ width, height: 900 });
  const slide = page.locator('#testimonials [role="group"]').first();
  const ratio = () =>
    slide.evaluate((one) => {
      const view = one.parentElement?.parentElement;
      return Math.round((view?.clientWidth ?? 0) / one.getBoundingClientRect().width);
    });
  await expect.poll(ratio).toBe(shown);
});

// Shows fact 2.28.
test('after the last testimonial comes the first', async () => {
  await page.setViewportSize({ width: 390, height: 900 });
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
  await page.setViewportSize({ width: 1280, height: 900 });
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
