import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { PLANS } from '#shared/domain/money/plans.ts';
import { expectAccessible } from './axe.ts';
import { shareProduct } from './share-product.ts';

const shared = shareProduct();
/** One visitor's page on a wide screen, for the first tests: each goes on where the one before was. */
let wide: Page;

beforeAll(async () => {
  wide = await open();
  shared.pages.splice(0);
  await isLive(wide);
});

async function open(options: BrowserContextOptions = {}, path = '/'): Promise<Page> {
  const context = await shared.browser.newContext({
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  shared.pages.push(page);
  await page.goto(`${shared.product.url}${path}`);
  return page;
}

const isLive = (page: Page): Promise<unknown> => page.locator('#pricing [data-live]').waitFor();
const selected = (page: Page): Promise<string | null> =>
  page.locator('#pricing [role="tab"][aria-selected="true"]').getAttribute('aria-label');
const pathname = (page: Page): string => new URL(page.url()).pathname;

// Shows facts 2.11, 2.12.
test('sections hero, features, services, pricing and faq are there; testimonials hides without entries', async () => {
  for (const id of ['hero', 'features', 'services', 'pricing', 'faq', 'contact']) {
    await expect.poll(() => wide.locator(`section#${id}`).count()).toBe(1);
  }
  await expect.poll(() => wide.locator('#testimonials').count()).toBe(0);
});

// Shows fact 2.13.
test('the head’s links scroll to Home, Features, Pricing and FAQs', async () => {
  const page = wide;
  const head = page.getByRole('banner');
  for (const [name, id] of [
    ['Features', 'features'],
    ['Pricing', 'pricing'],
    ['FAQs', 'faq'],
    ['Home', 'hero'],
  ] as const) {
    await head.getByRole('link', { name, exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${id}`);
    const section = page.locator(`#${id}`);
    await expect
      .poll(() => section.evaluate((one) => Math.abs(one.getBoundingClientRect().top)))
      .toBeLessThan(450);
  }
});

// Shows fact 2.33.
test('the FAQ has two columns of collapsible items on wide screens', async () => {
  const page = wide;
  const lefts = await page
    .locator('#faq details')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
  expect(new Set(lefts).size).toBe(2);
  const answer = page.getByText('There’s no monthly limit.');
  await expect.poll(() => answer.isVisible()).toBe(false);
  await page.getByText('How many posts are covered?').click();
  await answer.waitFor();
});

test('on a phone the head’s links stand in a menu that closes with the choice', async () => {
  const page = wide;
  await page.setViewportSize({ width: 390, height: 844 });
  const pricing = page.getByRole('banner').getByRole('link', { name: 'Pricing' });
  await expect.poll(() => pricing.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await pricing.click();
  await expect.poll(() => pricing.isVisible()).toBe(false);
  await expect.poll(() => new URL(page.url()).hash).toBe('#pricing');
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('axe finds nothing on the landing page, light and dark, wide and at 390 px', async () => {
  const page = wide;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page, colorScheme === 'light' ? 'all' : 'colours');
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(pathname(page)).toBe('/');
});

test('with the keyboard alone a visitor opens an answer, moves the prices and reaches sign-up', async () => {
  const page = wide;
  await page.getByText('Do videos get views?').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Every video gets one free view per like').waitFor();
  // It rests from now on.
  await page.locator('#pricing').getByRole('tab').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('#pricing').getByRole('button', { name: 'Next' }).focus();
  await page.keyboard.press('Enter');
  expect(await selected(page)).toBe(`${PLANS[1]?.description} likes per post`);
  await page.locator('[data-plan="5"] a').focus();
  await page.waitForFunction(() => {
    const card = document.querySelector('[data-plan="5"]')?.getBoundingClientRect();
    return card !== undefined && card.left >= 0 && card.right <= innerWidth;
  });
  await page.keyboard.press('Enter');
  await page.waitForURL('**/signup?package=5');
  expect(pathname(page)).toBe('/signup');
});

// Shows facts 2.14, 4.02, 4.04.
test('500 bonus credits count down from 5:00, a reload goes on; the sign-up page shows the same window and the username that was entered', async () => {
  const page = await open();
  const timer = page.getByRole('timer');
  const left = async (): Promise<number> => {
    // It is there, without a time, before the server has been asked.
    const shown = await page.waitForFunction(() => {
      const text = document.querySelector('[role="timer"]')?.textContent;
      return text && /\d+:\d\d/.exec(text)?.[0];
    });
    const [minutes = 0, seconds = 0] = String(await shown.jsonValue())
      .split(':')
      .map(Number);
    return minutes * 60 + seconds;
  };
  const first = await left();
  expect(first).toBeGreaterThan(270);
  expect(first).toBeLessThanOrEqual(300);
  await page.getByText('500 bonus credits with your first payment').waitFor();
  await page.waitForFunction(
    (before) => document.querySelector('[role="timer"]')?.textContent !== before,
    await timer.textContent(),
  );
  await page.reload();
  expect(await left()).toBeLessThan(first);
  await page.getByLabel('Your Instagram username').fill('ada.paints');
  await page.getByRole('button', { name: 'Get Started' }).click();
  await page.waitForURL('**/signup?igUsername=ada.paints');
  expect(await left()).toBeLessThan(first);
  await expect
    .poll(() => page.getByLabel('Instagram username', { exact: true }).inputValue())
    .toBe('ada.paints');
  await page.getByText('We watch @ada.paints').waitFor();
});

test('on a small screen the ring is to be seen without scrolling; it fills, rests, and is still under reduced motion', async () => {
  for (const [reducedMotion, running] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    const viewport = { width: 390, height: 844 };
    const context = await shared.browser.newContext({ viewport, reducedMotion });
    const page = await context.newPage();
    shared.pages.push(page);
    // Its motions begin and stand still: one that has ended is in no list of a page's motions.
    const session = await context.newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await page.goto(shared.product.url);
    const picture = page.locator('#hero figure svg');
    const box = await picture.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(844);
    const motions = await picture.evaluate((svg) =>
      svg.getAnimations({ subtree: true }).map(({ effect }) => effect?.getComputedTiming()),
    );
    expect(motions.length > 0).toBe(running);
    expect(motions.filter((timing) => timing?.iterations !== 1)).toEqual([]);
    expect(motions.filter((timing) => Number(timing?.endTime) > 3500)).toEqual([]);
  }
});

// Shows fact 7.15.
test('no request leaves for a third party, all JavaScript is at most 120 KB compressed, nothing shifts', async () => {
  const context = await shared.browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  shared.pages.push(page);
  // The fonts come when all has been drawn without them.
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await mayCome;
    await route.continue();
  });
  await page.goto(shared.product.url, { waitUntil: 'domcontentloaded' });
  await isLive(page);
  letCome();
  await page.waitForLoadState();
  const entries = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => ({
      url: entry.name,
      bytes: (entry as PerformanceResourceTiming).encodedBodySize,
    })),
  );
  expect(new Set(entries.map(({ url }) => new URL(url).origin))).toEqual(
    new Set([shared.product.url]),
  );
  const scripts = entries.filter(({ url }) => url.endsWith('.js'));
  expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(120_000);
  const shift = await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return new Promise<number>((resolve) => {
      let sum = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as { value?: number }).value ?? 0;
        // Entries come in the order in which they were given: with the mark all shifts are here.
        if (list.getEntriesByName('shifts-read').length > 0) resolve(sum);
      });
      observer.observe({ type: 'layout-shift', buffered: true });
      observer.observe({ type: 'mark' });
      performance.mark('shifts-read');
    });
  });
  expect(shift).toBeLessThanOrEqual(0.02);
});

test('the picture of the dashboard has its place before it has come', async () => {
  const context = await shared.browser.newContext({ viewport: { width: 820, height: 1180 } });
  const page = await context.newPage();
  shared.pages.push(page);
  const { promise: mayCome, resolve: letCome } = Promise.withResolvers<void>();
  await page.route('**/*.webp', async (route) => {
    await mayCome;
    await route.continue();
  });
  await page.goto(shared.product.url, { waitUntil: 'domcontentloaded' });
  const shown = page.locator('#features picture:visible');
  const height = (): Promise<number> => shown.evaluate((it) => it.getBoundingClientRect().height);
  const before = await height();
  letCome();
  await shown.locator('img').evaluate((it: HTMLImageElement) => it.decode());
  expect([before, before > 300]).toEqual([await height(), true]);
});
