import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, ipcMain, Menu, protocol, safeStorage, session } from 'electron';
import electronUpdater from 'electron-updater';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { APP_SCHEME, createAppHandler } from './app-handler.ts';
import { openTray } from './app-tray.ts';
import { type AppWindow, createAppWindow } from './app-window.ts';
import { closeSession } from './close-session.ts';
import {
  askByDialog,
  createNotice,
  electronShell,
  electronWindows,
  openInBrowser,
  sourceFolder,
} from './electron-system.ts';
import { isTrustedSender } from './guards.ts';
import { keepLooking } from './keep-looking.ts';
import { LINK_SCHEME } from './links.ts';
import { menuTemplate } from './menu.ts';
import { createUpdateOffer } from './offer-updates.ts';
import { createOutside } from './open-outside.ts';
import { loadStart, openWindow, placeOf } from './open-window.ts';
import { openPictureFolder, type PictureFolder } from './picture-folder.ts';
import { openRendererFiles } from './renderer-files.ts';
import { serveIpc } from './serve-ipc.ts';
import { createServerChange } from './server-change.ts';
import { createSessionJar, type SessionJar } from './session-jar.ts';
import { openSettingsFile, type SettingsFile } from './settings-file.ts';
import { createShellNotices } from './shell-notices.ts';
import { shellRequests } from './shell-requests.ts';
import { createTrayState } from './tray.ts';
import { signedProvider } from './signed-provider.ts';
import { updateAddress, updatePublicKey } from './update-address.ts';
import type { Message } from './update-message.ts';
import { createUpdates } from './updates.ts';
import { createVault } from './vault.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Start {
  /** Opens the window. */
  showFirst: (window: AppWindow) => void;
  fetch: Fetch;
}

/** Runs the app from the moment Electron is ready. Throws when it can't start. */
export async function runApp({ showFirst, fetch }: Start): Promise<void> {
  await app.whenReady();
  const data = app.getPath('userData');
  const settings = openSettingsFile(join(data, 'settings.json'));
  const vault = createVault(join(data, 'session'), safeStorage, process.platform === 'linux');
  const jar = createSessionJar(vault, Date.now);
  const readFile = await openRendererFiles(join(import.meta.dirname, '../renderer'));
  const pictures = openPictureFolder(join(data, 'pictures'));
  const server = (): string | undefined => settings.read().server;
  const handler = { readFile, server, jar, pictures, now: Date.now, fetch };
  protocol.handle(APP_SCHEME, createAppHandler(handler));
  closeSession(session.defaultSession);
  const window = openShell({ settings, jar, pictures, fetch });
  app.on('before-quit', window.letClose);
  app.on('activate', window.show);
  registerLinks();
  showFirst(window);
}

interface Kept {
  settings: SettingsFile;
  jar: SessionJar;
  pictures: PictureFolder;
  fetch: Fetch;
}

/** Everything around the window: tray, menu, updates and what the window may ask. */
function openShell({ settings, jar, pictures, fetch }: Kept): AppWindow {
  const server = (): string | undefined => settings.read().server;
  const outside = createOutside({ server, openInBrowser, now: Date.now });
  const window: AppWindow = createAppWindow({
    open: () => openWindow(electronWindows, aboutShell(), settings.read().place, outside),
    load: loadStart,
    now: Date.now,
    remember: (gone) => rememberPlace(settings, gone),
    onListening: (isListening) => {
      tray.setListening(isListening);
      if (!isListening) system.setBadge(0);
    },
  });
  const { show, command } = window;
  const system = electronShell(window.current, process.platform);
  const ask = (message: Message): Promise<number> => askByDialog(window.current(), message);
  const tray = createTrayState(openTray({ show, command, quit: () => app.quit() }));
  const { updates, updateOffer } = startUpdates(window, ask);
  const serverChange = createServerChange({
    settings,
    forgetServer: () => forgetServer(jar, pictures),
    fetch,
    restart: window.restart,
    pending: () => tray.told()?.pending ?? 0,
    ask,
  });
  const aboutShell = () => ({
    version: app.getVersion(),
    hasServer: !serverChange.isChoosing(),
    presentServer: serverChange.isChoosing() ? settings.read().server : undefined,
    hasNoLoginItems: system.loginItem === undefined,
  });
  const open = (path: string): void => {
    show();
    command({ kind: 'open', path });
  };
  serveIpc(
    ipcMain,
    ({ senderFrame: frame }) =>
      frame !== null && isTrustedSender({ url: frame.url, isTop: frame === frame.top }),
    shellRequests({
      window,
      system,
      outside,
      serverChange,
      updates,
      updateOffer,
      tray,
      notify: createShellNotices(createNotice, open).show,
      forgetPictures: () => pictures.clear(),
      ask,
    }),
  );
  openMenu(
    window,
    () => void updateOffer.check(),
    () => void serverChange.begin(),
  );
  return window;
}

function startUpdates(window: AppWindow, ask: (message: Message) => Promise<number>) {
  const updates = createUpdates(configuredUpdater(), {
    onChange: (state) => window.tell('update', state),
    beforeRestart: window.letClose,
  });
  keepLooking(updates, (delayMs, look) => void setInterval(look, delayMs).unref());
  return { updates, updateOffer: createUpdateOffer(updates, app.getVersion(), ask) };
}

/** All that a server left on this machine, the window's own storage included. */
async function forgetServer(jar: SessionJar, pictures: PictureFolder): Promise<void> {
  jar.clear();
  await pictures.clear();
  await session.defaultSession.clearStorageData();
  await session.defaultSession.clearCache();
}

/** A place that can't be kept is no reason to keep the window. */
function rememberPlace(settings: SettingsFile, window: Parameters<typeof placeOf>[0]): void {
  try {
    settings.change({ place: placeOf(window) });
  } catch {
    // It opens where it stood the time before.
  }
}

function openMenu(window: AppWindow, checkForUpdate: () => void, chooseServer: () => void): void {
  app.setAboutPanelOptions({ applicationName: PRODUCT_NAME, applicationVersion: app.getVersion() });
  const menu = menuTemplate(process.platform === 'darwin', PRODUCT_NAME, {
    command: (command) => {
      window.show();
      window.command(command);
    },
    chooseServer,
    checkForUpdate,
    showAbout: () => app.showAboutPanel(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}

function registerLinks(): void {
  const folder = sourceFolder();
  if (folder === undefined) app.setAsDefaultProtocolClient(LINK_SCHEME);
  else app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, [folder]);
}

/**
 * Updates come from the address that was packed into the app, signed with the key that was: without either
 * there are none.
 */
function configuredUpdater(): typeof electronUpdater.autoUpdater | undefined {
  if (!app.isPackaged) return undefined;
  const url = updateAddress(readPacked(join(process.resourcesPath, 'app-update.yml')));
  const publicKey = updatePublicKey(readPacked(join(app.getAppPath(), 'package.json')));
  if (url === undefined || publicKey === undefined) return undefined;
  const { autoUpdater } = electronUpdater;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.setFeedURL({ provider: 'custom', updateProvider: signedProvider(url, publicKey) });
  return autoUpdater;
}

function readPacked(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
