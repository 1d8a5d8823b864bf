import { expect } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import type { Locator } from './locator.ts';
import type { Page } from './open-page.ts';

/** A button is idle; while its call is under way it loads and can't be pressed; afterwards it is as before. */
export async function expectLoads(page: Page, button: Locator, call: Call): Promise<void> {
  const release = page.server.holdNext(call);
  expect(await button.getAttribute('data-loading')).toBeNull();
  await button.click();
  await expect.poll(() => button.getAttribute('data-loading')).toBe('true');
  expect(await button.isEnabled()).toBe(false);
  release();
  await expect.poll(() => button.getAttribute('data-loading')).toBeNull();
  expect(await button.isEnabled()).toBe(true);
}
