import { expect, test } from 'vitest';
import type { SyncState } from '#shared/platform.ts';
import { createTrayState, trayLine, trayTemplate } from './tray.ts';

test('after a log-out the tray no longer says how the copy stood, and nothing counts as lost with it', () => {
  const shown: (SyncState | undefined)[] = [];
  const tray = createTrayState((state) => void shown.push(state));
  const [state, next] = [
    { sync: 'offline', pending: 2 },
    { sync: 'live', pending: 0 },
  ] as const;
  tray.setListening(true);
  tray.show(state);
  expect(tray.told()).toEqual(state);
  tray.setListening(false);
  expect(shown).toEqual([undefined, undefined, state, undefined]);
  expect(tray.told()).toBeUndefined();
  // The next one who logs in may be somebody else; the UI tells before it listens.
  tray.show(next);
  tray.setListening(true);
  expect([shown.at(-1), tray.told()]).toEqual([next, next]);
});

test('with nobody logged in there is nothing to sync', () => {
  const actions = { show: () => undefined, command: () => undefined, quit: () => undefined };
  const syncNow = (state: SyncState | undefined) =>
    trayTemplate(state, 'Ovation', actions).find(({ label }) => label === 'Sync now')?.enabled;
  expect([syncNow(undefined), syncNow({ sync: 'live', pending: 0 })]).toEqual([false, true]);
  expect(trayLine(undefined)).toBe('Not logged in');
});
