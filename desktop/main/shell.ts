import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, ipcMain, Menu, session } from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { ShellAbout } from '../ipc.ts';
import { type AppWindow, createAppWindow } from './app-window.ts';
import {
  askByDialog,
  createNotice,
  electronShell,
  electronWindows,
  offerApplications,
  offerScreens,
  openInBrowser,
  openTray,
  runProgram,
} from './electron-system.ts';
import { createOutside, isTrustedSender } from './guards.ts';
import { type MenuActions, menuTemplate } from './menu.ts';
import { loadStart, openWindow, placeOf } from './open-window.ts';
import type { PictureFolder } from './picture-folder.ts';
import type { ProxyLogins } from './proxy-login.ts';
import { createServerChange } from './server-choice.ts';
import type { SessionJar } from './session.ts';
import type { SettingsFile } from './settings-file.ts';
import { createShellNotices } from './shell-notices.ts';
import {
  type Choice,
  print,
  type RequestHandlers,
  savePdf,
  serveIpc,
  shellRequests,
  type ShellSystem,
} from './shell-requests.ts';
import { createTrayState, hasTrayHost } from './tray.ts';
import { IN_SIGHT, type Log, type Trouble } from './trouble.ts';
import {
  type Ask,
  createUpdateOffer,
  createUpdates,
  installFailedMessage,
  keepLooking,
  type Message,
  updateAddress,
  type Updater,
  updatePublicKey,
} from './updates.ts';

export interface Kept {
  settings: SettingsFile;
  jar: SessionJar;
  pictures: PictureFolder;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  proxyLogins: ProxyLogins;
  trouble: Trouble;
  log: Log;
}

/**
 * Everything around the window: tray, menu, updates and what the window may ask. `onDrawn` is called once,
 * when the window has something to show.
 */
export function openShell(kept: Kept, onDrawn: () => void): AppWindow {
  const { settings, pictures, proxyLogins, trouble } = kept;
  const server = (): string | undefined => settings.read().server;
  const outside = createOutside({ server, openInBrowser, now: Date.now });
  const tray = createTrayState();
  const system = electronShell(() => window.current(), process.platform);
  const ask: Ask = (message) => askByDialog(window.current(), message);
  const window: AppWindow = createAppWindow({
    ...windowDeps(kept, ask),
    open: () => {
      const opened = openWindow(electronWindows, about(), settings.read().place, outside);
      opened.once('show', () => kept.log(IN_SIGHT));
      return opened;
    },
    onListening: (isListening) => {
      tray.setListening(isListening);
      if (!isListening) system.setBadge(0);
    },
    onDrawn: once(() => {
      tray.open(openTray({ show, command, quit: () => app.quit() }));
      offerScreens(open);
      offerApplications(ask, settings).catch((error: unknown) =>
        kept.log(`The app was not moved: ${String(error)}`),
      );
      onDrawn();
      keepLooking(updates, (delayMs, look) => void setInterval(look, delayMs).unref());
    }),
  });
  const { show, command, restart } = window;
  const { updates, updateOffer } = openUpdates(window, ask, kept);
  const forget = (): Promise<void> => forgetServer(kept);
  const pending = (): number => tray.told()?.pending ?? 0;
  // Whoever chooses a server has time for the proxy's question.
  const fetch: Kept['fetch'] = (url, init) => {
    proxyLogins.askAgain();
    return kept.fetch(url, init);
  };
  const change = { settings, forgetServer: forget, fetch, restart, pending, ask };
  const serverChange = createServerChange(change);
  const about = (): ShellAbout => aboutShell(server(), serverChange.isChoosing(), system);
  const open = (path: string): void => {
    show();
    command({ kind: 'open', path });
  };
  const { show: notify } = createShellNotices(createNotice, open, trouble.noNotices);
  trouble.tellBy(notify);
  const forgetPictures = (): Promise<void> => pictures.clear();
  const keepRunning = openKeepRunning(settings);
  const choices = { keepRunning, support: trouble, proxyLogins, forgetPictures, ask, notify };
  const asked = { window, system, outside, serverChange, updates, updateOffer, tray };
  serveWindow(shellRequests({ ...asked, ...choices }));
  openMenu({
    ...windowMenu(window),
    chooseServer: () => void serverChange.begin(),
    checkForUpdate: () => void updateOffer.check(),
    revealLogs: trouble.revealLogs,
    print: () => void print({ system, ask }),
    saveAsPdf: () => void savePdf({ system, ask }),
  });
  return window;
}

function aboutShell(
  server: string | undefined,
  isChoosing: boolean,
  { loginItem }: ShellSystem,
): ShellAbout {
  return {
    version: app.getVersion(),
    hasServer: !isChoosing,
    presentServer: isChoosing ? server : undefined,
    hasNoLoginItems: loginItem === undefined,
  };
}

