import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { TOAST_MS } from '#shared/domain/timings.ts';
import { type Customer, logIn, newCustomer } from './customer.ts';
import { type HeldTimers, holdTimers } from './held-timers.ts';
import { goWithin } from './open-screen.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

const shared = shareProduct();
/** A phone, a tablet, a wide screen, and one of 1280 x 1024 enlarged to 400 %. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
  { width: 320, height: 256 },
] as const;
const paying = newCustomer('toasts.pays');
const unpaid = newCustomer('toasts.waits');
let page: Page;
/** The page’s toasts stay until a test ends their time. */
let closing: HeldTimers;
/** Whoever asks for a code, and then logs in. */
let visitor: Page;

beforeAll(async () => {
  const people = [
    await subscribedPage(shared, paying.igUsername, { posts: 12 }),
    await signedInPage(shared, unpaid.igUsername),
  ];
  for (const { page: elsewhere } of people) await elsewhere.context().close();
  ({ page, closing } = await open());
  ({ page: visitor } = await open());
  await loggedIn(page, paying, '/dashboard');
});

const toasts = (open: Page) => open.locator('[data-toast]');

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
    const isSticky = header && getComputedStyle(header).position === 'sticky';
    const edge = isSticky ? header.getBoundingClientRect().bottom : 0;
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
async function covered(open: Page): Promise<string[]> {
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
  return found;
}

/** So many toasts come, and cover nothing at any size. */
async function expectNoneCovered(open: Page, count = 1): Promise<void> {
  await expect.poll(() => toasts(open).count()).toBe(count);
  for (const size of SIZES) {
    await open.setViewportSize(size);
    // What the page does about its new size it has done by then.
    await open.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve));
        }),
    );
    await expect
      .poll(async () => ({ width: size.width, covered: await covered(open) }))
      .toEqual({ width: size.width, covered: [] });
  }
  await expect.poll(() => toasts(open).count()).toBe(count);
  await open.setViewportSize(SIZES[0]);
}

async function open(): Promise<{ page: Page; closing: HeldTimers }> {
  const opened = await (await shared.browser.newContext({ viewport: SIZES[0] })).newPage();
  return { page: opened, closing: await holdTimers(opened, TOAST_MS) };
}

async function loggedIn(opened: Page, customer: Customer, at: string): Promise<void> {
  await logIn(opened, shared.product.url, customer);
  await opened.waitForURL(`**${at}`);
}

/** Ends the time of all toasts of the customer’s page. */
async function endToasts(): Promise<void> {
  // While the pointer is on one of them they all stay.
  await page.mouse.move(0, SIZES[0].height - 1);
  const left = async (): Promise<number> => {
    await closing.end();
    return toasts(page).count();
  };
  await expect.poll(left).toBe(0);
}

/** Goes to a page of the customer’s, without the toasts of the one before. */
async function visit(path: string, button: string): Promise<void> {
  await endToasts();
  await goWithin(page, path);
  await page.getByRole('button', { name: button }).first().waitFor();
}

// Shows facts 8.01, 8.06.
test('the toast after a log-in stands at top right and covers nothing', async () => {
  await page.getByRole('button', { name: /^Menu/ }).waitFor();
  await expect(expectNoneCovered(page)).resolves.toBeUndefined();
  await page.setViewportSize({ width: 1280, height: 900 });
  const toast = toasts(page).filter({ hasText: 'Successfully logged in' });
  const isInCorner = async (): Promise<boolean> => {
    const place = await toast.boundingBox();
    return place !== null && place.y < 120 && place.x + place.width > 1280 - 60;
  };
  await expect.poll(isInCorner).toBe(true);
  await page.setViewportSize(SIZES[0]);
});

test('toasts after saving details cover nothing, three too', async () => {
  await visit('/my-settings', 'Save details');
  const save = page.getByRole('button', { name: 'Save details' });
  await save.click();
  await expect(expectNoneCovered(page)).resolves.toBeUndefined();
  for (const count of [2, 3]) {
    await save.click();
    await expect.poll(() => toasts(page).count()).toBe(count);
  }
  await expect(expectNoneCovered(page, 3)).resolves.toBeUndefined();
});

test('the toast of a code that was sent covers nothing', async () => {
  await visitor.goto(`${shared.product.url}/verify-email`);
  await visitor.getByLabel('Email', { exact: true }).fill('forgets.it@example.test');
  await visitor.getByRole('button', { name: 'Send Verification Email' }).click();
  await visitor.getByRole('heading', { name: 'Enter OTP', level: 1 }).waitFor();
  await expect(expectNoneCovered(visitor)).resolves.toBeUndefined();
});

// Shows facts 1.16, 2.07, 2.56, 2.83, 4.05, 8.10, 8.11.
test('a toast covers nothing of a dialog', async () => {
  await visit('/my-subscriptions', 'Add account');
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add new Instagram account' });
  await dialog.getByLabel('Instagram username', { exact: true }).fill(unpaid.igUsername);
  await dialog.getByRole('button', { name: 'Look up' }).click();
  await expect(expectNoneCovered(page)).resolves.toBeUndefined();
  const toast = page.locator('[data-toast="good"]');
  for (const part of [
    dialog.getByRole('heading', { level: 2 }),
    dialog.getByRole('button', { name: 'Close' }),
  ]) {
    const roomBetween = async (): Promise<number> => {
      const [above, below] = [await toast.boundingBox(), await part.boundingBox()];
      return above && below ? below.y - above.y - above.height : -Infinity;
    };
    await expect.poll(roomBetween).toBeGreaterThanOrEqual(0);
  }
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a toast that comes late and goes by itself shifts no layout', async () => {
  await visit('/my-settings', 'Save details');
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
  const toast = toasts(page);
  await page.getByRole('button', { name: 'Save details' }).click();
  await toast.waitFor();
  const title = page.getByRole('heading', { level: 1 });
  await expect.poll(async () => (await title.boundingBox())?.y ?? 0).toBeGreaterThan(120);
  await endToasts();
  await expect.poll(async () => (await title.boundingBox())?.y ?? 0).toBeLessThan(100);
  expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual(
    [],
  );
});

test('a bar at the foot of the screen stays there, with a toast, which covers nothing, and without', async () => {
  const checkout = visitor;
  await loggedIn(checkout, unpaid, '/subscription');
  await checkout.getByRole('heading', { level: 1 }).waitFor();
  await expect(expectNoneCovered(checkout)).resolves.toBeUndefined();
  await expect.poll(() => covered(checkout)).toEqual([]);
  await checkout.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const bar = checkout.getByRole('button', { name: /^Confirm & Pay/ }).locator('xpath=../..');
  const foot = async (): Promise<number> => {
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    return Math.round(y + height);
  };
  expect(await foot()).toBe(SIZES[0].height);
  await toasts(checkout).getByRole('button', { name: 'Close' }).click();
  await toasts(checkout).waitFor({ state: 'detached' });
  await expect.poll(foot).toBe(SIZES[0].height);
});
