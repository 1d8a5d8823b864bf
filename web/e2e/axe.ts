import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The page, or a part of it, as it stands has no accessibility violation that axe can find. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (selector) => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const { violations: found } = await run(selector, { resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => {
      const places = nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`);
      return `${id}: ${places.join(' | ')}`;
    });
  }, part);
  expect(violations).toEqual([]);
}
