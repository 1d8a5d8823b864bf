import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The small one: every page that is looked at reads it anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * The page as it stands has no accessibility violation that axe can find; `colours`: none of its colours,
 * where all else was looked at in others; `forced`: colors are the system's, and axe takes them for ours.
 * @param part a selector of what is looked at
 */
export async function expectAccessible(
  page: Page,
  rules: 'all' | 'colours' | 'forced' = 'all',
  part = 'html',
): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(AXE);
  const chosen = {
    all: {},
    colours: { runOnly: COLOUR_RULES },
    forced: { rules: { 'color-contrast': { enabled: false } } },
  }[rules];
  const violations = await page.evaluate(
    async ([within, which]) => {
      const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
      const { violations: found } = await run(within, { resultTypes: ['violations'], ...which });
      return found.map(({ id, nodes }) => {
        const places = nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`);
        return `${id}: ${places.join(' | ')}`;
      });
    },
    [part, chosen] as const,
  );
  expect(violations).toEqual([]);
}
