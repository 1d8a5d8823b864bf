import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtMain } from '../testing/built.ts';
import { openStage, playScenario } from '../testing/play.ts';
import { HELD_UP, WRONG_PARTS } from '../testing/fake-update-server.ts';
import { SCENARIOS } from '../testing/scenarios/table.ts';

const SOURCE = join(import.meta.dirname, 'main.ts');
const PLAYED = { read: expect.any(Array), heldUp: expect.any(Array) };

const RUNS = [
  [
    'the app starts though Electron is ready only after its entry, opens its window and quits',
    'first start',
  ],
  ['a second instance ends at once, without a window or a setting', 'second instance'],
  ['a later start has the server and the place of the window', 'later start'],
  [
    'the session is kept behind the keyring, and goes with its server',
    'session behind the keyring',
  ],
  [
    'without a real keyring no session is on the disk, and the app works',
    'session without a keyring',
  ],
  ['tray, menu, notices and Linux reach the window, other pages nothing', 'desk on Linux'],
  ['tray, menu, notices and macOS reach the window, other pages nothing', 'desk on macOS'],
  ['taskbar, tray, links and the start at log-in of Windows are served', 'desk on Windows'],
  ['macOS has the screens in the menu of the dock’s icon, which bring the window', 'dock'],
  ['macOS can put an app where apps belong, from where it is updated', 'move to Applications'],
  [
    'macOS is asked once, ever, whether the app may be put where apps belong',
    'move to Applications again',
  ],
  ['a packaged app looks for updates by itself, and installs none unasked', 'update'],
  ['an update that can not be installed is told, and the app goes on as before', 'update refused'],
  [
    'a package takes no updates from an address that anybody could stand in for',
    'update from anywhere',
  ],
  [
    'an app that is to end with its window does so, but not when its page breaks',
    'ends with its window',
  ],
  [
    'what sleeps, hangs, is never ready or is refused by the system costs no more than itself',
    'bad day',
  ],
  ['calls to the server go by the proxy of the system, also one that speaks SOCKS', 'proxies'],
  [
    'a proxy with a password is asked about, and its log-in kept behind the keyring',
    'proxy with a password',
  ],
  ['on a full disk the app starts, and says what it can not keep', 'full disk'],
  [
    'in a folder that is only read the app says so and ends, unlike a second start',
    'read-only folder',
  ],
  [
    'an app that the system starts at a log-in is out of sight until it is asked for',
    'hidden start',
  ],
  [
    'an app that the system starts at a log-in is in sight where no tray is',
    'hidden start without a tray',
  ],
  [
    'an app that macOS starts at a log-in is out of sight too, which macOS says in its own way',
    'hidden start on macOS',
  ],
  ['the log of a start says on what it runs, and when its window came into sight', 'log'],
  ['an AppImage that the system gives no links says so in its log', 'log without links'],
  ['an app that can not start says why and ends', 'broken start'],
] as const;
const SYSTEMS = ['win32', 'darwin'];

/** As it is shipped. */
let stage: ReturnType<typeof openStage>;
beforeAll(async () => {
  stage = openStage(join(await builtMain(), 'main/main.js'));
});
afterAll(() => stage.remove());

test.each(RUNS)('%s', async (_name, scenario) => {
  expect(await stage.play(scenario)).toEqual(PLAYED);
});

test.each(WRONG_PARTS)('an update whose %s is wrong is not taken', async (part) => {
  expect(await stage.play(`update with a wrong ${part}`)).toEqual(PLAYED);
});

test.each(HELD_UP)('an update held up by %s is given up, and asked for afresh', async (what) => {
  expect(await stage.play(`update held up by ${what}`)).toEqual(PLAYED);
});

test.each(SYSTEMS)('%s has an updater of its own', async (system) => {
  expect(await stage.play(`updater of ${system}`)).toEqual(PLAYED);
});

test('a main process that is not built starts', async () => {
  expect(await playScenario(SOURCE, 'start')).toEqual(PLAYED);
});

test('every scenario is played', () => {
  const played = [
    ...RUNS.map(([, scenario]) => scenario),
    ...WRONG_PARTS.map((part) => `update with a wrong ${part}`),
    ...HELD_UP.map((what) => `update held up by ${what}`),
    ...SYSTEMS.map((system) => `updater of ${system}`),
    'start',
  ];
  expect(played.toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
});

test('an entry that waits for Electron to be ready is found out', async () => {
  const entry = join(import.meta.dirname, '../testing/waiting-entry.ts');
  await expect(playScenario(entry, 'start')).rejects.toThrow('unsettled top-level await');
});

test('an app that does something else than a scenario wants is found out', async () => {
  const ended = join(import.meta.dirname, '../testing/ending-entry.ts');
  await expect(playScenario(ended, 'start')).rejects.toThrow('No window was opened');
});
