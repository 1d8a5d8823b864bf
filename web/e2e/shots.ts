import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { newCustomer, signUp } from './customer.ts';
import { startEmbedded } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { CUSTOMER_SCREENS, type Screen, UNPAID, VISITOR_SCREENS } from './screens.ts';

/** Where the pictures go; git ignores it. */
const OUT = join(import.meta.dirname, '../../out/shots');
const SIZES = { phone: [390, 844], tablet: [820, 1180], desktop: [1440, 900] } as const;
const SCHEMES = ['light', 'dark'] as const;
/** A page is shown whole up to here, in pixels. */
const TALLEST = 9000;

const LANDING: Screen = { name: 'landing', path: '/' };
const CHECKOUT: Screen = {
  name: 'checkout of a first plan',
  path: '/subscription',
  open: (page) => page.getByRole('button', { name: /^Confirm & Pay/ }).waitFor(),
};

/** `npm run shots [part of a name]`: every screen and dialog of the living demo, in three sizes, light and dark. */
async function main(wanted = ''): Promise<void> {
  await mkdir(OUT, { recursive: true });
  const [product, browser] = await Promise.all([startEmbedded(undefined, 'on'), launchBrowser()]);
  const missing: string[] = [];
  try {
    const sandbox = sandboxControl(product.sandboxUrl);
    const shoot = async (screens: Screen[], enter?: (page: Page) => Promise<void>) => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      await enter?.(page);
      for (const screen of screens.filter(({ name }) => name.includes(wanted))) {
        await takeAll(page, product.url, screen).catch((error: unknown) => {
          missing.push(`${screen.name}: ${String(error)}`);
        });
      }
      await page.context().close();
    };
    const demo = /Demo login\s+(\S+)\s+(\S+)/.exec(product.processes['start']?.output() ?? '');
    await shoot([LANDING, ...VISITOR_SCREENS]);
    await shoot([CHECKOUT], async (page) => {
      await sandbox.createAccount({ username: 'shots.fresh', posts: 2 });
      await signUp(page, product.url, newCustomer('shots.fresh'));
      await page.waitForURL('**/subscription');
    });
    await shoot(CUSTOMER_SCREENS, async (page) => {
      await sandbox.createAccount({ username: UNPAID });
      await logIn(page, product.url, demo?.[1] ?? '', demo?.[2] ?? '');
    });
  } finally {
    await browser.close();
    await product.stop();
  }
  process.stdout.write(`Pictures in out/shots; ${missing.length} screens could not be taken\n`);
  for (const name of missing) process.stdout.write(`  ${name}\n`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}

/** Logs the demo in, and connects an account without a plan. */
async function logIn(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const answered = page.waitForResponse('**/user/user/login');
  await page.getByRole('button', { name: 'Log In' }).click();
  const { data } = (await (await answered).json()) as { data: { id: string } };
  await page.waitForURL('**/dashboard');
  await page.request.post(`${url}/user/connectedAccount/addRecord`, {
    data: { userId: data.id, igUsername: UNPAID },
  });
}

/** Opens a screen once and takes it in every look. */
async function takeAll(page: Page, url: string, screen: Screen): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url + screen.path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await screen.open?.(page);
  const file = screen.name.replaceAll(/[^a-z]+/g, '-');
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      await page.setViewportSize({ width, height: await heightOf(page, height) });
      // A lazy picture that isn't displayed, such as the other scheme's, is never asked for.
      await page.waitForFunction(() =>
        [...document.images].every((image) => image.complete || !image.checkVisibility()),
      );
      await page.screenshot({ path: join(OUT, `${file}-${size}-${colorScheme}.png`) });
    }
  }
}

/** Of the whole page, unless a dialog is in front of it or it goes on for ever. */
async function heightOf(page: Page, least: number): Promise<number> {
  if ((await page.getByRole('dialog').count()) > 0) return least;
  if (new URL(page.url()).pathname === '/dashboard') return least;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  return Math.min(TALLEST, Math.max(least, whole));
}

await main(process.argv[2]);
