import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newCustomer } from './customer.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import { middayZone } from './midday-zone.ts';
import { goWithin } from './open-screen.ts';
import type { Product } from './product.ts';
import { queueLikes } from './queue-likes.ts';
import { shareProduct } from './share-product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { type Spender, spenderPage } from './spender.ts';
import { openMarked } from './subscriber.ts';

const NAME = 'kept.app';

const shared = shareProduct({ serviceWorkers: 'allow' });
let product: Product;
let front: FrontServer;
let browser: Browser;
/** Of a visitor, then of a customer, and of a visitor again. */
let context: BrowserContext;
let page: Page;
/** Another tab, for two tests. */
let second: Page;
let elsewhere: Spender;

beforeAll(async () => {
  ({ product, browser } = shared);
  front = await serveInFront(product.url);
});
beforeAll(async () => {
  const sandbox = sandboxControl(product.sandboxUrl);
  const journeys = { browser, product: { ...product, url: front.url }, sandbox };
  elsewhere = await spenderPage(journeys, NAME, { posts: 3 });
  context = await browser.newContext({
    timezoneId: middayZone(),
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
});
afterEach(() => {
  front.isThere = true;
  front.beforeAnswer = async () => undefined;
  front.isTooOld = false;
});
afterAll(async () => {
  await front.stop();
});

const pictures = (of: Page) => of.locator('[data-post] img');
const areShown = (of: Page) =>
  pictures(of).evaluateAll((found) =>
    found.map((each) => each instanceof HTMLImageElement && each.naturalWidth > 0),
  );
/** The addresses in every cache of the browser, without the origin. */
const keptAddresses = (of: Page) =>
  of.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const kept = await Promise.all(stores.map((store) => store.keys()));
    return kept.flat().map(({ url }) => new URL(url).pathname);
  });

test('a tab that is opened while the first worker is installed by another stays as it is', async () => {
  const telling = await context.addInitScript(() => {
    const { serviceWorker } = navigator;
    const register = serviceWorker.register.bind(serviceWorker);
    serviceWorker.register = async (...words) => {
      const registration = await register(...words);
      sessionStorage.setItem('registered', 'once');
      return registration;
    };
    // It begins where a reload is called, long before the page is left.
    navigation.addEventListener('navigate', ({ navigationType }) => {
      sessionStorage.setItem('registered', navigationType);
    });
  });
  const isInstalling = Promise.withResolvers<void>();
  const isHeldUp = Promise.withResolvers<void>();
  front.beforeAnswer = async (path) => {
    if (!path.startsWith('/index.html')) return;
    isInstalling.resolve();
    await isHeldUp.promise;
  };
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto(`${front.url}/login`);
    await tab.waitForFunction(() => sessionStorage.getItem('registered') === 'once');
    await isInstalling.promise;
  }
  isHeldUp.resolve();
  for (const tab of tabs) {
    await tab.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(await tab.evaluate(() => sessionStorage.getItem('registered'))).toBe('once');
    await tab.close();
  }
  await telling.dispose();
});

test('after a first visit the app and its pictures are kept, and no answer of the API is', async () => {
  // Only what is asked for under the worker could be kept by it, so nothing is read before.
  const asked: string[] = [];
  front.beforeAnswer = async (path) => void asked.push(path.split('?')[0] ?? '');
  await context.addCookies(await elsewhere.page.context().cookies());
  page = await openMarked(context, front, elsewhere.userId, true);
  await page.goto(`${front.url}/dashboard`);
  await expect.poll(() => areShown(page)).toEqual([true, true, true]);
  await page.locator('header [data-kind="live"]').waitFor();
  await page.evaluate(async () => {
    for (const path of ['/user/about', '/user/credits/ledger']) await (await fetch(path)).text();
  });
  expect(asked).toEqual(expect.arrayContaining(['/user/sync/snapshot', '/user/about']));
  // A picture is shown before it has been written.
  await expect
    .poll(
      async () => (await keptAddresses(page)).filter((path) => path.startsWith('/proxy/')).length,
    )
    .toBeGreaterThanOrEqual(3);
  const kept = await keptAddresses(page);
  expect(kept).toContain('/index.html');
  expect(kept.filter((path) => path.startsWith('/user/'))).toEqual([]);
  expect(kept.filter((path) => /^\/(landing\.html|terms|privacy)?$/.test(path))).toEqual([]);
});

/** The one that is loaded; the others are gone to within the app, and need their own files all the same. */
const LOADED = '/payment/credits';

