import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { serveBundle } from '../../desktop/e2e/bundle-server.ts';
import { launchBrowser } from './browser.ts';
import { logIn } from './customer.ts';
import { Figures, median } from './figures.ts';
import { serveInFront } from './front-server.ts';
import { countHeldPosts } from './held-posts.ts';
import { useLargeWorkspace } from './large-workspace.ts';
import { noteWhenShown, shownAfter, type Wanted } from './shown-after.ts';
import { loggedInPage } from './subscriber.ts';

/**
 * `npm run bench:offline [posts] [repetitions]`: a customer's posts come through the real server and the
 * real first sync; then the network is cut, and every route is opened anew, in the browser and in the
 * desktop app's bundle. Ends with 1 where posts are missing or the slowest opening is over its target; with
 * fewer repetitions than usual no time is judged, and only the first routes are opened.
 */
const posts = Number(process.argv[2] ?? 10_000);
const USUAL = 5;
const repetitions = Number(process.argv[3] ?? USUAL);
const isJudged = repetitions >= USUAL;
const TARGET_MS = 1000;
/** A few are enough to show that the measuring works. */
const SHORT_ROUTES = 2;
/** The desktop app has its files on the disk. */
const DESKTOP_TARGET_MS = 500;
const NAME = 'bench.offline';
const SIZE = { width: 1280, height: 900 };

const browser = await launchBrowser({ serviceWorkers: 'allow' });
const { product, customer, counts, receiptPostId } = await useLargeWorkspace(NAME, {
  accounts: 0,
  posts,
  minutesApart: 60,
  postsPerOrder: 5,
});
const front = await serveInFront(product.url);
const POST: Omit<Wanted, 'path'> = { selector: '[data-post]', text: '' };
const ROUTES: Wanted[] = [
  { path: '/dashboard', ...POST },
  {
    path: `/dashboard?post=${receiptPostId}`,
    selector: '[aria-labelledby="receipt-title"]',
    text: '110',
  },
  { path: '/my-billing', selector: 'main', text: '$9.99' },
  { path: '/my-subscriptions', selector: 'main', text: `@${customer.igUsername}` },
  { path: '/my-settings', selector: 'input', text: customer.email },
  { path: '/subscription', selector: 'main', text: 'Your plan' },
  { path: '/payment/credits', selector: 'main', text: 'Secure checkout' },
  {
    path: `/other-account-subscription?packageValue=2&defaultIgUsername=${customer.igUsername}`,
    selector: 'main',
    text: `@${customer.igUsername}`,
  },
];
const figures = new Figures(isJudged);
try {
  const { account, post, like_order: orders } = counts;
  process.stdout.write(`${post} posts, ${orders} orders, ${account} account\n`);
  tell('machine: reload of an empty page', await floor(), Infinity);
  await measureBrowser();
  await measureDesktop();
} finally {
  await browser.close();
  await front.stop();
  await product.stop();
}
process.exitCode = figures.end();

function tell(what: string, times: readonly number[], limit: number): void {
  const more = `median ${Math.round(median(times))} ms`;
  figures.tell(`${what}, slowest`, Math.max(...times), { unit: 'ms', limit, more });
}

async function floor(): Promise<number[]> {
  const empty = createServer((_, response) => response.end('<!doctype html><title>empty</title>'));
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  const { port } = empty.address() as AddressInfo;
  const context = await browser.newContext({ viewport: SIZE });
  await noteWhenShown(context, []);
  const page = await context.newPage();
  const open = (): Promise<number> => shownAfter(page, `http://127.0.0.1:${port}/`);
  // The first pays for the page's process.
  await open();
  const times = await repeated(open);
  await context.close();
  empty.closeAllConnections();
  empty.close();
  return times;
}

async function repeated(once: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let nr = 0; nr < repetitions; nr += 1) times.push(await once());
  return times;
}

async function firstSync(page: Page): Promise<void> {
  await page.locator('[data-post]').first().waitFor({ timeout: 60_000 });
  await page.locator('header [data-kind="live"]').waitFor({ timeout: 120_000 });
}

/** The first visit leaves the replica and, kept by the service worker, the shell. */
async function measureBrowser(): Promise<void> {
  const page = await loggedInPage({ browser, product: front }, customer, {
    ...SIZE,
    inSubscription: true,
  });
  const context = page.context();
  await noteWhenShown(context, ROUTES);
  await page.goto(`${front.url}/dashboard`);
  await firstSync(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  front.isThere = false;
  for (const { path } of isJudged ? ROUTES : ROUTES.slice(0, SHORT_ROUTES)) {
    tell(path, await repeated(() => shownAfter(page, front.url + path)), TARGET_MS);
  }
  const held = await countHeldPosts(page);
  if (held < posts) figures.fail(`only ${held} posts are held`);
  process.stdout.write(`${held} posts are held in the replica\n`);
  front.isThere = true;
  await context.close();
}

/** The production renderer through the real handler; its start is a new page in a browser without one. */
async function measureDesktop(): Promise<void> {
  const bundle = await serveBundle(front.url);
  const context = await browser.newContext({ viewport: SIZE });
  await context.addInitScript(quietShell);
  await noteWhenShown(context, [{ path: '/dashboard', ...POST }]);
  let page = await context.newPage();
  await logIn(page, bundle.url, customer);
  await firstSync(page);
  front.isThere = false;
  const start = async (): Promise<number> => {
    await page.close();
    page = await context.newPage();
    return shownAfter(page, `${bundle.url}/dashboard`);
  };
  const times = await repeated(start);
  tell('desktop: start of the renderer to the first post', times, DESKTOP_TARGET_MS);
  await context.close();
  await bundle.stop();
}

/** In the page: the part of the shell a page sees, without Electron around it. */
function quietShell(): void {
  const ovationShell = {
    version: '9.9.9',
    hasServer: true,
    request: async () => undefined,
    on: () => () => undefined,
  };
  Object.assign(globalThis, { ovationShell });
}
