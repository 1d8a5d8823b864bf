import type { Page } from 'playwright-core';

/** From now on notes for how long the page's own timers wait. @returns reads them, in milliseconds */
export async function noteTimers(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate(() => {
    const delays: unknown[] = [];
    const later = setTimeout.bind(globalThis);
    const noted = (work: () => void, delayMs?: number) => {
      delays.push(delayMs);
      return later(work, delayMs);
    };
    Object.assign(globalThis, { delays, setTimeout: noted });
  });
  return () => page.evaluate(() => (globalThis as unknown as { delays: unknown[] }).delays);
}
