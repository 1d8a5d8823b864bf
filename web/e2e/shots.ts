import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { newCustomer, signUp } from './customer.ts';
import { startEmbedded } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';

/** Where the pictures go; git ignores it. */
const OUT = join(import.meta.dirname, '../../out/shots');
const SIZES = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] } as const;
const SCHEMES = ['light', 'dark'] as const;

/** A screen or a dialog: how to get to it from a signed-in or a visiting page. */
interface Shot {
  name: string;
  path: string;
  /** What has to be clicked to open a dialog there, by the names of the buttons. */
  clicks?: (string | RegExp)[];
  isWholePage?: boolean;
}

const PUBLIC: Shot[] = [
  { name: 'landing', path: '/', isWholePage: true },
  { name: 'login', path: '/login' },
  { name: 'signup', path: '/signup', isWholePage: true },
  { name: 'verify-email', path: '/verify-email' },
  { name: 'terms', path: '/terms-of-service', isWholePage: true },
  { name: 'privacy', path: '/privacy-policy', isWholePage: true },
  { name: 'unknown-path', path: '/nothing-here' },
];

const CUSTOMER: Shot[] = [
  { name: 'dashboard', path: '/dashboard' },
  { name: 'my-settings', path: '/my-settings', isWholePage: true },
  { name: 'my-billing', path: '/my-billing', isWholePage: true },
  { name: 'my-subscriptions', path: '/my-subscriptions' },
  { name: 'payment-credits', path: '/payment/credits', isWholePage: true },
  { name: 'subscription-paid', path: '/subscription', isWholePage: true },
  { name: 'dialog-buy-credits', path: '/dashboard', clicks: [/credits/i] },
  { name: 'dialog-add-account', path: '/my-subscriptions', clicks: ['Add account'] },
  { name: 'dialog-manage-account', path: '/my-subscriptions', clicks: [/^Manage/] },
  {
    name: 'dialog-change-username',
    path: '/my-subscriptions',
    clicks: [/^Manage/, /^Change username/],
  },
  {
    name: 'dialog-manage-subscription',
    path: '/my-subscriptions',
    clicks: [/^Manage/, /^Manage subscription/],
  },
  {
    name: 'dialog-delivery-settings',
    path: '/my-subscriptions',
    clicks: [/^Manage/, /^Delivery settings/],
  },
  { name: 'dialog-extra-likes', path: '/dashboard', clicks: [/extra likes/i] },
];

const UNPAID: Shot[] = [{ name: 'subscription', path: '/subscription', isWholePage: true }];

async function main(): Promise<void> {
  await mkdir(OUT, { recursive: true });
  const [product, browser] = await Promise.all([startEmbedded(), launchBrowser()]);
  const missing: string[] = [];
  try {
    const demo = /Demo login\s+(\S+)\s+(\S+)/.exec(product.processes['start']?.output() ?? '');
    if (!demo) throw new Error('The demo printed no login.');
    const fresh = newCustomer('shots.fresh');
    await sandboxControl(product.sandboxUrl).createAccount({
      username: fresh.igUsername,
      posts: 2,
    });
    const logIn = async (page: Page): Promise<void> => {
      await page.goto(`${product.url}/login`);
      await page.getByLabel('Email').fill(demo[1] ?? '');
      await page.getByLabel('Password', { exact: true }).fill(demo[2] ?? '');
      await page.getByRole('button', { name: 'Log In' }).click();
      await page.waitForURL('**/dashboard');
    };
    let nth = 0;
    const register = async (page: Page): Promise<void> => {
      nth += 1;
      await signUp(page, product.url, { ...fresh, email: `shots${nth}@example.test` });
      await page.waitForURL('**/subscription');
    };
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      for (const scheme of SCHEMES) {
        const take = shooter(browser, product.url, { size, width, height, scheme }, missing);
        await take(PUBLIC, async () => undefined);
        await take(CUSTOMER, logIn);
        await take(UNPAID, register);
      }
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  process.stdout.write(`Pictures in out/shots; ${missing.length} could not be taken\n`);
  for (const name of missing) process.stdout.write(`  ${name}\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}

interface Look {
  size: string;
  width: number;
  height: number;
  scheme: (typeof SCHEMES)[number];
}

/** Takes a list of shots in one look, each on a page that starts anew. */
function shooter(browser: Browser, url: string, look: Look, missing: string[]) {
  const { size, width, height, scheme } = look;
  return async (shots: readonly Shot[], enter: (page: Page) => Promise<void>): Promise<void> => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await enter(page);
    for (const { name, path, clicks = [], isWholePage = false } of shots) {
      const file = `${name}-${size}-${scheme}`;
      try {
        await page.goto(`${url}${path}`);
        // A customer's page listens to the server and is never idle: there the frame says when it is live.
        await Promise.race([
          page.waitForLoadState('networkidle', { timeout: 15_000 }),
          page.locator('header [data-kind="live"]').waitFor({ timeout: 15_000 }),
        ]).catch(() => undefined);
        await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
        for (const click of clicks) {
          await page.getByRole('button', { name: click }).first().click({ timeout: 5000 });
        }
        if (clicks.length > 0) await page.getByRole('dialog').first().waitFor({ timeout: 5000 });
        await page.screenshot({ path: join(OUT, `${file}.png`), fullPage: isWholePage });
      } catch {
        missing.push(file);
      }
    }
    await context.close();
  };
}

await main();
