import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { keepIntercepting } from './bad-answers.ts';
import { newCustomer } from './customer.ts';
import { writeMeta } from './local-meta.ts';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

const shared = shareProduct();
let product: Product;
let context: BrowserContext;
let page: Page;
let second: Page;
let userId: string;
const NAME = 'local.first';
const OTHER = 'has.the.session';

beforeAll(async () => {
  ({ product } = shared);
  ({ page, userId } = await subscribedPage(shared, NAME));
  context = page.context();
  await keepIntercepting(context);
});

const cards = (of: Page) => of.locator('[data-post]');
const isLive = (of: Page) => of.locator('header [data-kind="live"]').waitFor();
/** What a browser keeps of a user. */
const kept = (of: Page) =>
  of.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    texts: Object.keys(localStorage).filter((key) => !key.startsWith('mantine')),
    session: Object.keys(sessionStorage).filter((key) => !key.startsWith('react-router')),
  }));

test('the posts come with the replica and the frame says that it is up to date', async () => {
  await page.goto(`${product.url}/dashboard`);
  await isLive(page);
  await expect.poll(() => cards(page).count()).toBe(2);
});

test('an old replica says from when it is while the server takes its time, and no more when it is live', async () => {
  const old = page.getByText(/Loading the latest\. This is what we last loaded\. As of/);
  const isHeld = Promise.withResolvers<void>();
  await context.route('**/user/sync/pull*', async (route) => {
    await isHeld.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/user/about`);
  await writeMeta(page, 'as-of', Date.now() - 60 * 60_000);
  await page.goto(`${product.url}/dashboard`);
  await old.waitFor();
  await expect.poll(() => cards(page).count()).toBe(2);
  isHeld.resolve();
  await isLive(page);
  await old.waitFor({ state: 'detached' });
  await context.unroute('**/user/sync/pull*');
});

/** The tab that leads has the engine's worker. */
const leads = (of: Page): boolean => of.workers().length === 1;
const locks = (of: Page) =>
  of.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return [held.length, pending.length];
  });

test('of two tabs one leads and both are live; when it closes, the other takes over', async () => {
  second = await context.newPage();
  await second.goto(`${product.url}/dashboard`);
  await isLive(second);
  expect([leads(page), leads(second)]).toEqual([true, false]);
  await expect.poll(() => locks(second)).toEqual([1, 1]);
  await page.close();
  await expect.poll(() => leads(second)).toBe(true);
  await expect.poll(() => locks(second)).toEqual([1, 0]);
  await isLive(second);
  page = second;
});

test('a replica whose browser has another person’s session is neither shown nor lost, and nothing of theirs comes', async () => {
  const other = await signedInPage(shared, OTHER);
  await other.page.context().close();
  const answer = await page.request.post(`${product.url}/user/user/login`, {
    form: { ...newCustomer(OTHER) },
  });
  expect(answer.ok()).toBe(true);
  await page.reload();
  await page.waitForURL('**/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  const { databases } = await kept(page);
  expect(databases).toEqual([`ovation-${userId}`]);
  const texts = await page.evaluate(() => JSON.stringify(localStorage) + document.body.innerText);
  expect(texts).not.toContain(OTHER);
  expect(texts).not.toContain(other.userId);
  expect(await page.locator('body').innerText()).not.toContain(NAME);

  const { email, password } = newCustomer(NAME);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await isLive(page);
});

// Shows facts 2.51, 2.53, 2.54.
test('a log-out leaves no row, key or picture behind, and ends the other tabs', async () => {
  second = await context.newPage();
  await second.goto(`${product.url}/my-billing`);
  await isLive(second);
  await page.evaluate(() => caches.open('ovation-images'));
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  await second.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => 'isSamePage' in globalThis)).toBe(false);
  await expect
    .poll(() => kept(page))
    .toEqual({ databases: [], caches: [], texts: [], session: [] });
  await second.close();
});
