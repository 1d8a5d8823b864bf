import type { Page } from 'playwright-core';

/** What a page would do by itself after a time, which here ends when the test says so. */
export interface HeldTimers {
  /** How many of them the page has set and not taken back. */
  count: () => Promise<number>;
  /** The time is over. */
  end: () => Promise<void>;
}

interface Holding {
  held: Map<number, () => void>;
}

/**
 * From now on the page's own timers of exactly this length wait for the test, here and on pages it loads:
 * what has to stand there for some seconds can then be looked at, however busy the machine is.
 */
export async function holdTimers(page: Page, delayMs: number): Promise<HeldTimers> {
  await page.addInitScript(hold, delayMs);
  await page.evaluate(hold, delayMs);
  return {
    count: () => page.evaluate(() => (globalThis as unknown as Holding).held.size),
    end: () =>
      page.evaluate(() => {
        const { held } = globalThis as unknown as Holding;
        const works = [...held.values()];
        held.clear();
        for (const work of works) work();
      }),
  };
}

function hold(heldMs: number): void {
  const held: Holding['held'] = new Map();
  const [later, never] = [setTimeout.bind(globalThis), clearTimeout.bind(globalThis)];
  let newest = 0;
  const set = (work: () => void, delayMs?: number): number => {
    if (delayMs !== heldMs) return Number(later(work, delayMs));
    // Real ones are positive.
    newest -= 1;
    held.set(newest, work);
    return newest;
  };
  const clear = (id?: number): void => {
    if (id === undefined || !held.delete(id)) never(id);
  };
  Object.assign(globalThis, { held, setTimeout: set, clearTimeout: clear });
}
