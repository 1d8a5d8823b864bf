import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { expectStart } from '../testing/expect-start.ts';
import { runMain, runTimes } from '../testing/run-main.ts';
import {
  ANOTHER_START,
  BAD_DAY,
  FALSE_UPDATES,
  HELD_UP_UPDATES,
  KEPT_SESSION,
  ONE_INSTANCE,
  OTHER_UPDATERS,
  PROXIES,
  PROXY_WITH_PASSWORD,
  SESSION_WITHOUT_KEYRING,
  UPDATE,
  UPDATE_REFUSED,
  wantedDesk,
  WINDOWS,
} from '../testing/wanted-lives.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'out/tried');
const MAIN = join(OUT, 'main/main.js');

beforeAll(async () => {
  const cli = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js');
  const config = join(ROOT, 'desktop/testing/main-only.vite.config.ts');
  await promisify(execFile)(process.execPath, [cli, 'build', '-c', config], { cwd: ROOT });
  await mkdir(join(OUT, 'renderer'), { recursive: true });
  await writeFile(join(OUT, 'renderer/index.html'), '<div id="root"></div>');
});

test('the built main process starts: it opens the window, serves its pages and quits', async () => {
  const run = await runMain(MAIN);
  expectStart(run);
  expect(run.facts['errors']).toEqual([]);
});

test('the built main process stands where the one before stood, with its server', async () => {
  const [, again] = await runTimes(MAIN, [{}, ANOTHER_START.world]);
  expect(again?.facts).toMatchObject(ANOTHER_START.facts);
});

test.each([
  ['is one instance', ONE_INSTANCE],
  ['keeps the session behind the keyring, and forgets it with its server', KEPT_SESSION],
  ['keeps no session without a real keyring', SESSION_WITHOUT_KEYRING],
  ['is reached by tray, menu, notices and Linux, by other pages not', wantedDesk('linux')],
  ['is reached by tray, menu, notices and macOS, by other pages not', wantedDesk('darwin')],
  ['is served with taskbar, links and the start at log-in on Windows', WINDOWS],
  ['goes by the proxies of the system', PROXIES],
  ['asks for the log-in of a proxy, and keeps it', PROXY_WITH_PASSWORD],
  ['takes an update by its own updater', UPDATE],
  ['goes on when an update can not be installed', UPDATE_REFUSED],
  ['goes on after sleep, a hung page and what the system refuses', BAD_DAY],
])('the built main process %s', async (_name, { world, facts }) => {
  expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
});

test.each(FALSE_UPDATES)(
  'the built main process takes no update whose $world.updateLie is wrong',
  async ({ world, facts }) => {
    expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
  },
);

test.each(HELD_UP_UPDATES)(
  'the built main process gives an update up that $world.updateLie holds up, and asks afresh',
  async ({ world, facts }) => {
    expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
  },
);

test.each(OTHER_UPDATERS)(
  'the built main process asks by the updater of $world.platform',
  async ({ world, facts }) => {
    expect((await runMain(MAIN, world)).facts).toMatchObject(facts);
  },
);
