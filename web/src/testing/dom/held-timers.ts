import { onTestFinished } from 'vitest';

/** What a page would do by itself after a time, which here ends when the test says so. */
export interface HeldTimers {
  /** How many of them the page has set and not taken back. */
  count: () => number;
  /** The time is over. */
  end: () => void;
}

/** From now on the page's timers of exactly this length wait for the test. */
export function holdTimers(heldMs: number): HeldTimers {
  const held = new Map<unknown, () => void>();
  const { setTimeout: later, clearTimeout: never } = globalThis;
  onTestFinished(() => void Object.assign(globalThis, { setTimeout: later, clearTimeout: never }));
  const set = (work: () => void, delayMs?: number, ...rest: unknown[]): unknown => {
    if (delayMs !== heldMs) return later(work, delayMs, ...rest);
    // No number: pages clear -1 where they have set nothing.
    const id = {};
    held.set(id, work);
    return id;
  };
  const clear = (id?: Parameters<typeof clearTimeout>[0]): void => {
    if (!held.delete(id)) never(id);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    count: () => held.size,
    end: () => {
      const works = [...held.values()];
      held.clear();
      for (const work of works) work();
    },
  };
}
