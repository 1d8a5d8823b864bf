import { join } from 'node:path';
import { app, BrowserWindow, screen, type Session, shell } from 'electron';
import { ABOUT_ARGUMENT } from '../ipc.ts';
import { APP_ORIGIN } from './app-handler.ts';
import { mayNavigate, mayOpenOutside, mayRequest, mayUsePermission } from './guards.ts';
import type { SettingsFile } from './settings-file.ts';
import { WEB_PREFERENCES } from './web-preferences.ts';
import { fittingPlace, type WindowPlace } from './window-place.ts';

/** Opens the one window where it stood last; it can reach nothing but its own origin. */
export function openWindow(settings: SettingsFile): BrowserWindow {
  const { place, server } = settings.read();
  const areas = screen.getAllDisplays().map((display) => display.workArea);
  const { isMaximized, ...bounds } = fittingPlace(place, areas);
  const about = JSON.stringify({ version: app.getVersion(), hasServer: server !== undefined });
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 380,
    minHeight: 480,
    show: false,
    webPreferences: {
      ...WEB_PREFERENCES,
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      additionalArguments: [`${ABOUT_ARGUMENT}${about}`],
    },
  });
  if (isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  keepPlace(window, settings);
  guard(window);
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}

function keepPlace(window: BrowserWindow, settings: SettingsFile): void {
  window.on('close', () => {
    const place: WindowPlace = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    void settings.change({ place });
  });
}

function guard(window: BrowserWindow): void {
  const { webContents } = window;
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (!mayNavigate(event.url)) event.preventDefault();
  };
  webContents.on('will-navigate', stay);
  webContents.on('will-frame-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Nothing is downloaded, no permission is given, and no request leaves the app's own scheme. */
export function closeSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(mayUsePermission(permission)),
  );
  session.setPermissionCheckHandler((_contents, permission) => mayUsePermission(permission));
  session.webRequest.onBeforeRequest((request, answer) =>
    answer({ cancel: !mayRequest(request.url) }),
  );
}
