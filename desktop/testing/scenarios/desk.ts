/** What a person does with the app at a desk, and what the system around it does. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type MenuItem, press } from '../fake-desktop.ts';
import { app, control, frameOf, powerMonitor } from '../fake-electron.ts';
import { startFakeServer } from '../fake-server.ts';
import { record, world } from '../fake-world.ts';
import { aboutOf, choose, type Run, type Scenario, settled } from './scenario.ts';

const trayMenu = (): MenuItem[] => record.trays[0]?.menu ?? [];
const done = (word: string): string[] => record.done.filter((step) => step.includes(word));

async function useDesk({ window }: Run): Promise<void> {
  const isMac = world.platform === 'darwin';
  window.draw();
  await control.ask('setListening', true);
  await refuseFrames();
  await startAtLogin(window);
  const brings = (act: () => void, isBrought = true): void => {
    window.close();
    equal(window.isVisible(), false);
    act();
    equal(window.isVisible(), isBrought);
  };
  brings(() => app.emit('activate'));
  const [tray] = record.trays;
  // On macOS a click opens the tray's menu.
  brings(() => tray?.emit('click'), !isMac);
  brings(() => press(trayMenu(), 'Dashboard'));
  await control.ask('notify', { title: 'New post', body: 'by anna', path: '/post/7' });
  const [notice] = record.notices;
  deepEqual([notice?.isShown, notice?.told], [true, { title: 'New post', body: 'by anna' }]);
  brings(() => notice?.emit('click'));
  brings(() => press(record.menu, 'Billing'));
  await control.ask('setTrayState', { sync: 'offline', pending: 1 });
  equal(tray?.tip, 'Ovation: Offline, 1 change waiting');
  press(trayMenu(), 'Sync now');
  const isCommand = (told: unknown): boolean => ['open', 'sync_now'].includes(Object(told).kind);
  const paths = ['/my-billing', '/dashboard', '/post/7', '/my-billing'];
  deepEqual(
    window.sent.filter(isCommand),
    // The first is the link that came before the app was ready.
    [...paths.map((path) => ({ kind: 'open', path })), { kind: 'sync_now' }],
  );
  await showNews(window);
  await askAndQuit(window);
}

/** Who is not listened to. */
async function refuseFrames(): Promise<void> {
  const frames = {
    'a frame inside of the window': frameOf('app://ovation/', frameOf('app://ovation/')),
    'another host': frameOf('https://elsewhere.example/'),
    'another scheme': frameOf('file:///etc/passwd'),
    'an answer of the server': frameOf('app://ovation/user/page'),
    'a frame that has gone': null,
  };
  for (const [name, frame] of Object.entries(frames)) {
    const answer = await control.askAs(frame, 'readUpdate').catch(() => 'refused');
    equal(answer, 'refused', name);
  }
}

/** Run from its sources it leaves links and, but on Linux, the start at log-in to the installed app. */
async function startAtLogin(window: Run['window']): Promise<void> {
  const isLinux = world.platform === 'linux';
  deepEqual(done('links '), world.isPackaged ? ['links ovation'] : []);
  const isOffered = isLinux || world.isPackaged;
  match(aboutOf(window), new RegExp(`"hasNoLoginItems":${!isOffered}`));
  equal(await control.ask('readStartAtLogin'), false);
  for (const isOn of [true, false]) {
    equal(await control.ask('setStartAtLogin', isOn), isOn && isOffered);
    // On Linux it is an entry among the programs of the desktop.
    equal(world.opensAtLogin, isOn && isOffered && !isLinux);
  }
}

async function showNews(window: Run['window']): Promise<void> {
  await control.ask('setBadge', 3);
  const isMac = world.platform === 'darwin';
  const icon = String(record.trays[0]?.image).split('/').at(-1);
  equal(icon, isMac ? 'trayNewsTemplate.png' : 'trayNews.png');
  const badges = window.done.filter((step) => step.includes('badge'));
  if (world.platform !== 'win32') return ok(record.done.includes('badge 3'));
  deepEqual(badges, ['no badge', 'badge: 3 new notifications']);
  match(done('notices ').join(), /^notices \{[0-9a-f-]{36}\}$/);
  deepEqual(done('task '), ['task ovation://dashboard', 'task ovation://billing']);
}

