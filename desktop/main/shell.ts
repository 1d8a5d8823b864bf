import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, ipcMain, Menu, session } from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { ShellAbout } from '../ipc.ts';
import { createOutside, isTrustedSender } from './guards.ts';
import { createTrayState, hasTrayHost, type MenuActions, menuTemplate } from './menu.ts';
import { loadStart, openWindow, placeOf } from './open-window.ts';
import type { PictureStorage } from '#shared/pictures/picture-cache.ts';
import type { ProxyLogins } from './proxy-login.ts';
import {
  createNotices,
  print,
  savePdf,
  serveIpc,
  type ShellRequestDeps,
  shellRequests,
  type ShellSystem,
} from './requests.ts';
import { createServerChange, type ServerFetch } from './server.ts';
import type { SessionJar } from './session.ts';
import {
  type Choice,
  type Log,
  type Problems,
  type SettingsFile,
  WINDOW_VISIBLE,
} from './settings.ts';
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
} from './system.ts';
import {
  type Ask,
  checkRegularly,
  createUpdateOffer,
  createUpdates,
  installFailedMessage,
  updateAddress,
  updatePublicKey,
  type Updater,
} from './updates.ts';
import { AppWindow } from './window.ts';

export interface Kept {
  settings: SettingsFile;
  jar: SessionJar;
  pictures: PictureStorage;
  fetch: ServerFetch;
  proxyLogins: ProxyLogins;
  problems: Problems;
  log: Log;
}

/**
 * Everything around the window: tray, menu, updates and what the window may ask. `onDrawn` is called once,
 * when the window has something to show.
 */
export function openShell(kept: Kept, onDrawn: () => void): AppWindow {
  const { settings, pictures, proxyLogins, problems, log } = kept;
  const server = (): string | undefined => settings.read().server;
  const outside = createOutside(server, openInBrowser, Date.now);
  const tray = createTrayState();
  const system = electronShell(() => window.current(), process.platform);
  const ask: Ask = (message) => askByDialog(window.current(), message);
  const keepRunning = openKeepRunning(settings);
  const window: AppWindow = new AppWindow({
    ...windowDeps(kept, ask),
    keepsRunning: () => keepRunning.read(),
    open: () => {
      const opened = openWindow(electronWindows, about(), settings.read().place, outside);
      opened.once('show', () => log(WINDOW_VISIBLE));
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
        log(`The app was not moved: ${String(error)}`),
      );
      onDrawn();
      checkRegularly(updates, (delayMs, check) => void setInterval(check, delayMs).unref());
    }),
  });
  const { show, command, restart } = window;
  const { updates, updateOffer } = openUpdates(window, ask, kept);
  const pending = (): number => tray.told()?.pending ?? 0;
  const serverChange = openServerChange(kept, restart, pending, ask);
  const about = (): ShellAbout => aboutShell(server(), serverChange.isChoosing(), system);
  const open = (path: string): void => {
    show();
    command({ kind: 'open', path });
  };
  const { show: notify } = createNotices(createNotice, open, problems.noNotices);
  problems.tellBy(notify);
  const forgetPictures = (): Promise<void> => pictures.clear();
  const served = { window, system, outside, serverChange, updates, updateOffer, tray, notify };
  serveWindow({ ...served, problems, proxyLogins, keepRunning, forgetPictures, ask });
  openMenu({
    ...windowMenu(window),
    chooseServer: () => void serverChange.begin(),
    checkForUpdate: () => void updateOffer.check(),
    revealLogs: problems.revealLogs,
    print: () => void print({ system, ask }),
    saveAsPdf: () => void savePdf({ system, ask }),
  });
  return window;
}

function serveWindow(served: ShellRequestDeps): void {
  serveIpc(
    ipcMain,
    ({ senderFrame: frame }) =>
      frame !== null && isTrustedSender({ url: frame.url, isTop: frame === frame.top }),
    shellRequests(served),
  );
}

function openServerChange(kept: Kept, restart: () => void, pending: () => number, ask: Ask) {
  const forget = (): Promise<void> => forgetServer(kept);
  const fetch: ServerFetch = (url, init) => {
    // Whoever chooses a server has time for the proxy's question.
    kept.proxyLogins.askAgain();
    return kept.fetch(url, init);
  };
  const { settings } = kept;
  return createServerChange({ settings, forgetServer: forget, fetch, restart, pending, ask });
}

function aboutShell(
  server: string | undefined,
  isChoosing: boolean,
  { loginItem }: Pick<ShellSystem, 'loginItem'>,
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

/** What the window needs whoever else is there. */
function windowDeps({ settings, problems, log }: Kept, ask: Ask) {
  return {
    load: loadStart,
    isMaximized: () => settings.read().place?.isMaximized ?? false,
    isMac: process.platform === 'darwin',
    now: Date.now,
    later: (delayMs: number, act: () => void) => void setTimeout(act, delayMs),
    remember: (gone: Parameters<typeof placeOf>[0]) => {
      try {
        settings.change({ place: placeOf(gone) });
      } catch {
        // A place that can't be kept is no reason to keep the window: it opens where it stood the time before.
      }
    },
    onHidden: async () => {
      if (!(await hasTrayHost(process.platform, runProgram))) problems.noTray();
    },
    askToReload: async () => {
      log('The page doesn’t answer');
      const pressed = await ask({
        message: `${PRODUCT_NAME} isn’t responding`,
        detail: 'It may be busy. If you reload, unsent changes are kept.',
        buttons: ['Reload', 'Wait'],
      });
      return pressed === 0;
    },
  };
}

function openUpdates(window: AppWindow, ask: Ask, { log, proxyLogins }: Kept) {
  const updates = createUpdates({
    load: () => loadUpdater(log, proxyLogins),
    onChange: (state) => {
      window.tell('update', state);
      updateOffer.changed(state);
    },
    onCheckFailed: (error) => log(`No update could be fetched: ${String(error)}`),
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
  const read = (path: string): Promise<string | undefined> =>
    readFile(path, 'utf8').catch(() => undefined);
  const url = updateAddress(await read(join(process.resourcesPath, 'app-update.yml')));
  const publicKey = updatePublicKey(await read(join(app.getAppPath(), 'package.json')));
  if (url === undefined || publicKey === undefined) return undefined;
  const { openSignedUpdater } = await import('./signed-updater.ts');
  const updater = await openSignedUpdater(url, publicKey, log);
  updater.on('login', (asked, answer) => void proxies.answerElectron(asked, answer));
  return updater;
}

/** All that a server left on this machine, the window's own storage included. */
async function forgetServer({ jar, pictures }: Kept): Promise<void> {
  await jar.clear();
  await pictures.clear();
  await session.defaultSession.clearStorageData();
  await session.defaultSession.clearCache();
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
