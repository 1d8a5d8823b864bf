import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The page, or a part of it, as it stands has no accessibility violation that axe can find. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (selector) => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const { violations: found } = await run(selector);
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, part);
  expect(violations).toEqual([]);
}
