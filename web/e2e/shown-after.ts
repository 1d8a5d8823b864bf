import type { BrowserContext, Page } from 'playwright-core';

/** What has to stand on a page before it counts as open. */
export interface Wanted {
  /** With its query, as it is opened. */
  path: string;
  selector: string;
  /** What the element says, or holds as its value; empty: anything. */
  text: string;
}

/**
 * Makes every page of the context note when what is wanted at its address was painted, so that the
 * test's own calls cost the page nothing.
 */
export async function noteWhenShown(
  context: BrowserContext,
  wanted: readonly Wanted[],
): Promise<void> {
  await context.addInitScript((all: readonly Wanted[]) => {
    const here = location.pathname + location.search;
    const mine = all.find(({ path }) => path === here);
    const isShown = (): boolean => {
      if (!mine) return document.readyState === 'complete';
      return [...document.querySelectorAll(mine.selector)].some(
        (element) =>
          element.checkVisibility() &&
          ((element.textContent ?? '').includes(mine.text) ||
            (element instanceof HTMLInputElement && element.value === mine.text)),
      );
    };
    const look = (): void => {
      if (!isShown()) return void requestAnimationFrame(look);
      // Behind the frame in which it was found, so that it has been painted.
      requestAnimationFrame(() =>
        setTimeout(() => Object.assign(globalThis, { shownAtMs: performance.now() }), 0),
      );
    };
    requestAnimationFrame(look);
  }, wanted);
}

/** Opens an address anew; how long after the start of its navigation it was shown, ms. */
export async function shownAfter(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(
    () => (globalThis as { shownAtMs?: number }).shownAtMs,
    undefined,
    { timeout: 60_000, polling: 50 },
  );
  return Number(await handle.jsonValue());
}
