import type { BrowserContext, Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { logIn, newCustomer } from '../../web/e2e/customer.ts';
import { type FrontServer, serveInFront } from '../../web/e2e/front-server.ts';
import { type Product, startEmbedded } from '../../web/e2e/product.ts';
import { queueLikes } from '../../web/e2e/queue-likes.ts';
import { sandboxControl } from '../../web/e2e/sandbox-control.ts';
import { shareProduct } from '../../web/e2e/share-product.ts';
import { CARD, type Journeys, subscribedPage } from '../../web/e2e/subscriber.ts';
import { patiently } from '../../server/test/patience.ts';
import { openFreezingLine } from '../testing/frozen-line.ts';
import { type BundleServer, serveBundle } from './bundle-server.ts';

const shared = shareProduct();

/** An app on a computer of its own, logged in at its server. */
interface App {
  bundle: BundleServer;
  front: FrontServer;
  context: BrowserContext;
  page: Page;
  /** 2,500 credits, on another device of the customer's. */
  buyElsewhere: () => Promise<void>;
}

const cards = (page: Page) => page.locator('[data-post]');
const card = (page: Page) => cards(page).first();

/** `through`: what stands between the app and its server. */
async function openApp(
  journeys: Journeys,
  name: string,
  posts: number,
  through: (url: string) => Promise<string> = async (url) => url,
): Promise<App> {
  const { page: outside, userId } = await subscribedPage(journeys, name, { posts });
  const buyElsewhere = async (): Promise<void> => {
    const path = '/user/creditsTransaction/addRecord';
    const bought = await outside.request.post(journeys.product.url + path, {
      headers: { 'idempotency-key': crypto.randomUUID() },
      data: { ...CARD, userId, amount: 10, credits: 2500 },
    });
    expect(bought.ok()).toBe(true);
  };
  await buyElsewhere();
  const front = await serveInFront(journeys.product.url);
  onTestFinished(front.stop);
  const bundle = await serveBundle(await through(front.url));
  onTestFinished(() => bundle.stop());
  const context = await journeys.browser.newContext({ viewport: { width: 1280, height: 860 } });
  onTestFinished(() => context.close());
  await context.addInitScript(quietShell);
  const page = await context.newPage();
  await logIn(page, bundle.url, newCustomer(name));
  await page.waitForURL('**/dashboard');
  await page.getByTitle('Up to date').waitFor();
  await expect.poll(() => cards(page).count()).toBe(posts);
  return { bundle, front, context, page, buyElsewhere };
}

/** In the page: the part of the shell a page sees; `wake` tells it that the computer woke up. */
function quietShell(): void {
  const listeners: Array<() => void> = [];
  Object.assign(globalThis, {
    wake: () => listeners.forEach((listener) => listener()),
    ovationShell: {
      version: '9.9.9',
      hasServer: true,
      request: async () => undefined,
      on: (name: string, listener: () => void) => {
        if (name === 'wake') listeners.push(listener);
        return () => undefined;
      },
    },
  });
}

const WAITS = '30 extra likes: waiting for the network.';

test('after a sleep, whose dead connections nobody told of, what happened meanwhile is there at once', async () => {
  const line: { freeze: () => void } = { freeze: () => undefined };
  const app = await openApp(shared, 'desktop.sleeper', 2, async (url) => {
    const opened = await openFreezingLine(url);
    onTestFinished(opened.stop);
    line.freeze = opened.freeze;
    return opened.url;
  });
  const badge = (credits: string) => app.page.getByRole('button', { name: `${credits} credits` });
  await badge('2,500').waitFor();
  line.freeze();
  await app.buyElsewhere();
  app.bundle.wakeUp();
  await app.page.evaluate(() => (globalThis as unknown as { wake: () => void }).wake());
  // By itself the page would take the stream for dead after 50 s.
  const shown = () => badge('5,000').count();
  await expect.poll(shown, { timeout: patiently(20_000) }).toBe(1);
  await app.page.getByTitle('Up to date').waitFor();
});

test('an order that waits for the network outlives its page, and is sent once', async () => {
  const { page, context, front, bundle } = await openApp(shared, 'desktop.broken', 2);
  front.isThere = false;
  await page.getByTitle('Offline', { exact: true }).waitFor();
  await queueLikes(card(page), 30);
  await card(page).getByText(WAITS).waitFor();
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  const tools = await context.newCDPSession(page);
  void tools.send('Page.crash').catch(() => undefined);
  await crashed;
  // As the app does when its page breaks.
  const next = await context.newPage();
  await next.goto(`${bundle.url}/dashboard`);
  await card(next).getByText(WAITS).waitFor();
  const pushes: string[] = [];
  front.beforeAnswer = async (path) => {
    if (path.startsWith('/user/sync/push')) pushes.push(path);
  };
  front.isThere = true;
  await next.evaluate(() => dispatchEvent(new Event('focus')));
  await card(next).getByText('30 likes delivered').waitFor();
  expect(pushes).toHaveLength(1);
});

test('two apps of two servers know nothing of each other, also when one server is away', async () => {
  const second: Product & { stop: () => Promise<void> } = await startEmbedded(
    inject('startedDirectory'),
  );
  onTestFinished(second.stop);
  const others = {
    browser: shared.browser,
    product: second,
    sandbox: sandboxControl(second.sandboxUrl),
  };
  // The same name and password on both.
  const one = await openApp(shared, 'desktop.twice', 2);
  const two = await openApp(others, 'desktop.twice', 3);
  one.front.isThere = false;
  await one.page.getByTitle('Offline', { exact: true }).waitFor();
  await queueLikes(card(one.page), 30);
  await card(one.page).getByText(WAITS).waitFor();
  await two.page.reload();
  await two.page.getByTitle('Up to date').waitFor();
  expect([await cards(one.page).count(), await cards(two.page).count()]).toEqual([2, 3]);
  expect(await two.page.getByText(WAITS).count()).toBe(0);
  const sessions = [await one.bundle.session(), await two.bundle.session()];
  expect(sessions[0]).toMatch(/ovation=/);
  expect(sessions[1]).not.toBe(sessions[0]);
});

test('a copy that a newer version of the app laid out is shown by this one', async () => {
  const { page, bundle } = await openApp(shared, 'desktop.older', 2);
  await page.goto(`${bundle.url}/favicon.svg`);
  const raised = await page.evaluate(async () => {
    const found = await indexedDB.databases();
    for (const { name = '', version = 0 } of found) {
      const asked = indexedDB.open(name, version + 10);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      asked.addEventListener('success', () => {
        asked.result.close();
        resolve();
      });
      asked.addEventListener('error', () => reject(new Error(String(asked.error))));
      await promise;
    }
    return found.length;
  });
  expect(raised).toBeGreaterThan(0);
  await page.goto(`${bundle.url}/dashboard`);
  await expect.poll(() => cards(page).count()).toBe(2);
  await page.getByTitle('Up to date').waitFor();
});
