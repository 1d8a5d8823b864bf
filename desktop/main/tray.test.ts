import { expect, test } from 'vitest';
import type { SyncState } from '#shared/platform.ts';
import { createTrayState, trayLine, trayTemplate } from './tray.ts';

test('after a log-out the tray no longer says how the copy stood, and takes it up at the next log-in', () => {
  const shown: (SyncState | undefined)[] = [];
  const tray = createTrayState((state) => void shown.push(state));
  const state = { sync: 'offline', pending: 2 } as const;
  tray.setListening(true);
  tray.show(state);
  tray.setListening(false);
  expect(shown).toEqual([undefined, undefined, state, undefined]);
  tray.setListening(true);
  expect(shown.at(-1)).toEqual(state);
});

test('with nobody logged in there is nothing to sync', () => {
  const actions = { show: () => undefined, command: () => undefined, quit: () => undefined };
  const syncNow = (state: SyncState | undefined) =>
    trayTemplate(state, 'Ovation', actions).find(({ label }) => label === 'Sync now')?.enabled;
  expect([syncNow(undefined), syncNow({ sync: 'live', pending: 0 })]).toEqual([false, true]);
  expect(trayLine(undefined)).toBe('Not logged in');
});
