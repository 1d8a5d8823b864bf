import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { fetchAgain } from './bad-answers.ts';
import { launchBrowser } from './browser.ts';
import { logIn, newCustomer, signUp } from './customer.ts';
import { GATEWAY_SCREENS } from './payment-screens.ts';
import { type SingleProduct, startEmbedded } from './product.ts';
import { CUSTOMER_SCREENS, type Screen, VISITOR_SCREENS } from './screens.ts';
import { demoLogin, FRESH, type ShotsData } from './shots-data.ts';
import { stopClock } from './still-clock.ts';

/**
 * `node web/e2e/shots-take.ts <ShotsOrder as JSON>`: what `npm run shots` has this checkout, or another
 * one, do. Nothing in its pictures comes from the clock or from chance.
 */
export interface ShotsOrder extends ShotsData {
  /** A folder for the pictures. */
  to: string;
  /** Only screens with this in their names. */
  wanted: string;
}

const SIZES = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] } as const;
const SCHEMES = ['light', 'dark'] as const;
/** A page is shown whole up to here, in pixels. */
const TALLEST = 9000;
/** What a page delays for so long, such as a toast's end, doesn't happen while pictures are taken. */
const LATER_MS = 2000;
/** So long nothing is asked for or answered before a picture, and between two that have to be the same. */
const QUIET_MS = 250;
const STREAM_MS = 3000;
const MOST_TRIES = 30;
/** Each frame is drawn whole, with its pictures in it: edges come out otherwise when only a part is drawn anew. */
const SAME_PIXELS = [
  '--disable-partial-raster',
  '--disable-checker-imaging',
  '--disable-skia-runtime-opts',
  '--force-color-profile=srgb',
];

const LANDING: Screen = { name: 'landing', path: '/' };
const CHECKOUT: Screen = {
  name: 'checkout of a first plan',
  path: '/subscription',
  open: (page) => page.getByRole('button', { name: /^Confirm & Pay/ }).waitFor(),
};

const order = JSON.parse(process.argv[2] ?? '') as ShotsOrder;
const stillClock = `${pathToFileURL(join(import.meta.dirname, 'still-clock.ts')).href}?at=${order.at}`;
await mkdir(order.to, { recursive: true });
let [product, browser] = await Promise.all([start({}), launchBrowser({ arguments: SAME_PIXELS })]);
const missing: string[] = [];
try {
  await shoot([LANDING, ...VISITOR_SCREENS]);
  await shoot([CHECKOUT], async (page) => {
    await signUp(page, product.url, newCustomer(FRESH));
    await page.waitForURL('**/subscription');
  });
  await shoot(CUSTOMER_SCREENS, enterDemo);
  if (GATEWAY_SCREENS.some(isWanted)) {
    await product.stop();
    product = await start({ CARD_ENTRY: 'gateway' });
    await shoot(GATEWAY_SCREENS, enterDemo);
  }
} finally {
  await browser.close();
  await product.stop();
}
for (const name of missing) process.stderr.write(`  could not be taken: ${name}\n`);
process.exitCode = missing.length === 0 ? 0 : 1;

function isWanted({ name }: Screen): boolean {
  return name.includes(order.wanted);
}

function start(settings: Record<string, string>): Promise<SingleProduct> {
  const nodeArguments = ['--import', stillClock];
  return startEmbedded(order.directory, 'off', { ports: order.ports, nodeArguments, settings });
}

async function enterDemo(page: Page): Promise<void> {
  await logIn(page, product.url, await demoLogin(product.directory));
  await page.waitForURL('**/dashboard');
  // All of the replica is there before the first picture.
  await page.getByText(/^\d of 4$/).waitFor();
}

async function shoot(screens: Screen[], enter?: (page: Page) => Promise<void>): Promise<void> {
  const wanted = screens.filter(isWanted);
  if (wanted.length === 0) return;
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
  });
  await context.clock.setFixedTime(order.at);
  await context.route('**/sync-worker*', async (route) => {
    const script = await fetchAgain(route);
    const body = `(${stopClock.toString()})(${order.at});\n${await script.text()}`;
    await route.fulfill({ response: script, body });
  });
  const page = await context.newPage();
  const isQuiet = watchRequests(page);
  await enter?.(page);
  await stand(context);
  for (const screen of wanted) {
    await takeAll(page, screen, isQuiet).catch((error: unknown) => {
      missing.push(`${screen.name}: ${String(error)}`);
    });
  }
  await context.close();
}

/** Stops what would change by itself between two pictures, or two runs. */
async function stand(context: BrowserContext): Promise<void> {
  await context.addInitScript((laterMs) => {
    const later = globalThis.setTimeout.bind(globalThis);
    const unlessLate = (work: () => void, delayMs = 0): number =>
      delayMs < laterMs ? Number(later(work, delayMs)) : 0;
    Object.assign(globalThis, { setTimeout: unlessLate });
    // How much room a browser takes differs from start to start.
    const room = { usage: 2_000_000, quota: 5_000_000_000 };
    Object.assign(navigator.storage, { estimate: async () => room });
  }, LATER_MS);
}

/** Whether nothing was asked for or answered lately. What is open for longer is a stream. */
function watchRequests(page: Page): () => boolean {
  const open = new Map<Request, number>();
  let lastMs = 0;
  page.on('request', (request) => open.set(request, performance.now()));
  const settle = (request: Request): void => {
    open.delete(request);
    lastMs = performance.now();
  };
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);
  return () => {
    const now = performance.now();
    return now - lastMs > QUIET_MS && [...open.values()].every((since) => now - since > STREAM_MS);
  };
}

/** Opens a screen once and takes it in every look. */
async function takeAll(page: Page, screen: Screen, isQuiet: () => boolean): Promise<void> {
  await page.unrouteAll();
  await screen.before?.(page, product);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(product.url + screen.path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await screen.open?.(page, product);
  const file = screen.name.replaceAll(/[^a-z]+/g, '-');
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      const picture = await pictureOf(page, { width, height }, isQuiet);
      await writeFile(join(order.to, `${file}-${size}-${colorScheme}.png`), picture);
    }
  }
}

/** Of the page at rest: nothing is on its way, and it looks the same twice in a row. */
async function pictureOf(
  page: Page,
  least: { width: number; height: number },
  isQuiet: () => boolean,
): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    while (!isQuiet()) await delay(QUIET_MS / 5);
    await page.locator('[data-kind="syncing"]').waitFor({ state: 'detached' });
    // A lazy picture that isn't displayed, such as the other scheme's, is never asked for.
    await page.waitForFunction(() =>
      [...document.images].every((image) => image.complete || !image.checkVisibility()),
    );
    const height = await heightOf(page, least.height);
    await page.setViewportSize({ width: least.width, height });
    const picture = await page.screenshot({ animations: 'disabled' });
    if (picture.equals(last)) return picture;
    last = picture;
    await delay(QUIET_MS);
  }
  throw new Error('It never looks the same twice.');
}

/** Of the whole page, unless a dialog is in front of it or it goes on for ever. */
async function heightOf(page: Page, least: number): Promise<number> {
  if ((await page.getByRole('dialog').count()) > 0) return least;
  if (new URL(page.url()).pathname === '/dashboard') return least;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  return Math.min(TALLEST, Math.max(least, whole));
}
