import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Product } from './product.ts';
import { fillCheckout, pay } from './customer.ts';
import { followTo } from './open-screen.ts';
import { shareProduct } from './share-product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { subscribedPage } from './subscriber.ts';

const POSTS = 40;
const shared = shareProduct();
let browser: Browser;
let product: Product;
let page: Page;

beforeAll(async () => {
  ({ product, browser } = shared);
  const sandbox = sandboxControl(product.sandboxUrl);
  const size = { width: 1440, height: 900, posts: POSTS, reducedMotion: 'no-preference' } as const;
  page = (await subscribedPage({ browser, product, sandbox }, 'receipt.one', size)).page;
  await page.goto(`${product.url}/dashboard`);
  await page.getByText(`${POSTS} posts`).waitFor();
});

const focused = () => page.evaluate(() => document.activeElement?.id);
const receipt = () => page.getByRole('region', { name: 'Receipt' });
const cards = () => page.locator('[data-post] a');

test('on a wide screen the accounts stand beside the posts, and none has to be opened', async () => {
  const accounts = page.getByRole('region', { name: 'Account' });
  await accounts.getByRole('option', { name: /@receipt.one/, selected: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /switch account/ }).count()).toBe(0);
  const [list, grid] = await Promise.all([
    accounts.boundingBox(),
    page.getByRole('grid').boundingBox(),
  ]);
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThan(grid?.x ?? 0);
});

/** Scrolled to the top on a wide screen, with the grid drawn for it. */
async function backToTop(): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('[role="grid"][aria-colcount="4"]').waitFor();
  await page.locator('[role="row"][aria-rowindex="1"] a').first().waitFor();
}

test('a receipt opens in the accounts’ place: no card moves, and the page stays where it is', async () => {
  await page.evaluate(() => scrollTo(0, 700));
  await page.locator('[role="row"][aria-rowindex="3"] a').first().waitFor();
  const card = page.locator('[role="row"][aria-rowindex="3"] a').first();
  await card.scrollIntoViewIfNeeded();
  const place = async () => ({
    card: await card.boundingBox(),
    scrolled: await page.evaluate(() => scrollY),
  });
  const before = await place();
  await card.click();
  await receipt().getByText('Posted', { exact: true }).waitFor();
  expect(await place()).toEqual(before);
  const [paper, grid] = [await receipt().boundingBox(), await page.getByRole('grid').boundingBox()];
  expect((paper?.x ?? 0) + (paper?.width ?? 0)).toBeLessThan(grid?.x ?? 0);
  await page.keyboard.press('Escape');
  await receipt().waitFor({ state: 'detached' });
  expect(await place()).toEqual(before);
  await backToTop();
});

test('header and tools stay above the posts, unless the screen is so much enlarged that they would fill it', async () => {
  const top = async (name: 'header' | '[role="search"]') =>
    (await page.locator(name).first().boundingBox())?.y;
  await page.evaluate(() => scrollTo(0, 1500));
  await expect.poll(() => top('[role="search"]')).toBeLessThan(70);
  expect(await top('header')).toBe(0);
  // 1280 by 1024 at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  const scrolledPast = async () => {
    // The page is long only once the grid is drawn anew.
    await page.evaluate(() => scrollTo(0, 1500));
    return [await top('header'), await top('[role="search"]')].map((y) => y !== undefined && y < 0);
  };
  await expect.poll(scrolledPast).toEqual([true, true]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await backToTop();
});

