import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Product, startEmbedded } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { signedInPage } from './subscriber.ts';

const PASTED = 'a pasted pass phrase 👏 of forty characters';
let browser: Browser;
let product: Product;

beforeAll(async () => {
  [product, browser] = await Promise.all([startEmbedded(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

async function pageFor(path: string): Promise<Page> {
  const journeys = { browser, product, sandbox: sandboxControl(product.sandboxUrl) };
  const page =
    path === '/my-settings'
      ? (await signedInPage(journeys, 'keeps.secrets')).page
      : await (await browser.newContext()).newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(product.url + path);
  return page;
}

test.each([
  ['/login', { Password: 'current-password' }],
  ['/signup', { Password: 'new-password' }],
  [
    '/my-settings',
    {
      'Current password': 'current-password',
      'New password': 'new-password',
      'Confirm password': 'new-password',
      'Your password, to delete the account': 'current-password',
    },
  ],
])(
  'each password field of %s is masked, shows itself on request, takes a paste, and is named to password managers',
  async (path, fields) => {
    const page = await pageFor(path);
    await page.getByRole('main').waitFor();
    if (path === '/my-settings') await page.getByRole('button', { name: 'Delete account' }).click();
    await page.evaluate((text) => navigator.clipboard.writeText(text), PASTED);
    for (const [label, autocomplete] of Object.entries(fields)) {
      const field = page.getByLabel(label, { exact: true });
      expect(await field.getAttribute('type')).toBe('password');
      expect(await field.getAttribute('autocomplete')).toBe(autocomplete);
      await field.focus();
      await page.keyboard.press('ControlOrMeta+V');
      expect(await field.inputValue()).toBe(PASTED);
      const show = field.locator('xpath=ancestor::*[.//button][1]').getByRole('button');
      await show.click();
      expect(await field.getAttribute('type')).toBe('text');
      await show.click();
      expect(await field.getAttribute('type')).toBe('password');
    }
    // No other field of the page takes a password.
    const masked = await page.locator('input[type="password"]').count();
    expect(masked).toBe(Object.keys(fields).length);
    await page.context().close();
  },
);
