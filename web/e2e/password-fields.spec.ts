import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startEmbedded } from './product.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';

const shared = shareProduct(startEmbedded);

const PASTED = 'a pasted pass phrase 👏 of forty characters';

async function pageFor(path: string): Promise<Page> {
  const page =
    path === '/my-settings'
      ? (await signedInPage(shared, 'keeps.secrets')).page
      : await (await shared.browser.newContext()).newPage();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(shared.product.url + path);
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
