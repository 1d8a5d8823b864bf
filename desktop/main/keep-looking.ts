import type { Updates } from './updates.ts';

/** An app in the tray runs for weeks. */
const LOOK_EVERY_MS = 6 * 60 * 60 * 1000;

/** Looks for an update at once and then every six hours; `every` calls back until the app ends. */
export function keepLooking(
  updates: Pick<Updates, 'check'>,
  every: (delayMs: number, act: () => void) => void,
): void {
  const look = (): void => void updates.check();
  look();
  every(LOOK_EVERY_MS, look);
}
