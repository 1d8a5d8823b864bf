import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shareProduct } from './share-product.ts';

const shared = shareProduct();

async function open(path: string, options = {}): Promise<Page> {
  const page = await (await shared.browser.newContext(options)).newPage();
  shared.pages.push(page);
  await page.goto(`${shared.product.url}${path}`);
  return page;
}

const PAGES = [
  ['/terms-of-service', 'Terms of service', 'In the first 30 days of a new subscription'],
  ['/privacy-policy', 'Privacy policy', 'Fonts, pictures and our own scripts come from here'],
] as const;

// Shows fact 2.03.
test.each(PAGES)(
  '%s is a readable text page without JavaScript that says who runs it',
  async (path, title, sentence) => {
    const page = await open(path, { javaScriptEnabled: false });
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    expect(await page.title()).toBe(`${title} · Ovation`);
    await expect.poll(() => page.locator('main').textContent()).toContain(sentence);
    await expect
      .poll(() => page.locator('[data-operator]').textContent())
      .toContain('is for trying it out');
    expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(
      `${shared.product.url}${path}`,
    );
    await expect.poll(() => page.locator('h2').count()).toBeGreaterThan(6);
    const lineWidth = await page
      .locator('main')
      .evaluate((main) => main.getBoundingClientRect().width);
    expect(lineWidth).toBeLessThan(720);
  },
);

test.each(PAGES)(
  '%s loads no script but the colour scheme’s, fits a phone and prints without its menus',
  async (path) => {
    const page = await open(path, { viewport: { width: 390, height: 844 } });
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((name) => name.endsWith('.js')),
    );
    expect(scripts).toEqual(['/color-scheme.js']);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: 'print' });
    await expect
      .poll(() => page.getByRole('contentinfo').getByRole('navigation').isVisible())
      .toBe(false);
    await expect.poll(() => page.locator('h1').isVisible()).toBe(true);
  },
);

test('the head of a legal page leads with the keyboard back to the prices', async () => {
  const page = await open('/privacy-policy', { viewport: { width: 1280, height: 900 } });
  await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/#pricing');
  await expect.poll(() => page.locator('#pricing').count()).toBe(1);
});
