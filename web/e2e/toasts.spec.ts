import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Customer, logIn, newCustomer } from './customer.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

const shared = shareProduct();
/** A phone, a tablet, a wide screen, and one of 1280 x 1024 enlarged to 400 %. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
  { width: 320, height: 256 },
];
const paying = newCustomer('toasts.pays');
const unpaid = newCustomer('toasts.waits');
let page: Page;

beforeAll(async () => {
  ({ page } = await subscribedPage(shared, paying.igUsername, { posts: 30 }));
  await signedInPage(shared, unpaid.igUsername);
});

/** What can be pressed, filled in or read as a heading and lies under a toast, with its place. */
const coveredHere = (open: Page, isAtTop: boolean): Promise<string[]> =>
  open.evaluate((nothingMayLieHidden) => {
    const dialog = document.querySelector('[role="dialog"]');
    const parts = (dialog ?? document).querySelectorAll(
      'a, button, input, select, textarea, [role="option"], h1, h2, h3',
    );
    const room = parseFloat(
      getComputedStyle(document.querySelector('[data-makes-room]:not(header)') ?? document.body)
        .translate.split(' ')
        .at(1) ?? '0',
    );
    const header = document.querySelector('header');
    const isStanding = header && getComputedStyle(header).position === 'sticky';
    const edge = isStanding ? header.getBoundingClientRect().bottom : 0;
    return [...parts].flatMap((part) => {
      if (part.closest('[data-toast]')) return [];
      const { left, top, width, height } = part.getBoundingClientRect();
      const middle = { x: left + width / 2, y: top + height / 2 };
      const isUnder = document.elementFromPoint(middle.x, middle.y)?.closest('[data-toast]');
      // What is scrolled up out of sight, past the header, is not hidden by the toast.
      const isOutOfSight = !nothingMayLieHidden && !dialog && middle.y - room < edge;
      if (!isUnder || isOutOfSight) return [];
      return [`${part.tagName} ${part.textContent} at ${Math.round(middle.x)},${middle.y}`];
    });
  }, isAtTop);

/** What the toasts that stand cover, at the beginning of the page and at its end. */
async function covered(open: Page, count = 1): Promise<string[]> {
  const toasts = open.locator('[data-toast]');
  await expect.poll(() => toasts.count()).toBe(count);
  // Pointed at, it stays.
  await toasts.first().hover();
  const isStill = () => document.getAnimations().every(({ playState }) => playState !== 'running');
  await open.waitForFunction(isStill);
  const found: string[] = [];
  for (const end of ['top', 'bottom'] as const) {
    await open.evaluate((at) => {
      const { scrollHeight } = document.documentElement;
      for (const scroller of [document.documentElement, document.querySelector('[role="dialog"]')])
        scroller?.scrollTo({ top: at === 'top' ? 0 : scrollHeight, behavior: 'instant' });
    }, end);
    found.push(...(await coveredHere(open, end === 'top')));
  }
  expect(await toasts.count()).toBe(count);
  return found;
}

async function visitor(size: (typeof SIZES)[number]): Promise<Page> {
  const context = await shared.browser.newContext({ viewport: size });
  const open = await context.newPage();
  shared.pages.push(open);
  return open;
}

async function loggedIn(size: (typeof SIZES)[number], customer: Customer, at: string) {
  const open = await visitor(size);
  await logIn(open, shared.product.url, customer);
  await open.waitForURL(`**${at}`);
  return open;
}

async function openSettings(size: (typeof SIZES)[number]): Promise<void> {
  await page.setViewportSize(size);
  await page.goto(`${shared.product.url}/my-settings`);
  await page.getByRole('button', { name: 'Save details' }).waitFor();
}

test.each(SIZES)('at $width px the toast after a log-in covers nothing', async (size) => {
  const dashboard = await loggedIn(size, paying, '/dashboard');
  await dashboard.getByRole('button', { name: /^Menu/ }).waitFor();
  expect(await covered(dashboard)).toEqual([]);
  const checkout = await loggedIn(size, unpaid, '/subscription');
  await checkout.getByRole('heading', { level: 1 }).waitFor();
  expect(await covered(checkout)).toEqual([]);
});

test.each(SIZES)(
  'at $width px toasts after saving details cover nothing, three too',
  async (size) => {
    await openSettings(size);
    const save = page.getByRole('button', { name: 'Save details' });
    await save.click();
    expect(await covered(page)).toEqual([]);
    for (const count of [2, 3]) {
      await save.click();
      await expect.poll(() => page.locator('[data-toast]').count()).toBe(count);
    }
    expect(await covered(page, 3)).toEqual([]);
  },
);

test.each(SIZES)('at $width px the toast of a code that was sent covers nothing', async (size) => {
  const open = await visitor(size);
  await open.goto(`${shared.product.url}/verify-email`);
  await open.getByLabel('Email').fill(`forgets.at.${size.width}@example.test`);
  await open.getByRole('button', { name: 'Send Verification Email' }).click();
  await open.getByRole('heading', { name: 'Enter OTP', level: 1 }).waitFor();
  expect(await covered(open)).toEqual([]);
});

test.each(SIZES)('at $width px a toast covers nothing of a dialog', async (size) => {
  await page.setViewportSize(size);
  await page.goto(`${shared.product.url}/my-subscriptions`);
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add new Instagram account' });
  await dialog.getByLabel('Instagram username').fill(unpaid.igUsername);
  await dialog.getByRole('button', { name: 'Look up' }).click();
  expect(await covered(page)).toEqual([]);
});

test('a toast that comes late and goes by itself shifts no layout', async () => {
  await openSettings({ width: 390, height: 844 });
  // Nothing else is still coming.
  await page.locator('[data-kind="live"]').first().waitFor({ state: 'attached' });
  await page.evaluate(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as unknown as Array<{ sources: { node: Node | null }[] }>;
      for (const { node } of entries.flatMap(({ sources }) => sources)) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (!element?.closest('[data-toast]')) moved.push(element?.outerHTML ?? 'what is gone');
      }
    }).observe({ type: 'layout-shift' });
  });
  const toast = page.locator('[data-toast]');
  await page.getByRole('button', { name: 'Save details' }).click();
  await toast.waitFor();
  const title = page.getByRole('heading', { level: 1 });
  await expect.poll(async () => (await title.boundingBox())?.y ?? 0).toBeGreaterThan(120);
  await page.mouse.move(0, 0);
  await toast.waitFor({ state: 'detached' });
  await expect.poll(async () => (await title.boundingBox())?.y ?? 0).toBeLessThan(100);
  expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual(
    [],
  );
});

test('a bar at the foot of the screen stays there, with a toast and without', async () => {
  const size = { width: 390, height: 844 };
  const checkout = await loggedIn(size, unpaid, '/subscription');
  await checkout.getByRole('heading', { level: 1 }).waitFor();
  expect(await covered(checkout)).toEqual([]);
  await checkout.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const bar = checkout.getByRole('button', { name: /^Confirm & Pay/ }).locator('xpath=../..');
  const foot = async (): Promise<number> => {
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    return Math.round(y + height);
  };
  expect(await foot()).toBe(size.height);
  await checkout.locator('[data-toast]').getByRole('button', { name: 'Close' }).click();
  await checkout.locator('[data-toast]').waitFor({ state: 'detached' });
  await expect.poll(foot).toBe(size.height);
});