/** Electron quits with the last window where nobody listens. */
function openKeepRunning(settings: SettingsFile): Choice {
  const read = (): boolean => settings.read().keepsRunning ?? true;
  app.on('window-all-closed', () => {
    if (!read()) app.quit();
  });
  return { read, set: (keepsRunning) => settings.change({ keepsRunning }) };
}

const HUNG: Message = {
  message: `${PRODUCT_NAME} isn’t responding`,
  detail: 'It may be busy. If you reload, unsent changes are kept.',
  buttons: ['Reload', 'Wait'],
};

/** What the window needs whoever else is there. */
function windowDeps({ settings, trouble, log }: Kept, ask: Ask) {
  return {
    load: loadStart,
    isMaximized: () => settings.read().place?.isMaximized ?? false,
    isMac: process.platform === 'darwin',
    now: Date.now,
    later: (delayMs: number, act: () => void) => void setTimeout(act, delayMs),
    remember: (gone: Parameters<typeof placeOf>[0]) => rememberPlace(settings, gone),
    keepsRunning: () => settings.read().keepsRunning ?? true,
    onHidden: () => void tellOfNoTray(trouble),
    askToReload: async () => {
      log('The page doesn’t answer');
      return (await ask(HUNG)) === 0;
    },
  };
}

/** A place that can't be kept is no reason to keep the window. */
function rememberPlace(settings: SettingsFile, window: Parameters<typeof placeOf>[0]): void {
  try {
    settings.change({ place: placeOf(window) });
  } catch {
    // It opens where it stood the time before.
  }
}

async function tellOfNoTray(trouble: Trouble): Promise<void> {
  if (!(await hasTrayHost(process.platform, runProgram))) trouble.noTray();
}

function openUpdates(window: AppWindow, ask: Ask, { log, proxyLogins }: Kept) {
  const updates = createUpdates({
    load: () => loadUpdater(log, proxyLogins),
    onChange: (state) => {
      window.tell('update', state);
      updateOffer.changed(state);
    },
    onLookFailed: (error) => log(`No update could be fetched: ${String(error)}`),
    onInstallFailed: (error) => {
      log(`The update was not installed: ${String(error)}`);
      void ask(installFailedMessage(app.getVersion()));
    },
  });
  const updateOffer = createUpdateOffer(updates, app.getVersion(), ask);
  return { updates, updateOffer };
}

/**
 * Updates come from the address that was packed into the app, signed with the key that was: without either
 * there are none. The updater is most of the app's code, and is read when it is first needed.
 */
async function loadUpdater(log: Log, proxies: ProxyLogins): Promise<Updater | undefined> {
  if (!app.isPackaged) return undefined;
  const url = updateAddress(await readPacked(join(process.resourcesPath, 'app-update.yml')));
  const publicKey = updatePublicKey(await readPacked(join(app.getAppPath(), 'package.json')));
  if (url === undefined || publicKey === undefined) return undefined;
  const { openSignedUpdater } = await import('./signed-updater.ts');
  const updater = await openSignedUpdater(url, publicKey, log);
  updater.on('login', (asked, answer) => void proxies.answerElectron(asked, answer));
  return updater;
}

function readPacked(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** All that a server left on this machine, the window's own storage included. */
async function forgetServer({ jar, pictures }: Kept): Promise<void> {
  await jar.clear();
  await pictures.clear();
  await session.defaultSession.clearStorageData();
  await session.defaultSession.clearCache();
}

function serveWindow(handlers: RequestHandlers): void {
  serveIpc(
    ipcMain,
    ({ senderFrame: frame }) =>
      frame !== null && isTrustedSender({ url: frame.url, isTop: frame === frame.top }),
    handlers,
  );
}

/** What the menu does with the window alone. */
function windowMenu(window: AppWindow): Pick<MenuActions, 'command' | 'reload' | 'find' | 'go'> {
  return {
    command: (command) => {
      window.show();
      window.command(command);
    },
    reload: window.reload,
    find: () => {
      window.show();
      window.tell('find', null);
    },
    go: (where) => {
      const pages = window.current()?.webContents.navigationHistory;
      if (where === 'back') pages?.goBack();
      else pages?.goForward();
    },
  };
}

function openMenu(actions: Omit<MenuActions, 'showAbout'>): void {
  app.setAboutPanelOptions({ applicationName: PRODUCT_NAME, applicationVersion: app.getVersion() });
  const isMac = process.platform === 'darwin';
  const system = { isMac, isDevelopment: !app.isPackaged, appName: PRODUCT_NAME };
  const menu = menuTemplate(system, { ...actions, showAbout: () => app.showAboutPanel() });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
