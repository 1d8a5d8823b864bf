import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Presses a button whose call is held back: it shows that it works and can't be pressed, and is as
 * before once the call has failed.
 */
export async function expectLoads(page: Page, button: Locator, call: string): Promise<void> {
  const held = Promise.withResolvers<void>();
  await page.route(
    call,
    async (route) => {
      await held.promise;
      await route.abort();
    },
    { times: 1 },
  );
  expect(await button.getAttribute('data-loading')).toBeNull();
  await button.click();
  await expect.poll(() => button.getAttribute('data-loading')).toBe('true');
  expect(await button.isDisabled()).toBe(true);
  held.resolve();
  await expect.poll(() => button.getAttribute('data-loading')).toBeNull();
  expect(await button.isEnabled()).toBe(true);
}