test('the focus returns to the post when its receipt closes beside the grid', async () => {
  const id = await cards().nth(2).getAttribute('id');
  await cards().nth(2).click();
  await receipt().getByText('Posted', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close receipt' }).click();
  await receipt().waitFor({ state: 'detached' });
  await expect.poll(focused).toBe(id);
});

test('the focus returns to a post far down, which the grid has drawn anew', async () => {
  await cards().first().focus();
  await page.keyboard.press('Control+End');
  // The grid draws the last row first, and then gives its last post the focus.
  const isAtTheEnd = () =>
    page.evaluate(() => {
      const grid = document.querySelector('[role="grid"]');
      const row = document.activeElement?.closest('[role="row"]');
      return row?.ariaRowIndex === grid?.ariaRowCount;
    });
  await expect.poll(isAtTheEnd).toBe(true);
  const id = await focused();
  await page.keyboard.press('Enter');
  await receipt().getByText('Posted', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close receipt' }).press('Enter');
  await receipt().waitFor({ state: 'detached' });
  await expect.poll(focused).toBe(id);
  await expect.poll(() => page.locator(`[id="${id}"]`).isVisible()).toBe(true);
});

test('a receipt draws likes over time, organic and delivered apart, with the same as a table', async () => {
  await page.keyboard.press('Control+Home');
  await cards().first().click();
  const chart = receipt().getByRole('figure');
  await chart.getByRole('img', { name: /Likes of this post over time/ }).waitFor();
  await chart.getByText('Show as table').click();
  await expect
    .poll(() => chart.getByRole('columnheader').allTextContents())
    .toEqual(['Time', 'Organic', 'Delivered', 'Source']);
  await chart
    .getByRole('row', { name: /Seen by this device/ })
    .first()
    .waitFor();
  await chart.getByRole('row', { name: /0 0 When posted$/ }).waitFor();
});

test('a printed receipt is only the receipt, without navigation, grid and buttons', async () => {
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => receipt().isVisible()).toBe(true);
  for (const hidden of [
    page.getByRole('grid'),
    page.getByRole('navigation', { name: 'Main' }),
    page.getByRole('region', { name: 'Account' }),
    receipt().getByRole('button'),
  ]) {
    await expect.poll(() => hidden.filter({ visible: true }).count()).toBe(0);
  }
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
});

test('on a phone only the search and one button stand above the posts', async () => {
  await page.getByRole('button', { name: 'Close receipt' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const tools = page.getByRole('search', { name: 'Posts' });
  await tools.waitFor();
  const buttons = tools.getByRole('button').filter({ visible: true });
  await expect.poll(() => buttons.count()).toBe(1);
  // The narrow page draws the grid anew, so there may be none for a moment.
  const below = async () => {
    const [grid, above] = [await page.getByRole('grid').boundingBox(), await tools.boundingBox()];
    return grid && above ? grid.y - above.y : Infinity;
  };
  await expect.poll(below).toBeLessThan(120);
  await tools.getByRole('button', { name: 'Filter' }).click();
  await tools.getByRole('button', { name: 'Export receipts' }).waitFor();
  await tools.getByLabel('Sort posts').waitFor();
});

test('what a package is enough for comes late, and moves no button, in the dialog and at the checkout', async () => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  const move = async (button: RegExp): Promise<number> => {
    const top = async () => (await page.getByRole('button', { name: button }).boundingBox())?.y;
    await page.getByText('Pick one to see').waitFor();
    const before = await top();
    await page.getByLabel('2,500 credits').check();
    await page.getByText('2,500 credits are enough for').waitFor();
    return Number(await top()) - Number(before);
  };
  await followTo(page, '/dashboard');
  await page.getByRole('button', { name: 'Buy credits' }).first().click();
  expect(await move(/^Go to payment/)).toBe(0);
  await followTo(page, '/payment/credits');
  expect(await move(/^(Choose a package|Pay )/)).toBe(0);
});

test('another card pays once, and no emptied form stands behind what says so', async () => {
  await fillCheckout(page, { number: '5555 5555 5555 4444' });
  await page.getByText('later charges go to the card ending in 242').waitFor();
  await pay(page);
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  await expect.poll(() => page.getByLabel('Card number', { exact: true }).isVisible()).toBe(false);
  await page.waitForURL('**/dashboard');
  await followTo(page, '/payment/credits');
  await page.getByLabel('2,500 credits').check();
  await page.getByRole('button', { name: 'Pay $10.00 with the card ending in 242' }).waitFor();
});
