import type { APIRequestContext, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findUser, login } from '#shared/contract/people/user.ts';
import { patiently } from '../../server/test/patience.ts';
import { newCustomer } from '../../web/e2e/customer.ts';
import { type FrontServer, serveInFront } from '../../web/e2e/front-server.ts';
import { queueLikes } from '../../web/e2e/queue-likes.ts';
import { shareProduct } from '../../web/e2e/share-product.ts';
import { CARD, subscribedPage } from '../../web/e2e/subscriber.ts';
import { type FreezingLine, openFreezingLine } from '../testing/freezing-line.ts';
import { type BundleServer, serveBundle } from './bundle-server.ts';

const shared = shareProduct();

/** An app on a computer of its own, signed in at its server. */
interface App {
  bundle: BundleServer;
  front: FrontServer;
  /** What stands between the app and its server. */
  line: FreezingLine;
  context: BrowserContext;
  page: Page;
  userId: string;
  stop: () => Promise<void>;
}

/** The tests' app: each goes on with what the one before left. */
let app: App;
/** Another device of its customer. */
let elsewhere: APIRequestContext;

const cards = (page: Page) => page.locator('[data-post]');

/** At no page yet. */
async function openApp(name: string): Promise<App> {
  const front = await serveInFront(shared.product.url);
  const line = await openFreezingLine(front.url);
  const bundle = await serveBundle(line.url);
  const inApp = { ...shared, product: { ...shared.product, url: bundle.url } };
  const { page, userId } = await subscribedPage(inApp, name);
  const context = page.context();
  await context.addInitScript(quietShell);
  const stop = async (): Promise<void> => {
    await context.close();
    await bundle.stop();
    await line.stop();
    await front.stop();
  };
  return { bundle, front, line, context, page, userId, stop };
}

beforeAll(async () => {
  app = await openApp('desktop.sleeper');
  const { bundle, page } = app;
  await page.goto(`${bundle.url}/dashboard`);
  await page.getByTitle('Up to date').waitFor();
  await cards(page).nth(1).waitFor();
  elsewhere = (await shared.browser.newContext()).request;
  const { email, password } = newCustomer('desktop.sleeper');
  await elsewhere.post(shared.product.url + login.path, { form: { email, password } });
  await buyElsewhere();
});
afterAll(() => app.stop());

/** 2,500 credits. */
async function buyElsewhere(): Promise<void> {
  const path = `${shared.product.url}/user/creditsTransaction/addRecord`;
  const bought = await elsewhere.post(path, {
    headers: { 'idempotency-key': crypto.randomUUID() },
    data: { ...CARD, userId: app.userId, amount: 10, credits: 2500 },
  });
  expect(bought.ok()).toBe(true);
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

const comeBack = (page: Page): Promise<unknown> =>
  page.evaluate(() => dispatchEvent(new Event('focus')));

test('after a sleep, whose dead connections nobody told of, what happened meanwhile is there at once', async () => {
  const badge = (credits: string) => app.page.getByRole('button', { name: `${credits} credits` });
  await badge('2,500').waitFor();
  app.line.freeze();
  await buyElsewhere();
  app.bundle.wakeUp();
  await app.page.evaluate(() => (globalThis as unknown as { wake: () => void }).wake());
  // By itself the page would take the stream for dead after 50 s.
  const shown = () => badge('5,000').count();
  await expect.poll(shown, { timeout: patiently(20_000) }).toBe(1);
  await app.page.getByTitle('Up to date').waitFor();
});

test('two apps of two servers know nothing of each other, also when one server is away', async () => {
  app.front.isThere = false;
  await app.page.getByTitle('Offline', { exact: true }).waitFor();
  await queueLikes(cards(app.page).first(), 30);
  await cards(app.page).first().getByText(WAITS).waitFor();
  const other = await openApp('desktop.other');
  onTestFinished(other.stop);
  const { bundle, page, userId } = other;
  const asked = await page.request.post(bundle.url + findUser.path, { data: { userId } });
  expect(await asked.json()).toMatchObject({ data: { email: newCustomer('desktop.other').email } });
  expect(await cards(app.page).count()).toBe(2);
  const sessions = [await app.bundle.session(), await bundle.session()];
  expect(sessions[0]).toMatch(/ovation=/);
  expect(sessions[1]).not.toBe(sessions[0]);
});

test('an order that waits for the network outlives its page, also where a newer version of the app laid out the replica, and is sent once', async () => {
  const { page, context, front, bundle } = app;
  await cards(page).first().getByText(WAITS).waitFor();
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  const tools = await context.newCDPSession(page);
  void tools.send('Page.crash').catch(() => undefined);
  await crashed;
  // As the app does when its page breaks.
  app.page = await context.newPage();
  await app.page.goto(`${bundle.url}/favicon.svg`);
  const raised = await app.page.evaluate(async () => {
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
  await app.page.goto(`${bundle.url}/dashboard`);
  await cards(app.page).first().getByText(WAITS).waitFor();
  const pushes: string[] = [];
  front.beforeAnswer = async (path) => {
    if (path.startsWith('/user/sync/push')) pushes.push(path);
  };
  front.isThere = true;
  await comeBack(app.page);
  await cards(app.page).first().getByText('30 likes delivered').waitFor();
  await app.page.getByTitle('Up to date').waitFor();
  expect(await cards(app.page).count()).toBe(2);
  expect(pushes).toHaveLength(1);
});
