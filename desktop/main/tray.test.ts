import { expect, test } from 'vitest';
import type { SyncState } from '#shared/platform.ts';
import { createTrayState, hasTrayHost, trayLine, trayTemplate } from './menu.ts';

test('after a log-out the tray no longer says how the replica stood, and nothing counts as lost with it', () => {
  const shown: (SyncState | undefined)[] = [];
  const tray = createTrayState();
  tray.open({ show: (state) => void shown.push(state), setNews: () => undefined });
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

test('the icon says that there are news until they are seen, and after a log-out nothing', () => {
  const news: boolean[] = [];
  const tray = createTrayState();
  tray.setNews(true);
  tray.open({ show: () => undefined, setNews: (are) => void news.push(are) });
  for (const are of [true, false, true]) tray.setNews(are);
  tray.setListening(false);
  expect(news).toEqual([true, false, true, false]);
});

test.each([
  ['linux', 'method return\n   variant       boolean true\n', true],
  ['linux', 'method return\n   variant       boolean false\n', false],
  ['linux', new Error('Error org.freedesktop.DBus.Error.ServiceUnknown: no such name'), false],
  ['linux', new Error('spawn dbus-send ENOENT'), true],
  ['win32', new Error('not asked'), true],
] as const)(
  'on %s, where the session answers %j, a tray is seen: %s',
  async (system, answer, is) => {
    const run = async (): Promise<string> => {
      if (typeof answer === 'string') return answer;
      throw answer;
    };
    expect(await hasTrayHost(system, run)).toBe(is);
  },
);
