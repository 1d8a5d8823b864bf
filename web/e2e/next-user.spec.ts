import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newCustomer } from './customer.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import type { Product } from './product.ts';
import { queueLikes } from './queue-likes.ts';
import { shareProduct } from './share-product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { spenderPage } from './spender.ts';
import { type Journeys, signedInPage } from './subscriber.ts';

const FIRST = 'first.person';
const NEXT = 'next.person';

const shared = shareProduct({ serviceWorkers: 'allow' });
let product: Product;
let front: FrontServer;
let browser: Browser;
let journeys: Journeys;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  ({ product, browser } = shared);
  front = await serveInFront(product.url);
  const sandbox = sandboxControl(product.sandboxUrl);
  journeys = { browser, product: { ...product, url: front.url }, sandbox };
  const people = [await spenderPage(journeys, FIRST), await signedInPage(journeys, NEXT)];
  for (const { page: elsewhere } of people) await elsewhere.context().close();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
});
afterEach(() => {
  front.isThere = true;
  front.beforeAnswer = async () => undefined;
});
afterAll(async () => {
  await front.stop();
});

const card = (of: Page, index: number) => of.locator('[data-post]').nth(index);
const isLive = (of: Page) => of.locator('header [data-kind="live"]').waitFor();

async function logIn(of: Page, name: string): Promise<void> {
  const { email, password } = newCustomer(name);
  if (!of.url().endsWith('/login')) await of.goto(`${front.url}/login`);
  await of.getByLabel('Email', { exact: true }).fill(email);
  await of.getByLabel('Password', { exact: true }).fill(password);
  await of.getByRole('button', { name: 'Log in' }).click();
}

async function logOut(of: Page): Promise<void> {
  await of.getByRole('button', { name: /^Menu/ }).click();
  await of.getByRole('menuitem', { name: 'Log out' }).click();
  await of.waitForURL('**/login');
}

/** The pictures in every cache of the browser. */
const keptPictures = (of: Page) =>
  of.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const kept = await Promise.all(stores.map((store) => store.keys()));
    return kept.flat().flatMap(({ url }) => (url.includes('/proxy/') ? [url] : []));
  });

/** How many records each table of each replica has, by the user's id. */
const heldRecords = (of: Page) =>
  of.evaluate(async () => {
    const replicas: Record<string, Record<string, number>> = {};
    for (const { name } of await indexedDB.databases()) {
      const opening = indexedDB.open(String(name));
      await new Promise((resolve, reject) => {
        opening.addEventListener('success', resolve);
        opening.addEventListener('error', reject);
      });
      const db = opening.result;
      const counts: Record<string, number> = {};
      for (const table of db.objectStoreNames) {
        const counting = db.transaction(table).objectStore(table).count();
        await new Promise((resolve) => {
          counting.addEventListener('success', resolve);
        });
        counts[table] = counting.result;
      }
      db.close();
      replicas[String(name).replace('ovation-', '')] = counts;
    }
    return replicas;
  });

const hintedId = (of: Page) => of.evaluate(() => localStorage.getItem('id'));

/** The first person's id, and the addresses of the pictures they saw. */
let first: string;
let seen: string[];

test('the next person finds nothing of the first', async () => {
  await page.goto(`${front.url}/login`);
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true);
  await logIn(page, FIRST);
  await card(page, 0).waitFor();
  await isLive(page);
  await expect.poll(async () => (await keptPictures(page)).length).toBeGreaterThan(0);
  seen = await keptPictures(page);
  first = String(await hintedId(page));
  front.isThere = false;
  await page.locator('header [data-kind="offline"]').waitFor();
  await queueLikes(card(page, 0), 30);
  await context.clearCookies();
  front.isThere = true;
  await page.waitForURL('**/login');
  await logIn(page, NEXT);
  await page.waitForURL('**/subscription');
  await isLive(page);

  const next = String(await hintedId(page));
  const { [first]: left, [next]: own } = await heldRecords(page);
  expect(left).toEqual({ chunk: 0, meta: 3, outbox: 1, patch: expect.any(Number) });
  expect(own).toMatchObject({ outbox: 0, patch: 0 });
  expect(await keptPictures(page)).toEqual([]);
  expect(await page.locator('body').innerText()).not.toContain(FIRST);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(FIRST);
});