// Shows fact 8.16.
test('with the server gone every page opens again from the replica, as of when it was read, pictures and a receipt included', async () => {
  const logged: string[] = [];
  page.on('console', (entry) => logged.push(entry.text()));
  front.isThere = false;
  for (const [path, text] of [
    [LOADED, 'Secure checkout'],
    ['/my-billing', '$9.99'],
    ['/my-subscriptions', `@${NAME}`],
    ['/my-settings', newCustomer(NAME).email],
    ['/subscription', 'Your plan'],
    ['/dashboard', `@${NAME}`],
  ] as const) {
    await (path === LOADED ? page.goto(front.url + path) : goWithin(page, path));
    await page
      .getByText(text)
      .or(page.locator(`[value="${text}"]`))
      .first()
      .waitFor();
    await page.locator('header').getByText('Offline', { exact: true }).first().waitFor();
    if (path !== '/my-billing') continue;
    await page.getByText(/This is what we last loaded\. We’ll keep trying\. As of/).waitFor();
    // Nobody asked for money back, and without a server nobody is told that it can't be read.
    await expect.poll(() => page.getByText('We couldn’t load this').count()).toBe(0);
  }
  await expect.poll(() => areShown(page)).toEqual([true, true, true]);
  // It is logged, and told by no toast.
  await expect.poll(() => logged.join('\n')).toContain('Nothing could be fetched');
  await expect.poll(() => page.locator('[data-toast]').count()).toBe(0);
  await page.locator('[data-post]').first().getByRole('link').click();
  await page.getByRole('region', { name: 'Receipt' }).waitFor();
  await page.goto(`${front.url}/no/such/page`);
  await page.getByText('Unexpected Application Error!').waitFor();
});

/** Until the page is left. A worker that they reach could be woken while it gives way to a newer version. */
const callWithoutPause = (of: Page) =>
  of.evaluate(() => {
    const call = (): void => {
      const isOver = () => setTimeout(call);
      fetch('/user/about').then(isOver, isOver);
    };
    call();
  });

test('a new version waits until the person starts it, in every tab, and keeps the replica', async () => {
  second = await context.newPage();
  await second.goto(`${front.url}/my-billing`);
  await page.goto(`${front.url}/dashboard`);
  const rows = (of: Page) =>
    of.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  const before = await rows(page);
  expect(before).toHaveLength(1);
  front.newVersion = 'second';
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
  const prompt = page.getByText('A new version of Ovation is ready.');
  await prompt.waitFor();
  front.isThere = false;
  await page.locator('header [data-kind="offline"]').waitFor();
  const card = page.locator('[data-post]').first();
  await queueLikes(card, 30);
  const reloads = Promise.all([page.waitForEvent('load'), second.waitForEvent('load')]);
  await callWithoutPause(second);
  await page.getByRole('button', { name: 'Update now' }).click();
  await reloads;
  await card.getByText('30 extra likes: waiting for the network.').waitFor();
  expect(await rows(page)).toEqual(before);
  await expect.poll(() => prompt.count()).toBe(0);
  front.isThere = true;
  await card.getByText('30 extra likes: waiting').waitFor({ state: 'hidden' });
  await expect.poll(elsewhere.credits).toBe(2470);
});

test('a kept version that the server refuses for good gives way to the newer one, in every tab', async () => {
  await page.locator('header [data-kind="live"]').waitFor();
  front.newVersion = 'third';
  front.isTooOld = true;
  front.isThere = false;
  front.isThere = true;
  // A picture that doesn't come holds no version up.
  const isAsked = Promise.withResolvers<void>();
  front.beforeAnswer = async (path) => {
    if (!path.startsWith('/proxy/')) return;
    isAsked.resolve();
    await new Promise(() => undefined);
  };
  await page.evaluate(() => void fetch('/proxy/none?w=160').catch(() => undefined));
  await isAsked.promise;
  const load = page.locator('header').getByRole('button', { name: 'Load new version' });
  await load.click();
  const third = 'meta[name="app-version"][content="third"]';
  for (const tab of [page, second]) {
    await tab.locator(third).waitFor({ state: 'attached' });
  }
  await load.waitFor();
  front.isTooOld = false;
  // Whichever tab leads waits for its person: with the other gone, it is the one that is loaded anew.
  await second.close();
  await page.reload();
  await page.locator('header [data-kind="live"]').waitFor();
  await expect.poll(() => load.count()).toBe(0);
});

/** Whether the browser's own cache, beside what the service worker keeps, has this picture. */
const isInBrowserCache = (of: Page, path: string) =>
  of.evaluate(async (url) => {
    try {
      // The service worker passes on what it doesn't keep.
      const init = { cache: 'only-if-cached', mode: 'same-origin' } as const;
      return (await fetch(url, init)).ok;
    } catch {
      return false;
    }
  }, path);

test('a log-out takes the kept pictures with it, and leaves the app’s own files', async () => {
  // A width that no page shows, so that only the browser's own cache has it.
  const picture = await pictures(page).first().getAttribute('src');
  const path = `${picture?.split('?')[0]}?w=160`;
  await page.evaluate(async (url) => void (await (await fetch(url)).blob()), path);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('ovation-images')) await caches.delete(name);
    }
  });
  expect(await isInBrowserCache(page, path)).toBe(true);
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  await expect
    .poll(async () => (await keptAddresses(page)).filter((path) => path.startsWith('/proxy/')))
    .toEqual([]);
  expect(await isInBrowserCache(page, path)).toBe(false);
  expect(await keptAddresses(page)).toContain('/index.html');
  front.isThere = false;
  await page.reload();
  await expect.poll(() => page.locator('#root').innerHTML()).not.toBe('');
});

test('the landing page comes from the server while it is there, and is drawn by the app while it isn’t', async () => {
  const answer = await page.goto(`${front.url}/`);
  expect(await answer?.text()).toContain('data-delivery-promise');
  front.isThere = false;
  const kept = await page.goto(`${front.url}/`);
  expect(await kept?.text()).not.toContain('data-delivery-promise');
  await page.getByRole('heading', { level: 1 }).waitFor();
});
