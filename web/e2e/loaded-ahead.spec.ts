import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct({ serviceWorkers: 'allow' });
const FOR_NOTHING = '/favicon.svg?loaded-ahead-for-nothing';

/**
 * What the consoles of a profile's pages say. Chromium tells which files were loaded ahead for nothing
 * once a page, 5 s after its load: each page has one such file of the test's, so that there is something to
 * wait for.
 */
async function listenTo(context: BrowserContext) {
  await context.addInitScript((href) => {
    document.addEventListener('DOMContentLoaded', () => {
      const link = document.createElement('link');
      document.head.append(Object.assign(link, { rel: 'preload', as: 'image', href }));
    });
  }, FOR_NOTHING);
  const said: string[] = [];
  const ends: Array<Promise<unknown>> = [];

  /** Loads a page in a tab; gives how many scripts its HTML loads ahead. */
  const load = async (page: Page, path: string, title: RegExp): Promise<number> => {
    const isAgain = page.url() !== 'about:blank';
    ends.push(page.waitForEvent('console', (line) => line.text().includes(FOR_NOTHING)));
    const answer = await (isAgain ? page.reload() : page.goto(shared.product.url + path));
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    return ((await answer?.text()) ?? '').split('rel="modulepreload"').length - 1;
  };
  const tab = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    shared.pages.push(page);
    page.on('pageerror', ({ message }) => said.push(`${path}: ${message}`));
    page.on('console', (line) => {
      if (!line.text().includes(FOR_NOTHING)) said.push(`${path}: ${line.text()}`);
    });
    return page;
  };
  return { said, load, tab, allEnds: () => Promise.all(ends) };
}

/** Pages in a fresh profile: before the service worker is there, under it, and loaded again under it. */
async function loadThrice(context: BrowserContext, pages: ReadonlyArray<[string, RegExp]>) {
  const { said, load, tab, allEnds } = await listenTo(context);
  const scripts: number[][] = [];
  for (const [path, title] of pages) scripts.push([await load(await tab(path), path, title)]);
  await context
    .pages()
    .at(-1)
    ?.evaluate(() => navigator.serviceWorker.ready);
  const tabs: Page[] = [];
  for (const [path] of pages) tabs.push(await tab(path));
  for (let time = 0; time < 2; time += 1) {
    for (const [nth, [path, title]] of pages.entries()) {
      const open = tabs[nth];
      if (open) scripts[nth]?.push(await load(open, path, title));
    }
    // A page that is loaded again too early never tells.
    await allEnds();
  }
  expect(await tabs[0]?.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return { scripts, said };
}

test('a visitor’s pages load scripts ahead at the first visit only, and the console stays silent', async () => {
  const { scripts, said } = await loadThrice(await shared.browser.newContext(), [
    ['/', /^Likes for every Instagram post/],
    ['/terms-of-service', /^Terms of service/i],
    ['/login', /^Log in/i],
  ]);
  expect(said).toEqual([]);
  expect(scripts.map(([, ...later]) => later)).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(scripts.map(([first = 0]) => first > 0)).toEqual([true, false, true]);
});

test('a customer’s pages leave the console silent at the first visit, the next one, and loaded again', async () => {
  const { page } = await subscribedPage(shared, 'loads.ahead');
  const { said } = await loadThrice(page.context(), [
    ['/dashboard', /^Posts by/],
    ['/my-billing', /^Billing/],
  ]);
  expect(said).toEqual([]);
});
