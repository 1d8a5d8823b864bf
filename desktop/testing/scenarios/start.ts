/** How the app starts and ends, and what it keeps in between. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesSince, startFailure } from '../packaged-log.ts';
import { app, control, safeStorage } from '../fake-electron.ts';
import { SECRET, startFakeServer } from '../fake-server.ts';
import { record, world } from '../fake-world.ts';
import {
  aboutOf,
  callServer,
  change,
  choose,
  type Run,
  type Scenario,
  settled,
} from './scenario.ts';

const BEFORE_READY = ['scheme app', 'id app.ovation.desktop', 'userData -dev', 'crashes stay here'];
const PLACE = { x: 10, y: 20, width: 1000, height: 700 };

async function startFirst({ window, beforeReady, data }: Run): Promise<void> {
  deepEqual(beforeReady, BEFORE_READY);
  deepEqual(window.loaded, ['app://ovation/']);
  match(await (await control.fetch('app://ovation/')).text(), /<div id="root">/);
  match(aboutOf(window), /"hasServer":false/);
  ok(record.done.includes('permissions closed') && record.done.includes('requests closed'));
  window.draw();
  deepEqual(window.done, ['show', 'focus']);
  // Nothing that blocks is done while nobody sees a window.
  deepEqual(record.heldUp, []);
  const read = ['index.html', 'ovation.log', 'renderer', 'settings.json'];
  deepEqual([...record.read].sort(), read);

  const server = await startFakeServer();
  const second = await choose(server);
  const agents = server.calls.map(({ userAgent }) => userAgent);
  deepEqual(agents, ['Ovation/1.2.3 Electron/45.0.0 (Linux)']);
  match(aboutOf(second), /"hasServer":true/);
  const cleared = record.done.filter((step) => step.endsWith(' cleared'));
  deepEqual(cleared, ['storage cleared', 'cache cleared']);
  second.draw();
  app.emit('second-instance', {}, ['ovation', 'ovation://settings']);
  await control.ask('setListening', true);
  deepEqual(second.sent, [{ kind: 'open', path: '/my-settings' }]);
  equal(second.close(), 'kept');
  // Electron quits where nobody listens.
  ok(app.emit('window-all-closed') && !record.done.includes('quit'));
  app.quit();
  equal(second.close(), 'closed');
  // What stands in the environment counts for every connection of the process.
  equal(process.env['NODE_TLS_REJECT_UNAUTHORIZED'], undefined);
  const settings = JSON.parse(readFileSync(join(data, 'settings.json'), 'utf8')) as object;
  const { isMaximized, ...place } = Reflect.get(settings, 'place') as Record<string, unknown>;
  deepEqual([Reflect.get(settings, 'server'), place], [`http://${server.address}`, PLACE]);
  equal(isMaximized, false);
}

function startLater({ window }: Run): void {
  match(aboutOf(window), /"hasServer":true/);
  const { x, y, width, height } = window.options;
  deepEqual({ x, y, width, height }, PLACE);
}

function endAtOnce({ beforeReady, data }: Run): void {
  deepEqual(beforeReady, [...BEFORE_READY, 'quit']);
  deepEqual(app.eventNames(), []);
  deepEqual([record.windows.length, existsSync(join(data, 'settings.json'))], [0, false]);
}

/** What the disk keeps of a session, and who is sent it. */
async function keepSession({ data }: Run): Promise<void> {
  const [server, other] = [await startFakeServer(), await startFakeServer()];
  const file = join(data, 'session');
  await choose(server);
  const loggedIn = await callServer();
  await callServer('/user/before');
  deepEqual(loggedIn.headers.getSetCookie(), []);
  // The fixed password of a Linux without a keyring protects nothing: nothing is kept with it.
  const mayKeep = safeStorage.getSelectedStorageBackend() !== 'basic_text';
  // It is written behind the log-in's back.
  if (mayKeep) await settled(() => existsSync(file));
  equal(existsSync(file), mayKeep);
  if (mayKeep) ok(!readFileSync(file, 'utf8').includes(SECRET));
  await keepPictures(data);
  await control.ask('setTrayState', { sync: 'offline', pending: 2 });
  match(await change(other), /"hasServer":false,"presentServer":"http:\/\/127\.0\.0\.1:\d+"/);
  match(record.messages.at(-1)?.detail ?? '', /2 changes that haven’t reached it will be lost/);
  deepEqual([countPictures(data), existsSync(file)], [0, false]);
  await callServer('/user/elsewhere');
  await change(server);
  await callServer('/user/after');
  const cookies = [...server.calls, ...other.calls].filter(({ path }) => path.startsWith('/user/'));
  deepEqual(Object.fromEntries(cookies.map(({ path, cookie = null }) => [path, cookie])), {
    '/user/about': null,
    '/user/user/login': null,
    '/user/before': `sid=${SECRET}`,
    '/user/elsewhere': null,
    '/user/after': null,
  });
}

