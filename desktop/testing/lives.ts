/** What a person and a page do with the app, and what came of it: one function for each kind of run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { login } from '../../shared/contract/user.ts';
import { type MenuItem, press } from './fake-desktop.ts';
import {
  app,
  control,
  frameOf,
  type OpenedWindow,
  powerMonitor,
  safeStorage,
} from './fake-electron.ts';
import { type FakeServer, SECRET, startFakeServer } from './fake-server.ts';
import type { UpdateServer } from './fake-update-server.ts';
import { book, outside } from './fake-world.ts';
import { logInToProxy, useProxy } from './proxy-lives.ts';
import { settled } from './settled.ts';
import { readLog, useDock } from './system-lives.ts';
import { takeUpdate, waitForUpdate } from './update-lives.ts';
import { endWithWindow } from './window-lives.ts';

type Facts = Record<string, unknown>;

interface Given {
  data: string;
  updates: UpdateServer;
}

export const LIVES: Record<string, (window: OpenedWindow, given: Given) => Promise<Facts>> = {
  'first start': firstStart,
  'a session': keepSession,
  'another start': startAgain,
  'a day at the desk': useDesk,
  'an update': takeUpdate,
  'an update held up': waitForUpdate,
  'behind a proxy': useProxy,
  'behind a proxy with a password': logInToProxy,
  'a start at log-in': startUnseen,
  'a bad day': goWrong,
  'a disk that takes nothing': useBadDisk,
  'a start that is logged': readLog,
  'the dock': useDock,
  'a window that the app ends with': endWithWindow,
};

const aboutOf = (window: OpenedWindow): string =>
  String(window.options.webPreferences?.additionalArguments);

async function firstStart(window: OpenedWindow): Promise<Facts> {
  const facts: Facts = { loaded: window.loaded };
  facts['page'] = await (await control.fetch('app://ovation/')).text();
  facts['asked for a server'] = aboutOf(window);
  facts['ready'] = [...book.done];
  window.draw();
  facts['shown'] = [...window.done];

  const server = await startFakeServer();
  const second = await choose(server);
  facts['user agents'] = server.calls.map(({ userAgent }) => userAgent);
  facts['window after the choice'] = aboutOf(second);
  facts['cleared'] = book.done.filter((step) => step.endsWith(' cleared'));
  second.draw();
  app.emit('second-instance', {}, ['ovation', 'ovation://settings']);
  await control.ask('setListening', true);
  facts['told'] = second.sent;
  facts['closing'] = second.close();
  // Electron quits where nobody listens.
  facts['goes on without a window'] = app.emit('window-all-closed') && !book.done.includes('quit');
  app.quit();
  facts['closing after the quit'] = second.close();
  return facts;
}

/** Chooses a server; the answer is the window that stands in place of the one that asked. */
async function choose({ address }: FakeServer): Promise<OpenedWindow> {
  const next = control.nextWindow();
  const { kind } = (await control.ask('chooseServer', address)) as { kind: string };
  if (kind !== 'chosen') throw new Error(`The server was not chosen: ${kind}`);
  return next;
}

const callServer = (path: string): Promise<Response> =>
  control.fetch(`app://ovation${path}`, { method: 'POST', body: '{}' });

/** Logs in, goes to another server and comes back: what each was sent, and what stays on the disk. */
async function keepSession(_window: OpenedWindow, { data }: Given): Promise<Facts> {
  const [server, other] = [await startFakeServer(), await startFakeServer()];
  const vault = join(data, 'session');
  await choose(server);
  const loggedIn = await callServer(login.path);
  await callServer('/user/before');
  // It is written behind the log-in's back.
  const mayKeep = safeStorage.getSelectedStorageBackend() !== 'basic_text';
  if (mayKeep) await settled(() => existsSync(vault));
  const facts: Facts = {
    'cookie in the page': loggedIn.headers.getSetCookie(),
    'on the disk': existsSync(vault),
    'readable on the disk': existsSync(vault) && readFileSync(vault, 'utf8').includes(SECRET),
  };
  const pictures = (): number => picturesIn(join(data, 'pictures'));
  const look = () => control.fetch('app://ovation/proxy/a1b2c3-signed?w=320');
  await look();
  const shown = pictures();
  await control.ask('forgetPictures');
  facts['pictures after one was shown, and after all were forgotten'] = [shown, pictures()];
  await look();
  await control.ask('setTrayState', { sync: 'offline', pending: 2 });
  facts['asked for another server'] = await change(other);
  facts['pictures with another server'] = pictures();
  facts['question'] = book.messages.at(-1)?.detail;
  facts['on the disk with another server'] = existsSync(vault);
  await callServer('/user/elsewhere');
  await change(server);
  await callServer('/user/after');
  const cookies = [...server.calls, ...other.calls].filter(({ path }) => path.startsWith('/user/'));
  facts['cookies'] = Object.fromEntries(cookies.map(({ path, cookie = null }) => [path, cookie]));
  return facts;
}

/** Through the menu, to another server; the answer is what the window that asks for it knows. */
async function change(server: FakeServer): Promise<string> {
  const asking = control.nextWindow();
  press(book.menu, 'Change server…');
  const about = aboutOf(await asking);
  await choose(server);
  return about;
}

function picturesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** A later start on what the one before left. */
async function startAgain(window: OpenedWindow): Promise<Facts> {
  const { x, y, width, height } = window.options;
  window.draw();
  await new Promise((resolve) => setImmediate(resolve));
  const place = { x, y, width, height };
  return { about: aboutOf(window), place, asked: book.messages.at(-1)?.message };
}

