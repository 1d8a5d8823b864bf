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
  const chosen = {
    all: {},
    colours: { runOnly: COLOUR_RULES },
    forced: { rules: { 'color-contrast': { enabled: false } } },
  }[rules];
  const look = (): Promise<string[] | undefined> =>
    page.evaluate(
      async ([within, which]) => {
        const there = (globalThis as unknown as { axe?: typeof axe }).axe;
        const found = await there?.run(within, { resultTypes: ['violations'], ...which });
        return found?.violations.map(({ id, nodes }) => {
          const places = nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`);
          return `${id}: ${places.join(' | ')}`;
        });
      },
      [part, chosen] as const,
    );
  const violations = await look();
  if (violations === undefined) await page.evaluate(AXE);
  expect(violations ?? (await look())).toEqual([]);
}
