import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { Figures } from './figures.ts';
import { startOnPostgres } from './product.ts';
import { gzipBytes, readManifest, routeSizes } from './route-sizes.ts';
import { sandboxControl } from './sandbox-control.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

/**
 * `npm run bench:screens [posts] [sizes]`: the production build in a real browser. A grid of 2,000 posts is
 * scrolled from end to end, every route is opened on a phone, a tablet and a desktop and watched for layout
 * shifts, and each route's JavaScript is weighed. Ends with 1 where a figure is over its bound; with fewer
 * posts than usual nothing is judged, nor watched for long, and of each kind of routes only the first are opened.
 */
const USUAL = 2000;
const posts = Number(process.argv[2] ?? USUAL);
const isJudged = posts >= USUAL;
const TASK_LIMIT_MS = 50;
const SHIFT_LIMIT = 0.02;
const SIZES = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] } as const;
const chosen = process.argv[3]?.split(',') ?? Object.keys(SIZES);
const VISITOR = ['/', '/login', '/signup', '/verify-email', '/terms-of-service', '/privacy-policy'];
const CUSTOMER = [
  '/dashboard',
  '/subscription',
  '/other-account-subscription?packageValue=2&defaultIgUsername=bench.shifts',
  '/payment/credits',
  '/my-settings',
  '/my-billing',
  '/my-subscriptions',
];
const ROUTES = isJudged ? Infinity : 2;
/** Long enough for data, pictures and fonts to have come. */
const WATCH_MS = isJudged ? 2500 : 100;

const [product, browser] = await Promise.all([startOnPostgres(), launchBrowser()]);
const journeys = { browser, product, sandbox: sandboxControl(product.sandboxUrl) };
const figures = new Figures(isJudged);
try {
  for (const { route, kilobytes, limit } of routeSizes(readManifest(), gzipBytes)) {
    figures.tell(`JavaScript of ${route}`, kilobytes, { unit: 'kB compressed', limit });
  }
  await measureScrolling();
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    if (chosen.includes(size)) await measureShifts(size, width, height);
  }
} finally {
  await browser.close();
  await product.stop();
}
process.exitCode = figures.end();

/** Scrolls by the wheel through all posts and back, slowly and fast. */
async function measureScrolling(): Promise<void> {
  const { page } = await subscribedPage(journeys, 'bench.grid', {
    width: 1440,
    height: 900,
    posts,
    reducedMotion: 'no-preference',
  });
  await page.goto(`${product.url}/dashboard`);
  await page.locator('[data-post]').first().waitFor({ timeout: 60_000 });
  await readAllPosts(page);
  await watch(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (const step of [700, -700, 2800, -2800]) {
    for (let gone = 0; gone < height; gone += Math.abs(step)) {
      await page.mouse.wheel(0, step);
      await frame(page);
    }
  }
  const { tasks, shift } = await seen(page);
  const longest = Math.max(0, ...tasks);
  const found = tasks.map((ms) => `${Math.round(ms)}`).join(', ');
  process.stdout.write(`tasks over 50 ms while scrolling: ${found || 'none'}\n`);
  const task = { unit: 'ms', limit: TASK_LIMIT_MS };
  figures.tell(`longest task scrolling ${posts} posts`, longest, task);
  figures.tell(`layout shift scrolling ${posts} posts`, shift, { limit: SHIFT_LIMIT });
  await page.context().close();
}

/** Older posts come as one scrolls: to the end until there are no more. */
async function readAllPosts(page: Page): Promise<void> {
  await page.locator('[data-post] a').first().focus();
  const all = page.getByText(`${posts.toLocaleString('en-US')} posts`, { exact: true });
  for (let tries = 0; tries < 120 && (await all.count()) === 0; tries += 1) {
    await page.keyboard.press('Control+End');
    await page.waitForTimeout(250);
  }
  await all.waitFor({ timeout: 60_000 });
  await page.keyboard.press('Control+Home');
  await page.waitForTimeout(isJudged ? 1000 : 100);
}

async function measureShifts(size: string, width: number, height: number): Promise<void> {
  const visitor = await browser.newContext({ viewport: { width, height } });
  const open = await visitor.newPage();
  for (const path of VISITOR.slice(0, ROUTES)) await measureShift(open, path, size);
  await visitor.close();
  const name = size === 'phone' ? 'bench.shifts' : `bench.shifts.${size}`;
  const options = { width, height, reducedMotion: 'no-preference' } as const;
  const { page } = await subscribedPage(journeys, name, { ...options, posts: Math.min(30, posts) });
  for (const path of CUSTOMER.slice(0, ROUTES)) await measureShift(page, path, size);
  await page.context().close();
  const unpaid = await signedInPage(journeys, `bench.unpaid.${size}`, options);
  await measureShift(unpaid.page, '/subscription', `${size}, without a plan`);
  await unpaid.page.context().close();
}

async function measureShift(page: Page, path: string, size: string): Promise<void> {
  await page.goto(product.url + path);
  await watch(page);
  await page.waitForTimeout(WATCH_MS);
  const { shift, moved } = await seen(page);
  if (shift > SHIFT_LIMIT) process.stdout.write(`  moved: ${moved.join(' | ')}\n`);
  figures.tell(`layout shift of ${path} on a ${size}`, shift, { limit: SHIFT_LIMIT });
}

interface Seen {
  /** Lengths of tasks over 50 ms, the only ones a browser tells of. */
  tasks: number[];
  /** Sum of all shifts that no click or key has caused: stricter than the worst window of five seconds. */
  shift: number;
  moved: string[];
}

/** Begins to watch; shifts from before, since the page opened, are counted too. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watched: Seen = { tasks: [], shift: 0, moved: [] };
    Object.assign(globalThis, { watched });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.tasks.push(duration);
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as unknown as {
          value: number;
          hadRecentInput: boolean;
          sources: Array<{ node: Element | null }>;
        };
        if (hadRecentInput) continue;
        watched.shift += value;
        for (const { node } of sources) {
          watched.moved.push(`${node?.nodeName} ${node?.className} ${value.toFixed(4)}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function seen(page: Page): Promise<Seen> {
  return page.evaluate(() => (globalThis as unknown as { watched: Seen }).watched);
}

async function frame(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))),
  );
}
