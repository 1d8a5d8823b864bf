import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keepIntercepting } from './bad-answers.ts';
import { countHeldPosts } from './held-posts.ts';
import { serverSums } from './replica-sums.ts';
import { shareProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();
const POSTS = 150;
/** Brings so many of the workspace at first; the account that is shown has 128 by then. */
const AT_FIRST = 50;
const OWNER = 'scrolls.back';

/** Somebody with few posts, whose page all tests but the first go on with. */
let spender: Spender;
/** Another tab of theirs, for two tests. */
let other: Page;

const cards = (page: Page) => page.locator('[data-post]');
const isLive = (page: Page) => page.locator('header [data-kind="live"]').waitFor();

/** Until the grid says that these are all. */
async function scrollToTheEnd(page: Page): Promise<void> {
  const all = page.getByText(`${POSTS} posts`, { exact: true });
  const isInGrid = () =>
    page.evaluate(() => document.activeElement?.closest('[role="grid"]') !== null);
  await cards(page).first().getByRole('link').focus();
  await expect
    .poll(async () => {
      // What has just been opened may be drawn anew, and lose the focus.
      if (!(await isInGrid())) await cards(page).first().getByRole('link').focus();
      await page.keyboard.press('Control+End');
      return all.count();
    })
    .toBe(1);
}

test('posts that only the server has come when somebody scrolls to them, and are kept', async () => {
  const { page } = await subscribedPage(shared, OWNER, { posts: POSTS });
  shared.pages.push(page);
  const context = page.context();
  await keepIntercepting(context);
  await expect
    // Each look reads all of it.
    .poll(() => serverSums(page.request, shared.product.url), { interval: 250 })
    .toMatchObject({ counts: { post: POSTS } });
  await context.route(/\/user\/sync\/snapshot\?(?!.*account=)/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, `limit=${AT_FIRST}`),
    }),
  );
  // None of their pictures has to come.
  await context.route(/\/proxy\//, (route) => route.abort('connectionrefused'));
  await page.goto(`${shared.product.url}/dashboard`);
  await isLive(page);
  await cards(page).first().waitFor();
  const held = await countHeldPosts(page);
  expect(held).toBeLessThan(POSTS);
  await scrollToTheEnd(page);
  await expect.poll(() => countHeldPosts(page)).toBe(POSTS);
  await context.route(/\/user\//, (route) => route.abort('connectionrefused'));
  await page.reload();
  await scrollToTheEnd(page);
});

test('a device on which nothing at all can be kept says that it is offline, and goes on once it can', async () => {
  spender = await spenderPage(shared, 'keeps.little');
  const { page } = spender;
  await keepIntercepting(page.context());
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(shared.product.url);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await page.goto(`${shared.product.url}/dashboard`);
  const offline = page.locator('header [data-kind="offline"]');
  await expect.poll(() => offline.count()).toBe(1);
  await session.send('Storage.overrideQuotaForOrigin', { origin });
  await isLive(page);
  await cards(page).first().waitFor();
});

test('a version that the server no longer understands keeps showing the replica and offers the new one', async () => {
  const { page } = spender;
  const sync = /\/user\/sync\//;
  await page.context().route(sync, (route) => route.fulfill({ status: 426 }));
  await page.reload();
  const load = page.locator('header').getByRole('button', { name: 'Load new version' });
  await load.waitFor();
  await cards(page).first().waitFor();
  await page.context().unroute(sync);
  await load.click();
  await isLive(page);
  await expect.poll(() => load.count()).toBe(0);
});

test('an order of another tab goes out while the leading one stands still in a dialog', async () => {
  const { page: leading, credits } = spender;
  other = await leading.context().newPage();
  await other.goto(`${shared.product.url}/dashboard`);
  await isLive(other);
  const opens = leading.waitForEvent('dialog');
  // oxlint-disable-next-line no-alert -- it is what makes a page stand still
  await leading.evaluate(() => void setTimeout(() => alert('Stands still'), 0));
  const dialog = await opens;
  const card = cards(other).first();
  await card.getByRole('button', { name: /Extra likes/ }).click();
  const order = other.getByRole('dialog', { name: 'Send extra likes' });
  await order.getByRole('textbox', { name: 'Likes' }).fill('30');
  await order.getByRole('button', { name: 'Send likes' }).click();
  await expect.poll(credits).toBe(2470);
  await dialog.accept();
});

test('without locks every tab follows the server, and all stay right', async () => {
  const { page, order } = spender;
  const tabs = [page, other];
  for (const tab of tabs) await tab.goto('about:blank');
  const lockless = await page
    .context()
    .addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'locks'));
  for (const tab of tabs) {
    // Each begins an engine of its own; the first one may stand back any moment after the second's.
    const begins = tab.waitForEvent('worker');
    await tab.goto(`${shared.product.url}/dashboard`);
    await tab.getByRole('button', { name: '2,470 credits' }).waitFor();
    const engine = await begins;
    expect(engine.url()).toContain('sync-worker');
  }
  await order(20);
  for (const tab of tabs) {
    await tab.getByRole('button', { name: '2,450 credits' }).waitFor();
  }
  await lockless.dispose();
  await other.close();
});

test('without workers the sync runs in the page', async () => {
  const { page } = spender;
  await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'Worker'));
  // All that is shown comes by it.
  await page.goto(`${shared.product.url}/user/about`);
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
  await page.goto(`${shared.product.url}/dashboard`);
  await isLive(page);
  await cards(page).first().waitFor();
  expect(page.workers()).toEqual([]);
});
