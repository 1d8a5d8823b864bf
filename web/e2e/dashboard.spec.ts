import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { subscribedPage } from './subscriber.ts';

const POSTS = 60;
/** Four cards of some 45. */
const NODES_A_ROW = 180;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const shared = shareProduct();
let product: Product;
let context: BrowserContext;
let page: Page;
const asked: string[] = [];

beforeAll(() => {
  ({ product } = shared);
});
beforeAll(async () => {
  const size = { width: 1440, height: 900, posts: POSTS };
  ({ page } = await subscribedPage(shared, 'gallery.one', size));
  context = page.context();
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${product.url}/dashboard`);
  await allPosts().waitFor();
});

/** The count of a list that nothing narrows; “0 of 60 posts match.” says the same words. */
const allPosts = () => page.getByText(`${POSTS} posts`, { exact: true });
const cards = () => page.locator('[data-post]');

// Shows facts 2.44, 2.45.
test('top navigation, account bar and post grid are there, with the credits badge', async () => {
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByRole('region', { name: 'Account' }).getByText('@gallery.one').waitFor();
  await page.getByRole('grid', { name: 'Posts, newest first' }).waitFor();
  // The badge comes with the replica, once.
  await expect.poll(() => page.getByRole('button', { name: /credits/ }).count()).toBe(1);
});

test('only the cards around the screen are drawn', async () => {
  await expect.poll(() => cards().count()).toBeLessThan(POSTS);
});

// Shows facts 2.50, 7.01.
test('every picture is requested from the product’s own host, under /proxy/', async () => {
  await cards().getByRole('img').first().waitFor();
  const origins = new Set(
    asked.filter((url) => url.startsWith('http')).map((url) => new URL(url).origin),
  );
  expect([...origins]).toEqual([product.url]);
  const sources = await page
    .locator('img')
    .evaluateAll((images) =>
      images.map((image) => new URL((image as HTMLImageElement).src).pathname),
    );
  expect(sources.length).toBeGreaterThan(0);
  for (const path of sources) expect(path).toMatch(/^\/proxy\//);
});

test('what only passes by in quick scrolling is neither asked for nor kept, and what is seen then comes', async () => {
  const held: Route[] = [];
  const scrolled = Promise.withResolvers<void>();
  await page.route('**/proxy/**', async (route) => {
    held.push(route);
    await scrolled.promise;
    // Not the server's: how quickly it makes pictures is not what is looked at here.
    await route.fulfill({ contentType: 'image/svg+xml', body: PICTURE });
  });
  const before = await nodesKept();
  for (let pass = 0; pass < 4; pass += 1) {
    for (const step of [1400, 1400, 1400, 1400, 1400, -1400, -1400, -1400, -1400, -1400]) {
      await page.mouse.wheel(0, step);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  }
  // The two uppermost rows are asked for at once, six more pictures at a time.
  const pictures = new Set(held.map((route) => route.request().url()));
  expect(pictures.size).toBeLessThanOrEqual(2 * 4 + 6);
  // The rows of six pictures that are still on their way, and as many nodes for what else may be.
  expect((await nodesKept()) - before).toBeLessThan(2 * 6 * NODES_A_ROW);

  scrolled.resolve();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const seen = page.locator('[role="row"]:not([aria-rowindex="1"], [aria-rowindex="2"]) img');
  await expect
    .poll(() =>
      seen.evaluateAll((found) => found.some((img) => (img as HTMLImageElement).naturalWidth > 0)),
    )
    .toBe(true);
  await page.evaluate(() => scrollTo(0, 0));
});

/** Nodes of the page once nothing is left that could be thrown away. */
async function nodesKept(): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return nodes;
}

test('arrow keys move between posts, Control and End lead to the oldest, Enter opens its receipt', async () => {
  await cards().first().getByRole('link').focus();
  await page.keyboard.press('ArrowRight');
  const focused = () => page.evaluate(() => document.activeElement?.id);
  const second = `post-${await cards().nth(1).getAttribute('data-post')}`;
  await expect.poll(focused).toBe(second);
  await page.keyboard.press('Control+End');
  await expect.poll(focused).not.toBe(second);
  await page.keyboard.press('Enter');
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('Posted', { exact: true }).waitFor();
  await receipt.getByRole('button', { name: 'Close receipt' }).click();
  await receipt.waitFor({ state: 'detached' });
  await page.evaluate(() => scrollTo(0, 0));
});

test('a search and a filter leave the posts that match, and all come back', async () => {
  const search = page.getByLabel('Search captions');
  await search.fill('no caption says this');
  await page.getByText('No matching posts').waitFor();
  await page.getByRole('button', { name: 'Show all posts' }).click();
  await allPosts().waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Likes', { exact: true }).selectOption('not_ordered');
  await page.getByText(`${POSTS} of ${POSTS} posts match.`).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => page.getByLabel('Likes', { exact: true }).inputValue()).toBe('all');
  await page.getByRole('button', { name: 'Filter' }).click();
});

test('receipts are exported as CSV, and a receipt as JSON', async () => {
  const exported = async (name: string, form: string): Promise<string> => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog', { name: 'What’s in the file' }).getByText('Caption').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: form }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  };
  expect(await exported('Export receipts', 'Save as CSV')).toMatch(/^\u{FEFF}Order,Account,Post/u);
  await cards().first().getByRole('link').click();
  expect(JSON.parse(await exported('Export', 'Save as JSON'))).toMatchObject({ orders: [] });
  await page.getByRole('button', { name: 'Close receipt' }).click();
});

// Shows facts 3.08, 4.09.
test('picking another account in the dropdown makes it active and reads its posts', async () => {
  await sandboxControl(product.sandboxUrl).createAccount({ username: 'second.stage', posts: 2 });
  const userId = await page.evaluate(() => localStorage.getItem('id'));
  await page.request.post(`${product.url}/user/connectedAccount/addRecord`, {
    data: { userId, igUsername: 'second.stage' },
  });
  await page.setViewportSize({ width: 1024, height: 900 });
  const pick = async (from: string, to: string): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`Active account @${from}`) }).click();
    await page.getByRole('option', { name: new RegExp(`@${to}`) }).click();
    await page.getByRole('button', { name: new RegExp(`Active account @${to}`) }).waitFor();
  };
  await pick('gallery.one', 'second.stage');
  await expect.poll(() => cards().count()).toBe(2);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('ovation-client-state')))
    .toContain('"activeusername":"second.stage"');
  await pick('second.stage', 'gallery.one');
  await allPosts().waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
});

// Shows fact 2.45.
test('the dropdown finds an account by its name, and Escape gives the focus back', async () => {
  await page.setViewportSize({ width: 1024, height: 900 });
  const switcher = page.getByRole('button', { name: /switch account/ });
  await switcher.click();
  const field = page.getByRole('combobox', { name: 'Find an account' });
  await field.fill('nobody');
  await page.getByText('No matching accounts').waitFor();
  await field.fill('gallery');
  await page.getByRole('option', { name: /@gallery.one/ }).waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => switcher.evaluate((it) => it === document.activeElement)).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('nothing is cut off or scrolled sideways at 390 px', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('offline the posts stay, with the time they are from', async () => {
  await context.setOffline(true);
  await page
    .getByText(/You’re offline\. This is what we last loaded\. As of \d{1,2}:\d\d [AP]M\./)
    .waitFor();
  await expect.poll(() => cards().count()).toBeGreaterThan(0);
  await context.setOffline(false);
  await page.getByText('You’re offline').waitFor({ state: 'detached' });
});
