import { expect, test } from 'vitest';
import { keepLooking } from './keep-looking.ts';
import { createUpdates, type Updater } from './updates.ts';

test('an app that runs for weeks finds what came out after its start', async () => {
  let isOut = false;
  const updater: Updater = {
    checkForUpdates: async () => ({
      isUpdateAvailable: isOut,
      updateInfo: { version: '2.0.0' },
    }),
    quitAndInstall: () => undefined,
    on: () => undefined,
  };
  const states: string[] = [];
  const updates = createUpdates(updater, {
    onChange: ({ kind }) => void states.push(kind),
    beforeRestart: () => undefined,
  });
  const timers: { delayMs: number; act: () => void }[] = [];
  keepLooking(updates, (delayMs, act) => void timers.push({ delayMs, act }));
  await expect.poll(() => states).toEqual(['none']);
  isOut = true;
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([6 * 60 * 60 * 1000]);
  timers[0]?.act();
  await expect.poll(() => states).toEqual(['none', 'downloading']);
});
