import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  type NativeImage,
  nativeImage,
  nativeTheme,
  Notification,
  screen,
  shell,
  Tray,
} from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { LINK_SCHEME, QUICK_SCREENS } from './guards.ts';
import { type TrayActions, type TrayIcon, trayLine, trayTemplate } from './menu.ts';
import type { WindowSystem } from './open-window.ts';
import type { ShellSystem, ShownNotice } from './requests.ts';
import {
  createAutostart,
  HIDDEN_ARGUMENT,
  startCommand,
  type SettingsFile,
  type Choice,
} from './settings.ts';
import type { Ask, Message } from './updates.ts';
import type { AppWindow } from './window.ts';

/** What Electron does for a window, without a thought of its own. */
export const electronWindows: WindowSystem = {
  create: (options) => new BrowserWindow(options),
  workAreas: () => screen.getAllDisplays().map((display) => display.workArea),
  isDark: () => nativeTheme.shouldUseDarkColors,
  popUp: (menu, window) => Menu.buildFromTemplate(menu).popup({ window }),
  copyText: (text) => void clipboard.writeText(text).catch(() => undefined),
  isMac: process.platform === 'darwin',
};

/** Whoever has no browser is told the address at least. */
export function openInBrowser(url: string): void {
  const tell = (): void => dialog.showErrorBox('We couldn’t open a browser', url);
  shell.openExternal(url).catch(tell);
}

/** What Electron does for the requests of the window. */
export function electronShell(current: AppWindow['current'], system: NodeJS.Platform): ShellSystem {
  let folder = '';
  return {
    loginItem: loginItem(system),
    setBadge: (count) => {
      if (system === 'win32') showOnTaskbar(current(), count);
      else app.setBadgeCount(count);
    },
    askWhereToSave: async (name) => {
      const parent = current();
      if (!parent) return undefined;
      const options = { defaultPath: join(folder, name) };
      const { canceled, filePath } = await dialog.showSaveDialog(parent, options);
      if (canceled) return undefined;
      folder = dirname(filePath);
      return filePath;
    },
    writeFile: (path, content) => writeFile(path, content),
    print: () =>
      new Promise((done) => {
        const told = (isPrinted: boolean, reason: string): void => {
          const ended = /cancel/i.test(reason) ? 'canceled' : 'failed';
          done(isPrinted ? 'printed' : ended);
        };
        const contents = current()?.webContents;
        if (contents) contents.print({}, told);
        else told(false, 'canceled');
      }),
    toPdf: () => current()?.webContents.printToPDF({ preferCSSPageSize: true }),
  };
}

/**
 * Windows has no number on an app's icon: a dot stands on the button in the taskbar, and whoever hears
 * the screen is told how many news there are. A hidden window has no button; the tray has the dot too.
 */
function showOnTaskbar(window: BrowserWindow | undefined, count: number): void {
  if (count === 0) window?.setOverlayIcon(null, '');
  else
    window?.setOverlayIcon(
      icon('badge'),
      count === 1 ? '1 new notification' : `${count} new notifications`,
    );
}

function icon(name: string): NativeImage {
  return nativeImage.createFromPath(join(import.meta.dirname, `../icons/${name}.png`));
}

/** Puts the tray's icon up. macOS colours a template itself, so that it is seen on a light and on a dark bar. */
export function openTray(actions: TrayActions): TrayIcon {
  const isMac = process.platform === 'darwin';
  const kind = isMac ? 'Template' : '';
  const tray = new Tray(icon(`tray${kind}`));
  // There a click opens the menu.
  if (!isMac) tray.on('click', actions.show);
  return {
    show: (state) => {
      tray.setToolTip(`${PRODUCT_NAME}: ${trayLine(state)}`);
      tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, PRODUCT_NAME, actions)));
    },
    setNews: (hasNews) => tray.setImage(icon(`tray${hasNews ? 'News' : ''}${kind}`)),
  };
}

/** The screens in the menu of the app's icon: macOS' dock, Windows' jump list. A link starts the app there. */
export function offerScreens(open: (path: string) => void): void {
  app.dock?.setMenu(
    Menu.buildFromTemplate(
      QUICK_SCREENS.map(({ title, path }) => ({ label: title, click: () => open(path) })),
    ),
  );
  if (process.platform !== 'win32' || !app.isPackaged) return;
  const task = { program: process.execPath, iconPath: process.execPath, iconIndex: 0 };
  app.setUserTasks(
    QUICK_SCREENS.map(({ title, link }) => ({
      ...task,
      title,
      description: title,
      arguments: `${LINK_SCHEME}://${link}`,
    })),
  );
}

/** What a program of the system prints. */
export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { timeout: 2000 });
  return stdout;
}

/**
 * An app that macOS runs from where it was downloaded can't be updated: it offers, once, to move and start anew.
 * Rejects when it couldn't be moved.
 */
export async function offerApplications(ask: Ask, settings: SettingsFile): Promise<void> {
  if (process.platform !== 'darwin' || !app.isPackaged || app.isInApplicationsFolder()) return;
  const { told = [] } = settings.read();
  if (told.includes('applications')) return;
  settings.change({ told: [...told, 'applications'] });
  const pressed = await ask({
    message: `Move ${PRODUCT_NAME} to the Applications folder?`,
    detail: 'It can only update itself there.',
    buttons: ['Move', 'Not now'],
  });
  if (pressed === 0) app.moveToApplicationsFolder();
}

/** Undefined where the app runs from its sources: a log-in would start a bare Electron. */
function loginItem(system: NodeJS.Platform): Choice | undefined {
  if (system === 'linux') {
    const command = startCommand(process.execPath, process.env, sourceFolder());
    return createAutostart(app.getPath('appData'), command);
  }
  if (!app.isPackaged || (system !== 'darwin' && system !== 'win32')) return undefined;
  const args = system === 'win32' ? [HIDDEN_ARGUMENT] : [];
  return {
    read: () => app.getLoginItemSettings({ args }).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args }),
  };
}

/** Whether the system started the app at a log-in, so that nobody waits for its window. */
export function wasStartedAtLogin(): boolean {
  if (process.platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return process.argv.includes(HIDDEN_ARGUMENT);
}

/** Started from its sources the app is Electron with a folder as its argument. */
export function sourceFolder(): string | undefined {
  const [, folder] = process.argv;
  return app.isPackaged || folder === undefined ? undefined : resolve(folder);
}

/** Shows a message over the window, if that is to be seen; the last button is the careful one. */
export async function askByDialog(
  parent: BrowserWindow | undefined,
  { message, detail, buttons }: Message,
): Promise<number> {
  const careful = buttons.length - 1;
  const options = {
    message,
    detail,
    buttons: [...buttons],
    defaultId: careful,
    cancelId: careful,
    noLink: true,
  };
  const { response } = parent?.isVisible()
    ? await dialog.showMessageBox(parent, options)
    : await dialog.showMessageBox(options);
  return response;
}

export function createNotice(notice: { title: string; body: string }): ShownNotice | undefined {
  return Notification.isSupported() ? new Notification(notice) : undefined;
}