/** One is shown, and forgotten; another one is left. */
async function keepPictures(data: string): Promise<void> {
  const show = () => control.fetch('app://ovation/proxy/a1b2c3-signed?w=320');
  await show();
  equal(countPictures(data), 1);
  await control.ask('forgetPictures');
  equal(countPictures(data), 0);
  await show();
}

function countPictures(data: string): number {
  const folder = join(data, 'pictures');
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** Started by the system at a log-in: nobody waits for a window, but where no tray shows that the app runs. */
function startHidden({ window }: Run): void {
  window.draw();
  equal(window.isVisible(), !world.hasTray);
  app.emit('second-instance', {}, ['ovation']);
  equal(window.isVisible(), true);
}

/** The log before the window is drawn, and afterwards. */
async function readLog({ window, data }: Run): Promise<void> {
  const path = join(data, 'logs/ovation.log');
  const log = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const failure = (): string | undefined =>
    startFailure({ lines: linesSince(log(), 0), ended: undefined, isWayland: true });
  await settled(() => log() !== '');
  equal(failure(), 'No window came into sight.');
  window.draw();
  // Lines keep their order: with the last one all are there.
  app.emit('child-process-gone', {}, { type: 'GPU', reason: 'killed', exitCode: 9 });
  await settled(() => log().includes('GPU ended: killed, 9'));
  equal(failure(), undefined);
  equal(log().includes('The system gives this app no links'), !world.takesLinks);
}

/** macOS, started from where it was downloaded, from which no update can be installed: asked once, ever. */
const offerToMove =
  (isAsked: boolean) =>
  async ({ window }: Run): Promise<void> => {
    window.draw();
    await new Promise((resolve) => setImmediate(resolve));
    const question = isAsked ? 'Move Ovation to the Applications folder?' : undefined;
    deepEqual(
      [record.messages.at(-1)?.message, record.done.includes('moved')],
      [question, isAsked],
    );
  };

/** The person's folder takes nothing, but for the moment in which a server is chosen. */
async function useFullDisk({ window }: Run): Promise<void> {
  window.draw();
  const server = await startFakeServer();
  equal(await choose(server).catch(() => 'not chosen'), 'not chosen');
  equal(window.isVisible(), true);
  world.diskFailure = undefined;
  const second = await choose(server);
  world.diskFailure = 'ENOSPC';
  second.draw();
  await callServer();
  await callServer('/user/after');
  equal(server.calls.at(-1)?.cookie, `sid=${SECRET}`);
  const problems = async (): Promise<string> => String(await control.ask('readProblems'));
  await settled(async () => (await problems()) !== '');
  match(await problems(), /the session couldn’t be saved/);
  equal(second.close(), 'kept');
}

/** Nothing but the box is there. */
function endWithBox(): void {
  deepEqual([record.windows.length, record.done.includes('exit 1')], [0, true]);
}

const MAC = { platform: 'darwin', isPackaged: true } as const;

export const STARTS = {
  // What it reads until the window shows is told whatever it is.
  start: { play: ({ window }: Run): void => window.draw() },
  'first start': { play: startFirst },
  'later start': { after: 'first start', play: startLater },
  'second instance': { world: { hasLock: false }, play: endAtOnce },
  'session behind the keyring': { world: { keyring: 'gnome_libsecret' }, play: keepSession },
  'session without a keyring': { world: { keyring: 'basic_text' }, play: keepSession },
  'hidden start': {
    after: 'first start',
    world: { isAtLogin: true, isPackaged: true },
    play: startHidden,
  },
  'hidden start without a tray': {
    after: 'first start',
    world: { isAtLogin: true, isPackaged: true, hasTray: false },
    play: startHidden,
  },
  'hidden start on macOS': {
    after: 'first start',
    world: { ...MAC, isAtLogin: true },
    play: startHidden,
  },
  log: { world: { isPackaged: true }, play: readLog },
  'log without links': { world: { isPackaged: true, takesLinks: false }, play: readLog },
  'move to Applications': { world: MAC, play: offerToMove(true) },
  'move to Applications again': {
    after: 'move to Applications',
    world: MAC,
    play: offerToMove(false),
  },
  'full disk': {
    world: { keyring: 'gnome_libsecret', diskFailure: 'ENOSPC' },
    play: useFullDisk,
  },
  // Electron gives no lock there, as to a second start; but no other window comes up.
  'read-only folder': {
    world: { diskFailure: 'EROFS' },
    fails: /^Ovation couldn’t start: It can’t save anything in \/.+make this folder writable/,
    play: endWithBox,
  },
  'broken start': {
    world: { isBroken: true },
    fails: /^Ovation couldn’t start: Error: The scheme is taken$/,
    play: endWithBox,
  },
} satisfies Record<string, Scenario>;
