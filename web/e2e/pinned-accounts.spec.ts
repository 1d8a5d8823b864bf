import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { keptSums } from './replica-sums.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import { goWithin } from './open-screen.ts';
import { overflow } from './overflow.ts';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { subscribedPage } from './subscriber.ts';

const NAME = 'pinned.account';

const shared = shareProduct({ serviceWorkers: 'allow' });
let product: Product;
let front: FrontServer;
let browser: Browser;
let page: Page;
let userId: string;

beforeAll(async () => {
  ({ product, browser } = shared);
  front = await serveInFront(product.url);
  const sandbox = sandboxControl(product.sandboxUrl);
  const journeys = { browser, product: { ...product, url: front.url }, sandbox };
  ({ page, userId } = await subscribedPage(journeys, NAME));
  await page.goto(`${front.url}/my-subscriptions`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
});
afterEach(async () => {
  front.isThere = true;
  await page.context().setOffline(false);
});
afterAll(async () => {
  await front.stop();
});

const keep = (of: Page) => of.getByRole('button', { name: `Keep offline: @${NAME}` });
const isKept = (of: Page) => keep(of).getAttribute('aria-pressed');
const changes = (of: Page) => of.getByRole('button', { name: /show changes/ });
/** The widths of the pictures in a cache. */
const widthsIn = (name: string) =>
  page.evaluate(async (cache) => {
    const kept = await (await caches.open(cache)).keys();
    return kept.map(({ url }) => new URL(url).search).sort();
  }, name);
const pictures = () => widthsIn('ovation-images-pinned');

test('an account is pinned without network, and the server and other devices have it afterwards', async () => {
  await page.getByTitle('Up to date').waitFor();
  await expect.poll(async () => (await keptSums(page, userId)).counts['post']).toBe(2);
  await page.context().setOffline(true);
  await expect.poll(() => keep(page).isEnabled()).toBe(true);
  expect(await isKept(page)).toBe('false');
  await keep(page).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => isKept(page)).toBe('true');
  await changes(page).click();
  await page.getByRole('dialog').getByText('Accounts kept offline').waitFor();
  await page.keyboard.press('Escape');
  expect(await pictures()).toEqual([]);
  await page.context().setOffline(false);
  await changes(page).waitFor({ state: 'hidden' });
  const storageState = await page.context().storageState();
  const elsewhere = await browser.newContext({ storageState, serviceWorkers: 'block' });
  const device = await elsewhere.newPage();
  await device.goto(`${front.url}/my-subscriptions`);
  await expect.poll(() => isKept(device)).toBe('true');
  await elsewhere.close();
});

test('the pictures of a pinned account are there without network, though they were never shown', async () => {
  // Its posts small and large; the account's own picture where it has one.
  await expect
    .poll(async () => (await pictures()).filter((width) => width !== '?w=160'))
    .toEqual(['?w=320', '?w=320', '?w=640', '?w=640']);
  front.isThere = false;
  await page.goto(`${front.url}/dashboard`);
  await page.getByRole('option', { name: new RegExp(`${NAME}.*kept offline`) }).waitFor();
  const posts = page.locator('[data-post] img');
  await expect
    .poll(() =>
      posts.evaluateAll((found) =>
        found.map((each) => each instanceof HTMLImageElement && each.naturalWidth > 0),
      ),
    )
    .toEqual([true, true]);
});

test('the pin is free of violations axe can find, in the list and in the table, on a phone too', async () => {
  for (const [colorScheme, width, rules] of [
    ['light', 390, 'all'],
    ['dark', 1440, 'changed'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await goWithin(page, '/my-subscriptions');
    await keep(page).waitFor();
    await expectAccessible(page, rules);
    await goWithin(page, '/dashboard');
    await page.locator('[data-post]').first().waitFor();
    if (width === 390) await page.getByRole('button', { name: /switch account/ }).click();
    await keep(page).waitFor();
    await expectAccessible(page, rules);
    expect(await overflow(page)).toBe(0);
  }
});

test('what is no longer pinned goes back among the other pictures', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await goWithin(page, '/my-subscriptions');
  await page.getByTitle('Up to date').waitFor();
  await keep(page).click();
  await expect.poll(() => isKept(page)).toBe('false');
  await expect.poll(pictures).toEqual([]);
  expect(await widthsIn('ovation-images')).toEqual(expect.arrayContaining(['?w=320', '?w=640']));
});
