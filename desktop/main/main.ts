import { join } from 'node:path';
import { app, ipcMain, Menu, protocol, safeStorage, session } from 'electron';
import electronUpdater from 'electron-updater';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { APP_SCHEME, createAppHandler } from './app-handler.ts';
import { openTray } from './app-tray.ts';
import { type AppWindow, createAppWindow } from './app-window.ts';
import { isTrustedSender } from './guards.ts';
import { LINK_SCHEME, linkAmong, pathOfLink } from './links.ts';
import { menuTemplate } from './menu.ts';
import { closeSession, openWindow } from './open-window.ts';
import { openRendererFiles } from './renderer-files.ts';
import { serveIpc } from './serve-ipc.ts';
import { openPictureFolder } from './picture-folder.ts';
import { SCHEME_PRIVILEGES } from './scheme-privileges.ts';
import { createSessionJar } from './session-jar.ts';
import { openSettingsFile } from './settings-file.ts';
import { shellRequests } from './shell-requests.ts';
import { createUpdates, type Updates } from './updates.ts';
import { createVault } from './vault.ts';

protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: SCHEME_PRIVILEGES }]);

// One instance: a second start hands its link to the first one and ends.
if (app.requestSingleInstanceLock()) await run();
else app.quit();

async function run(): Promise<void> {
  await app.whenReady();
  const data = app.getPath('userData');
  const settings = await openSettingsFile(join(data, 'settings.json'));
  const vault = createVault(join(data, 'session'), safeStorage, process.platform === 'linux');
  const jar = createSessionJar(vault, Date.now);
  const readFile = await openRendererFiles(join(import.meta.dirname, '../renderer'));
  const server = (): string | undefined => settings.read().server;
  const pictures = openPictureFolder(join(data, 'pictures'));
  const handler = { readFile, server, jar, pictures, now: Date.now, fetch };
  protocol.handle(APP_SCHEME, createAppHandler(handler));
  closeSession(session.defaultSession);

  const window = createAppWindow(() => openWindow(settings));
  const updates = createUpdates(configuredUpdater(), (state) => window.tell('update', state));
  const changeServer = async (chosen: string | undefined): Promise<void> => {
    if (chosen !== server()) {
      jar.clear();
      await pictures.clear();
    }
    await settings.change({ server: chosen });
    window.restart();
  };
  serveIpc(
    ipcMain,
    ({ senderFrame: frame }) =>
      frame !== null && isTrustedSender({ url: frame.url, isTop: frame === frame.top }),
    shellRequests({
      window,
      fetch,
      updates,
      changeServer,
      forgetPictures: () => pictures.clear(),
      showSyncState: openTray(window),
    }),
  );
  openMenu(window, updates, () => void changeServer(undefined));
  followLinks(window);
}

function openMenu(window: AppWindow, updates: Updates, chooseServer: () => void): void {
  app.setAboutPanelOptions({ applicationName: PRODUCT_NAME, applicationVersion: app.getVersion() });
  const menu = menuTemplate(process.platform === 'darwin', PRODUCT_NAME, {
    command: (command) => {
      window.show();
      window.command(command);
    },
    chooseServer,
    checkForUpdate: () => void updates.check(),
    showAbout: () => app.showAboutPanel(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}

/** Opens the window, and from then on whatever a link of ours or a second start asks for. */
function followLinks(window: AppWindow): void {
  const follow = (link: string | undefined): void => {
    const path = link === undefined ? undefined : pathOfLink(link);
    window.show();
    if (path !== undefined) window.command({ kind: 'open', path });
  };
  app.setAsDefaultProtocolClient(LINK_SCHEME);
  app.on('second-instance', (_event, args) => follow(linkAmong(args)));
  app.on('open-url', (_event, link) => follow(link));
  app.on('activate', window.show);
  // The tray keeps the app alive: quitting is a choice of its own.
  app.on('window-all-closed', () => undefined);
  follow(linkAmong(process.argv));
}

/** Updates come from the address the operator packed into the app, so only a packaged app has one. */
function configuredUpdater(): typeof electronUpdater.autoUpdater | undefined {
  if (!app.isPackaged) return undefined;
  const { autoUpdater } = electronUpdater;
  autoUpdater.autoInstallOnAppQuit = false;
  return autoUpdater;
}
