import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { areNewColours } from './new-colours.ts';
import { areNewParts } from './new-parts.ts';

/** The small one: every page that is looked at reads it anew. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
type Rules = 'all' | 'changed' | 'colours' | 'forced';

/** What a page keeps of what axe has let pass, until it is loaded anew. */
export interface Kept {
  axe?: typeof axe;
  passedColours?: Set<string>;
  rememberColours?: (passed: Element[]) => void;
  passedParts?: Set<string>;
  rememberParts?: () => void;
}

/**
 * The page as it stands has no accessibility violation that axe can find; `changed`: where all was looked at in
 * another width; `colours`: none of its colours, where all else was looked at; `forced`: colors are the system's,
 * and axe takes them for ours. Colours are most of what axe computes: on each page the same ones are looked at once.
 * @param part a selector of what is looked at
 */
export async function expectAccessible(
  page: Page,
  rules: Rules = 'all',
  part = 'html',
): Promise<void> {
  const look = async (): Promise<string[] | undefined> => {
    const hasColours = rules !== 'forced' && (await page.evaluate(areNewColours, part));
    const hasMore = rules !== 'colours' && (await page.evaluate(areNewParts, part));
    const isAllNeeded = hasMore || rules === 'all' || rules === 'forced';
    if (!isAllNeeded && !hasColours) return [];
    const only = isAllNeeded ? [] : COLOUR_RULES;
    return page.evaluate(findViolations, [rules, part, only, COLOUR_RULES] as const);
  };
  const violations = await look();
  if (violations === undefined) await page.evaluate(AXE);
  expect(violations ?? (await look())).toEqual([]);
}

/** Runs in the page; nothing where it has no axe yet. */
async function findViolations([rules, part, only, colourRules]: readonly [
  Rules,
  string,
  string[],
  string[],
]): Promise<string[] | undefined> {
  const kept = globalThis as unknown as Kept;
  if (!kept.axe) return undefined;
  const isForced = rules === 'forced';
  kept.axe.configure({
    rules: [
      { id: 'color-contrast', selector: '[data-new-colours]', enabled: !isForced },
      { id: 'link-in-text-block', selector: isForced ? 'a[href]' : 'a[href][data-new-colours]' },
    ],
  });
  const found = await kept.axe.run(part, {
    elementRef: true,
    selectors: false,
    ...(only.length > 0 && { runOnly: only }),
  });
  const ofColours = (results: axe.Result[]): Element[] =>
    results
      .filter(({ id }) => colourRules.includes(id))
      .flatMap(({ nodes }) => nodes.flatMap(({ element }) => element ?? []));
  const doubtful = new Set(ofColours([...found.violations, ...found.incomplete]));
  kept.rememberColours?.(ofColours(found.passes).filter((element) => !doubtful.has(element)));
  if (only.length === 0 && found.violations.length === 0) kept.rememberParts?.();
  return found.violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`);
    return `${id}: ${places.join(' | ')}`;
  });
}