async function askAndQuit(window: Run['window']): Promise<void> {
  await control.ask('saveFile', { name: 'a.csv', content: 'a' });
  await control.ask('saveFile', { name: 'b.csv', content: 'b' });
  // The folder of the time before.
  deepEqual(done('save '), ['save a.csv', 'save /b.csv']);
  press(record.menu, 'About Ovation');
  ok(record.done.includes('about'));
  press(record.menu, 'Check for updates');
  await settled(() => record.messages.length > 0);
  if (!world.isPackaged)
    equal(record.messages.at(-1)?.message, 'This app doesn’t check for updates');
  await control.ask('setListening', false);
  equal(record.trays[0]?.tip, 'Ovation: Not logged in');
  if (world.platform !== 'win32') ok(record.done.includes('badge 0'));
  press(trayMenu(), 'Quit');
  ok(record.done.includes('quit'));
  equal(window.close(), 'closed');
}

/** macOS: each of the screens in the menu of the dock's icon. */
async function useDock({ window }: Run): Promise<void> {
  window.draw();
  await control.ask('setListening', true);
  window.close();
  const before = window.sent.length;
  for (const { label = '' } of record.dock) press(record.dock, label);
  deepEqual(
    record.dock.map(({ label }) => label),
    ['Dashboard', 'Billing'],
  );
  deepEqual(window.sent.slice(before), [
    { kind: 'open', path: '/dashboard' },
    { kind: 'open', path: '/my-billing' },
  ]);
  equal(window.isVisible(), true);
}

/** The person has chosen that the app ends with its window: a page that breaks is opened anew, and ends nothing. */
async function endWithWindow({ window }: Run): Promise<void> {
  window.draw();
  await control.ask('setKeepRunning', false);
  const next = control.nextWindow();
  window.breakDown('crashed');
  const second = await next;
  second.draw();
  deepEqual([record.done.includes('quit'), second.isVisible()], [false, true]);
  equal(second.close(), 'closed');
  equal(record.done.includes('quit'), true);
}

/** A computer whose window is never told to be ready, that sleeps, and whose page hangs: the app goes on. */
async function goWrong({ window }: Run): Promise<void> {
  // `ready-to-show` never comes.
  window.emit('did-finish-load');
  equal(window.isVisible(), true);
  const second = await choose(await startFakeServer());
  second.draw();
  const stream = await control.fetch('app://ovation/user/stream');
  powerMonitor.emit('resume');
  match(await stream.text().catch((error: unknown) => String(error)), /ERR_FAILED/);
  equal(second.sent.at(-1), null);
  const next = control.nextWindow();
  second.emit('unresponsive');
  const third = await next;
  third.draw();
  deepEqual([second.done.at(-1), third.isVisible()], ['destroy', true]);
  await control.ask('notify', { title: 'a', body: 'b', path: '/dashboard' });
  record.notices[0]?.emit('failed', {}, 'UNErrorDomain 1');
  match(String(await control.ask('readProblems')), /^Notifications aren’t shown[^,]*$/);
  await control.ask('revealLogs');
  deepEqual(done('reveals '), ['reveals /logs/ovation.log']);
  third.close();
  await settled(() => record.notices.length > 1);
  const told = record.notices.at(-1)?.told as { title: string; body: string };
  equal(told.title, 'Ovation keeps running');
  match(told.body, /start Ovation again/);
}

export const DESKS = {
  'desk on Linux': { play: useDesk },
  'desk on macOS': { world: { platform: 'darwin' }, play: useDesk },
  'desk on Windows': { world: { platform: 'win32', isPackaged: true }, play: useDesk },
  dock: { world: { platform: 'darwin' }, play: useDock },
  'ends with its window': { play: endWithWindow },
  'bad day': { world: { keyring: 'locked', hasTray: false }, play: goWrong },
} satisfies Record<string, Scenario>;
