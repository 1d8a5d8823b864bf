import { expect, test } from 'vitest';
import { openPage } from '#web/testing/dom/open-page.ts';
import { userExample } from '#web/testing/examples.ts';

const PASTED = 'a pasted pass phrase 👏 of forty characters';

test.each([
  ['/login', { Password: 'current-password' }],
  ['/signup', { Password: 'new-password' }],
  [
    '/my-settings',
    {
      'Current password': 'current-password',
      'New password': 'new-password',
      'Confirm password': 'new-password',
      'Your password, to delete your account': 'current-password',
    },
  ],
])(
  'each password field of %s is masked, shows itself on request, takes a paste, and is named to password managers',
  async (path, fields) => {
    const isSettings = path === '/my-settings';
    const page = await openPage(path, isSettings ? { user: userExample() } : {});
    if (isSettings) await page.button('Delete account').click();
    for (const [index, [label, autocomplete]] of Object.entries(fields).entries()) {
      const field = page.getByLabel(label, { exact: true });
      expect(await field.getAttribute('type')).toBe('password');
      expect(await field.getAttribute('autocomplete')).toBe(autocomplete);
      const element = await field.one();
      const paste = new Event('paste', { bubbles: true, cancelable: true });
      expect(element.dispatchEvent(paste), 'nothing keeps a paste away').toBe(true);
      await field.fill(PASTED);
      expect(await field.inputValue()).toBe(PASTED);
      const show = page.button('Show password').nth(index);
      await show.click();
      await expect.poll(() => field.getAttribute('type')).toBe('text');
      await show.click();
      await expect.poll(() => field.getAttribute('type')).toBe('password');
    }
    // No other field of the page takes a password.
    const masked = page.locator('input[type="password"]').count();
    expect(masked).toBe(Object.keys(fields).length);
  },
);