test('pictures that are on their way at a log-out are kept nowhere', async () => {
  const held: Array<() => void> = [];
  front.beforeAnswer = async (path) => {
    if (path.startsWith('/proxy/')) await new Promise<void>((resolve) => held.push(resolve));
  };
  await page.evaluate((urls) => {
    for (const url of urls) void fetch(url).catch(() => undefined);
  }, seen);
  await expect.poll(() => held.length).toBe(seen.length);
  await logOut(page);
  front.beforeAnswer = async () => undefined;
  for (const letGo of held) letGo();
  // The service worker answers in the order of asking: what was held before is written by then.
  await page.evaluate(async () => void (await fetch('/proxy/none?w=160')));
  await expect.poll(() => keptPictures(page)).toEqual([]);
  expect(Object.keys(await heldRecords(page))).toEqual([first]);
});

test('an order that one person left unsent waits for them, and is then carried out once', async () => {
  // With motion somebody logged in and out before this.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await logIn(page, FIRST);
  const offered = page.getByRole('dialog', { name: 'Your changes' });
  await offered.getByText('Nothing is sent until you say so.').waitFor();
  await offered.getByText(/^30 extra likes/).waitFor();
  await offered.getByRole('button', { name: 'Send' }).click();
  await offered.getByText('Everything has been sent').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '2,470 credits' }).waitFor();
  await expect
    .poll(async () => (await heldRecords(page))[first])
    .toMatchObject({ outbox: 0, patch: 0 });
});

test('a log-out first empties the device, then ends the session, and says when no answer to that came back', async () => {
  const emptied = Promise.withResolvers<object>();
  front.beforeAnswer = async (path) => {
    if (path !== '/user/user/logout') return;
    emptied.resolve(await heldRecords(page));
    front.isThere = false;
  };
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  expect(await emptied.promise).toEqual({});
  await page.getByText('We couldn’t reach the server, so you may still be logged in').waitFor();
  front.beforeAnswer = async () => undefined;
  front.isThere = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL('**/login');
  expect(await hintedId(page)).toBeNull();
  expect(await heldRecords(page)).toEqual({});
  await page.getByLabel('Email', { exact: true }).waitFor();
});

test('of two log-in pages the one where somebody logged in last stays theirs, and the other follows', async () => {
  const other = await context.newPage();
  await other.emulateMedia({ reducedMotion: 'reduce' });
  await other.goto(`${front.url}/login`);
  await logIn(page, FIRST);
  await page.waitForURL('**/dashboard');
  await isLive(page);
  await logIn(other, NEXT);
  await other.waitForURL('**/subscription');
  await isLive(other);
  const next = await hintedId(other);
  // The first page can't be told apart from a new one of the next person, once it is done.
  await expect.poll(() => page.url()).toContain('/subscription');
  await isLive(page);
  expect([other.url(), page.url()].map((url) => new URL(url).pathname)).toEqual([
    '/subscription',
    '/subscription',
  ]);
  expect(await hintedId(other)).toBe(next);
  expect(Object.keys(await heldRecords(other))).toEqual([next]);
  expect(await page.locator('body').innerText()).not.toContain(FIRST);
  await other.close();
});

test('a window that does not let go of the replica holds up no log-out, and keeps nothing of it', async () => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const holding = await context.newPage();
  await holding.goto(`${front.url}/user/about`);
  const held = await holding.evaluateHandle(
    async (name) => {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => {
        opening.addEventListener('success', resolve);
      });
      return opening.result;
    },
    `ovation-${await hintedId(page)}`,
  );
  await logOut(page);
  const counts = await held.evaluate(async (db) => {
    const found: number[] = [];
    for (const table of db.objectStoreNames) {
      const counting = db.transaction(table).objectStore(table).count();
      await new Promise((resolve) => {
        counting.addEventListener('success', resolve);
      });
      found.push(counting.result);
    }
    db.close();
    return found;
  });
  expect(counts).toEqual([0, 0, 0, 0]);
  expect(said.filter((text) => text.includes('could not be'))).toEqual([]);
  await holding.close();
});
