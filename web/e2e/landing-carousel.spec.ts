import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { overflow } from './overflow.ts';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { measureSlide } from './slide-time.ts';

const shared = shareProduct();
let browser: Browser;
let product: Product;
const pages: Page[] = [];
const BEGUN_AT = new Date('2026-11-20T12:00:00Z');

beforeAll(() => {
  ({ product, browser } = shared);
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

/** The landing page with its carousel alive; its own clock is the test's from the first script on. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  pages.push(page);
  await page.clock.install({ time: BEGUN_AT });
  await page.goto(`${product.url}/`);
  await page.locator('#pricing [data-live]').waitFor();
  return page;
}

const bullets = (page: Page) => page.locator('#pricing').getByRole('tab');
const selected = (page: Page): Promise<string | null> =>
  page.locator('#pricing [role="tab"][aria-selected="true"]').getAttribute('aria-label');

// Shows fact 2.20.
test('the pricing carousel shows one card, from 1200 px on three, and nothing wider than the page', async () => {
  const page = await open();
  const shown = (): Promise<number> =>
    page
      .locator('#pricing [role="group"]')
      .first()
      .evaluate((slide) => {
        const view = slide.parentElement?.parentElement;
        return Math.round((view?.clientWidth ?? 0) / slide.getBoundingClientRect().width);
      });
  for (const [width, cards] of [
    [320, 1],
    [1199, 1],
    [1200, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(shown).toBe(cards);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
});

// Shows facts 2.19, 2.22, 2.24.
test('bullets, arrows and arrow keys move the carousel, and a slide takes 600 ms', async () => {
  const page = await open({ viewport: { width: 390, height: 900 } });
  // Now it turns neither by itself nor at the machine's pace.
  await page.clock.pauseAt(BEGUN_AT.getTime() + 60 * 60_000);
  await expect.poll(() => bullets(page).count()).toBe(9);
  await bullets(page).first().click();
  await page.clock.runFor(2000);
  const times = [await measureSlide(page), await measureSlide(page), await measureSlide(page)];
  times.sort((a, b) => a - b);
  expect(times[1]).toBeGreaterThan(550);
  expect(times[1]).toBeLessThan(650);
  expect(await selected(page)).toBe('500 likes per post');
  await bullets(page).nth(6).click();
  expect(await selected(page)).toBe('3,000 likes per post');
  await bullets(page).nth(6).focus();
  await page.keyboard.press('ArrowLeft');
  expect(await selected(page)).toBe('1,500 likes per post');
  await page.locator('#pricing').getByRole('button', { name: 'Previous' }).click();
  expect(await selected(page)).toBe('1,000 likes per post');
});

// Shows facts 2.21, 2.23.
test('it turns by itself every 5 s, goes on after a click, and rests while hovered, focused, paused or under reduced motion', async () => {
  const page = await open();
  const expectRest = async (isResting: boolean): Promise<void> => {
    // What the pointer did is taken in a moment later; then screen readers are told, too.
    const live = isResting ? 'polite' : 'off';
    const status = page.locator(`#pricing [role="status"][aria-live="${live}"]`);
    await status.waitFor({ state: 'attached' });
    const before = await selected(page);
    await page.clock.fastForward(6000);
    await expect.poll(async () => (await selected(page)) === before).toBe(isResting);
  };
  await expectRest(false);
  await page.locator('#pricing').getByRole('button', { name: 'Next' }).click();
  await page.mouse.move(0, 0);
  await expectRest(false);
  // Its middle: a card of it is out of sight until its turn comes.
  await page.locator('#pricing [data-live]').hover();
  await expectRest(true);
  await page.mouse.move(0, 0);
  await expectRest(false);
  await bullets(page).first().focus();
  await page.keyboard.press('Home');
  await expectRest(true);
  await page.locator('body').evaluate(() => (document.activeElement as HTMLElement).blur());
  await expectRest(false);
  await page.locator('#pricing').getByRole('button', { name: 'Pause' }).click();
  await page.mouse.move(0, 0);
  await expectRest(true);
  const still = await open({ reducedMotion: 'reduce' });
  const before = await selected(still);
  await still.clock.fastForward(6000);
  expect(await selected(still)).toBe(before);
});
