import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectStart } from '../testing/expect-start.ts';
import { runMain, runTimes } from '../testing/run-main.ts';
import {
  ANOTHER_START,
  KEPT_SESSION,
  MOVED,
  BAD_DAY,
  FALSE_UPDATES,
  HELD_UP_UPDATES,
  ONE_INSTANCE,
  OTHER_UPDATERS,
  PROXIES,
  PROXY_WITH_PASSWORD,
  SESSION_WITHOUT_KEYRING,
  UNSEEN,
  UNSEEN_WITHOUT_TRAY,
  UPDATE,
  UPDATE_REFUSED,
  wantedDesk,
  WINDOWS,
} from '../testing/wanted-lives.ts';
import {
  ENDS_WITH_WINDOW,
  FULL_DISK,
  READ_ONLY,
  UNSEEN_ON_MAC,
} from '../testing/wanted-troubles.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

test('the app starts though Electron is ready only after its entry, opens its window and quits', async () => {
  const run = await runMain(MAIN);
  expectStart(run);
  expect(run.facts['errors']).toEqual([]);
});

test('an entry that waits for Electron to be ready is found out', async () => {
  const entry = join(import.meta.dirname, '../testing/waiting-entry.ts');
  await expect(runMain(entry)).rejects.toThrow('unsettled top-level await');
});

test('a second instance ends at once, without a window or a setting', async () => {
  const { facts, settings } = await runMain(MAIN, ONE_INSTANCE.world);
  expect(facts).toMatchObject(ONE_INSTANCE.facts);
  expect(settings).toBeUndefined();
});

test('a later start has the server and the place of the window', async () => {
  const [, again] = await runTimes(MAIN, [{}, ANOTHER_START.world]);
  expect(again?.facts).toMatchObject(ANOTHER_START.facts);
});

test.each([
  ['the session is kept behind the keyring, and goes with its server', KEPT_SESSION],
  ['without a real keyring no session is on the disk, and the app works', SESSION_WITHOUT_KEYRING],
  ['tray, menu, notices and Linux reach the window, other pages nothing', wantedDesk('linux')],
  ['tray, menu, notices and macOS reach the window, other pages nothing', wantedDesk('darwin')],
  ['taskbar, tray, links and the start at log-in of Windows are served', WINDOWS],
  ['macOS can put an app where apps belong, from where it is updated', MOVED],
  ['a packaged app looks for updates by itself, and installs none unasked', UPDATE],
  ['an update that can not be installed is told, and the app goes on as before', UPDATE_REFUSED],
  ['an app that is to end with its window does so, but not when its page breaks', ENDS_WITH_WINDOW],
  [
    'what sleeps, hangs, is never ready or is refused by the system costs no more than itself',
    BAD_DAY,
  ],
])('%s', async (_name, { world, facts }) => {
  expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
});

test.each([
  ['calls to the server go by the proxy of the system, also one that speaks SOCKS', PROXIES],
  [
    'a proxy with a password is asked about, and its log-in kept behind the keyring',
    PROXY_WITH_PASSWORD,
  ],
])('%s', async (_name, { world, facts }) => {
  expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
});

test('on a full disk the app starts, and says what it can not keep', async () => {
  expect((await runMain(MAIN, FULL_DISK.world)).facts).toMatchObject(FULL_DISK.facts);
});

test('in a folder that is only read the app says so and ends, unlike a second start', async () => {
  expect((await runMain(MAIN, READ_ONLY.world)).facts).toMatchObject(READ_ONLY.facts);
});

test.each(FALSE_UPDATES)(
  'an update whose $world.updateLie is wrong is not taken',
  async ({ world, facts }) => {
    expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
  },
);

test.each(HELD_UP_UPDATES)(
  'an update held up by $world.updateLie is given up, and asked for afresh',
  async ({ world, facts }) => {
    expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
  },
);

test.each(OTHER_UPDATERS)('$world.platform has an updater of its own', async ({ world, facts }) => {
  expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
});

test('a package takes no updates from an address that anybody could stand in for', async () => {
  const { facts } = await runMain(MAIN, {
    life: 'an update',
    isPackaged: true,
    updateUrl: 'http://updates.example',
  });
  expect(facts).toMatchObject({
    told: { kind: 'not_configured' },
    asked: [],
    'started anew': false,
  });
});

test.each([
  ['out of sight until it is asked for', UNSEEN],
  ['in sight where no tray is', UNSEEN_WITHOUT_TRAY],
  ['out of sight on macOS too, which says it in its own way', UNSEEN_ON_MAC],
])('an app that the system starts at a log-in is %s', async (_how, { world, facts }) => {
  const [, started] = await runTimes(MAIN, [{}, world]);
  expect(started?.facts).toMatchObject(facts);
});

test('macOS is asked once, ever, whether the app may be put where apps belong', async () => {
  const runs = await runTimes(MAIN, [MOVED.world, MOVED.world]);
  expect(runs.map(({ facts }) => facts['asked'])).toEqual([MOVED.facts.asked, undefined]);
});

test('an app that can not start says why and ends', async () => {
  const { facts } = await runMain(MAIN, { isBroken: true });
  expect(facts['errors']).toEqual(['Ovation couldn’t start: Error: The scheme is taken']);
  expect(facts).toMatchObject({ windows: 0, all: expect.arrayContaining(['exit 1']) });
});