async function useDesk(window: OpenedWindow): Promise<Facts> {
  window.draw();
  await control.ask('setListening', true);
  const facts: Facts = { about: aboutOf(window), refused: await refusedFrames() };
  facts['links'] = book.done.filter((step) => step.startsWith('links '));
  facts['start at login'] = [
    await control.ask('readStartAtLogin'),
    await control.ask('setStartAtLogin', true),
    outside.opensAtLogin,
    await control.ask('setStartAtLogin', false),
    outside.opensAtLogin,
  ];
  const brings = (act: () => void): boolean => {
    window.close();
    if (window.isVisible()) throw new Error('A closed window is still in sight');
    act();
    return window.isVisible();
  };
  facts['activate brings the window'] = brings(() => app.emit('activate'));
  const [tray] = book.trays;
  const trayMenu = (): MenuItem[] => tray?.menu ?? [];
  facts['a click on the tray brings the window'] = brings(() => tray?.emit('click'));
  facts['its menu brings the window'] = brings(() => press(trayMenu(), 'Dashboard'));
  await control.ask('notify', { title: 'New post', body: 'by anna', path: '/post/7' });
  const [notice] = book.notices;
  facts['notice'] = { shown: notice?.isShown, told: notice?.told };
  facts['a notice brings the window'] = brings(() => notice?.emit('click'));
  facts['the menu brings the window'] = brings(() => press(book.menu, 'Billing'));
  await control.ask('setTrayState', { sync: 'offline', pending: 1 });
  facts['tray'] = tray?.tip;
  press(trayMenu(), 'Sync now');
  facts['told'] = window.sent.filter((detail) => !isUpdate(detail));
  await control.ask('setBadge', 3);
  facts['on the button in the taskbar'] = window.done.filter((step) => step.includes('badge'));
  facts['icon of the tray'] = String(tray?.image).split('/').at(-1);
  await control.ask('saveFile', { name: 'a.csv', content: 'a' });
  await control.ask('saveFile', { name: 'b.csv', content: 'b' });
  facts['asked where to save'] = book.done.filter((step) => step.startsWith('save '));
  press(book.menu, 'About Ovation');
  press(book.menu, 'Check for updates');
  // The answer of a check that finds nothing configured comes with the next turns.
  await new Promise((resolve) => setImmediate(resolve));
  facts['message'] = book.messages.at(-1)?.message;
  await control.ask('setListening', false);
  facts['tray with nobody logged in'] = tray?.tip;
  press(trayMenu(), 'Quit');
  facts['done'] = book.done;
  facts['closing after the quit'] = window.close();
  return facts;
}

const isUpdate = (detail: unknown): boolean => Object(detail).kind === 'not_configured';

/** Who is not listened to. */
async function refusedFrames(): Promise<string[]> {
  const own = frameOf('app://ovation/');
  const frames = {
    'a frame inside of the window': frameOf('app://ovation/', own),
    'another host': frameOf('https://elsewhere.example/'),
    'another scheme': frameOf('file:///etc/passwd'),
    'an answer of the server': frameOf('app://ovation/user/page'),
    'a frame that has gone': null,
  };
  const refused: string[] = [];
  for (const [name, frame] of Object.entries(frames)) {
    await control.askAs(frame, 'readUpdate').catch(() => refused.push(name));
  }
  return refused;
}

/** Started by the system at a log-in: what is in sight, and how it comes up. */
async function startUnseen(window: OpenedWindow): Promise<Facts> {
  window.draw();
  const facts: Facts = { 'in sight': window.isVisible() };
  app.emit('second-instance', {}, ['ovation']);
  facts['asked for'] = window.isVisible();
  return facts;
}

/** A machine whose window is never told to be ready, that sleeps, and whose page hangs. */
async function goWrong(window: OpenedWindow): Promise<Facts> {
  // `ready-to-show` never comes.
  window.emit('did-finish-load');
  const facts: Facts = { 'in sight': window.isVisible() };
  const server = await startFakeServer();
  const second = await choose(server);
  second.draw();
  const stream = await control.fetch('app://ovation/user/stream');
  powerMonitor.emit('resume');
  facts['a stream after the sleep'] = await stream.text().catch((error: unknown) => String(error));
  facts['woken'] = second.sent.at(-1);
  const next = control.nextWindow();
  second.emit('unresponsive');
  const third = await next;
  third.draw();
  facts['after it hung'] = [second.done.at(-1), third.isVisible()];
  await control.ask('notify', { title: 'a', body: 'b', path: '/dashboard' });
  book.notices[0]?.emit('failed', {}, 'UNErrorDomain 1');
  facts['problems'] = await control.ask('readProblems');
  await control.ask('revealLogs');
  third.close();
  await settled(() => book.notices.length > 1);
  facts['told of the tray'] = book.notices.at(-1)?.told;
  return facts;
}

/** The person's folder takes nothing, but for the moment in which a server is chosen. */
async function useBadDisk(window: OpenedWindow): Promise<Facts> {
  window.draw();
  const server = await startFakeServer();
  const { diskFailure } = outside;
  const chosen = await choose(server).catch(() => undefined);
  const facts: Facts = {
    'in sight': window.isVisible(),
    'a server is chosen': chosen !== undefined,
  };
  outside.diskFailure = undefined;
  const second = await choose(server);
  outside.diskFailure = diskFailure;
  second.draw();
  await callServer(login.path);
  await callServer('/user/after');
  facts['cookie'] = server.calls.at(-1)?.cookie;
  const readProblems = async () => (await control.ask('readProblems')) as string[];
  await settled(async () => (await readProblems()).length > 0);
  facts['problems'] = await readProblems();
  facts['closing'] = second.close();
  return facts;
}
