import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  type NativeImage,
  nativeImage,
  nativeTheme,
  Notification,
  screen,
  shell,
} from 'electron';
import type { AppWindow } from './app-window.ts';
import { createAutostart, startCommand } from './autostart.ts';
import type { WindowSystem } from './open-window.ts';
import type { ShownNotice } from './shell-notices.ts';
import type { LoginItem, ShellSystem } from './shell-requests.ts';
import { showOnTaskbar } from './taskbar-badge.ts';
import type { Message } from './update-message.ts';

/** What Electron does for a window, without a thought of its own. */
export const electronWindows: WindowSystem = {
  create: (options) => new BrowserWindow(options),
  workAreas: () => screen.getAllDisplays().map((display) => display.workArea),
  isDark: () => nativeTheme.shouldUseDarkColors,
  popUp: (menu, window) => Menu.buildFromTemplate(menu).popup({ window }),
};

/** Whoever has no browser is told the address at least. */
export function openInBrowser(url: string): void {
  const tell = (): void => dialog.showErrorBox('No browser could be opened', url);
  shell.openExternal(url).catch(tell);
}

/** What Electron does for the requests of the window. */
export function electronShell(current: AppWindow['current'], system: NodeJS.Platform): ShellSystem {
  return {
    loginItem: loginItem(system),
    setBadge: (count) => {
      if (system === 'win32') showOnTaskbar(current(), count, badgeDot);
      else app.setBadgeCount(count);
    },
    askWhereToSave: async (name) => {
      const parent = current();
      if (!parent) return undefined;
      const { canceled, filePath } = await dialog.showSaveDialog(parent, { defaultPath: name });
      return canceled ? undefined : filePath;
    },
    writeFile: (path, content) => writeFile(path, content),
    print: () => current()?.webContents.print(),
  };
}

function badgeDot(): NativeImage {
  return nativeImage.createFromPath(join(import.meta.dirname, '../icons/badge.png'));
}

function loginItem(system: NodeJS.Platform): LoginItem | undefined {
  if (system === 'linux') {
    const command = startCommand(process.execPath, process.env, sourceFolder());
    return createAutostart(app.getPath('appData'), command);
  }
  if (system !== 'darwin' && system !== 'win32') return undefined;
  return {
    read: () => app.getLoginItemSettings().openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin }),
  };
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
