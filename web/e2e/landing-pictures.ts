import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from './browser.ts';
import { type SingleProduct, startEmbedded } from './product.ts';

/**
 * `npm run landing-pictures`: takes the pictures that the landing page and the README show of the product, from
 * the running demo, and the one that link previews show. They are checked in: a build needs no browser.
 */
const WEB = join(import.meta.dirname, '..');
const SHOWN = join(WEB, 'src/features/public/landing/pictures');
const PREVIEW = join(WEB, 'public/link-preview.png');
const README = join(WEB, '../docs/pictures/dashboard.png');
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 720 };
/** What a link preview has no use for. */
const NOT_PREVIEWED =
  '[aria-label="Offer"], header > :not(:first-child), form, #hero a, [data-note], figcaption, [data-delivery-promise]';

/** What the demo's first account posts, besides its own one, so that a whole day's likes are to be seen. */
const POSTS = ['Golden hour', 'The long way home', 'After the rain'];
const ACCOUNT = 'aurelie.lumen';
/** At Instant speed likes take up to ten minutes. */
const DELIVERED_MS = 12 * 60_000;

const [product, browser] = await Promise.all([startEmbedded(undefined, 'on'), launchBrowser()]);
try {
  for (const caption of POSTS) {
    await fetch(`${product.sandboxUrl}/control/accounts/${ACCOUNT}/posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ afterSeconds: 1, caption }),
    });
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await takeDashboard(product, browser, colorScheme);
  }
  await takePreview(product, browser);
} finally {
  await browser.close();
  await product.stop();
}

async function takeDashboard(
  { url, processes }: SingleProduct,
  from: Browser,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const [, email = '', password = ''] =
    /Demo login\s+(\S+)\s+(\S+)/.exec(processes['start']?.output() ?? '') ?? [];
  const context = await from.newContext({
    colorScheme,
    reducedMotion: 'reduce',
    viewport: WIDE,
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
  const done = page.locator('[data-post]').filter({ hasText: /All .* delivered/ });
  await done.nth(POSTS.length).waitFor({ timeout: DELIVERED_MS });
  await page.setViewportSize(PHONE);
  await keep(page, `dashboard-phone-${colorScheme}`, 2 * PHONE.width);
  await page.setViewportSize(WIDE);
  await done.first().getByRole('link').first().click();
  await page.getByRole('button', { name: 'Print' }).first().waitFor();
  const wide = await keep(page, `dashboard-${colorScheme}`, 1.25 * WIDE.width);
  if (colorScheme === 'light') {
    await sharp(wide).resize({ width: 1440 }).png({ palette: true, effort: 10 }).toFile(README);
  }
  await context.close();
}

async function keep(page: Page, name: string, width: number): Promise<Buffer> {
  await page.locator('[data-toast]').waitFor({ state: 'detached', timeout: 20_000 });
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
  );
  await page.evaluate(() => scrollTo(0, 0));
  const shot = await page.screenshot();
  const picture = sharp(shot).resize({ width: Math.round(width) });
  const bytes = await picture.webp({ quality: 62, effort: 6 }).toBuffer();
  await writeFile(join(SHOWN, `${name}.webp`), bytes);
  process.stdout.write(`${name}: ${Math.round(bytes.length / 1000)} kB\n`);
  return shot;
}

async function takePreview({ url }: SingleProduct, from: Browser): Promise<void> {
  const context = await from.newContext({
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 1200, height: 630 },
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.addStyleTag({ content: `${NOT_PREVIEWED} { display: none !important }` });
  const bytes = await sharp(await page.screenshot())
    .png({ palette: true, colors: 128, effort: 10 })
    .toBuffer();
  await writeFile(PREVIEW, bytes);
  process.stdout.write(`link preview: ${Math.round(bytes.length / 1000)} kB\n`);
  await context.close();
}
