/** What a person and a page do with the app, and what came of it: one function for each kind of run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { login } from '../../shared/contract/user.ts';
import { type MenuItem, press } from './fake-desktop.ts';
import { app, control, frameOf, type OpenedWindow } from './fake-electron.ts';
import { type FakeServer, SECRET, startFakeServer } from './fake-server.ts';
import { book, outside } from './fake-world.ts';

type Facts = Record<string, unknown>;

export const LIVES: Record<string, (window: OpenedWindow, data: string) => Promise<Facts>> = {
  'first start': firstStart,
  'a session': keepSession,
  'another start': startAgain,
  'a day at the desk': useDesk,
  'an update': takeUpdate,
  'behind a proxy': useProxy,
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
  facts['goes on without a window'] = app.listenerCount('window-all-closed') > 0;
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
async function keepSession(_window: OpenedWindow, data: string): Promise<Facts> {
  const [server, other] = [await startFakeServer(), await startFakeServer()];
  const vault = join(data, 'session');
  await choose(server);
  const loggedIn = await callServer(login.path);
  await callServer('/user/before');
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
  return { about: aboutOf(window), place: { x, y, width, height } };
}

async function useDesk(window: OpenedWindow): Promise<Facts> {
  window.draw();
  await control.ask('setListening', true);
  const facts: Facts = { about: aboutOf(window), refused: await refusedFrames() };
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

/** The proxy answers nothing itself: what counts is that it is asked. */
async function useProxy(): Promise<Facts> {
  const [proxy, server] = [await startFakeServer(), await startFakeServer()];
  outside.proxies = `PROXY ${proxy.address}; DIRECT`;
  await control.ask('chooseServer', server.address);
  // Nobody answers there in its language; before that is known, certificates count.
  await control.ask('chooseServer', `https://${server.address}`);
  const trusted = book.done.includes('trusts the system');
  return {
    trusted,
    'server met directly': server.calls.length,
    'asked of the proxy': proxy.tunnels,
  };
}

/** Electron-updater's own part is false here. */
async function takeUpdate(window: OpenedWindow): Promise<Facts> {
  const { default: updater } = await import('./fake-updater.ts');
  const before = await control.ask('readUpdate');
  updater.autoUpdater.emit('update-downloaded', { version: '2.0.0' });
  // Later, then at once.
  outside.pressed = 1;
  press(book.menu, 'Check for updates');
  await new Promise((resolve) => setImmediate(resolve));
  const later = book.done.includes('installs');
  await control.ask('installUpdate');
  return {
    told: window.sent.at(-1),
    'looks by itself': book.done.includes('looks for updates'),
    'installs when the app quits': updater.autoUpdater.autoInstallOnAppQuit,
    message: book.messages.at(-1)?.message,
    'before it is here': before,
    'put off': !later,
    installs: book.done.includes('installs'),
    'closing then': book.windows.at(-1)?.close(),
  };
}
