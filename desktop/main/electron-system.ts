import { writeFile } from 'node:fs/promises';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  Notification,
  screen,
  shell,
} from 'electron';
import type { AppWindow } from './app-window.ts';
import type { WindowSystem } from './open-window.ts';
import type { ShownNotice } from './shell-notices.ts';
import type { ShellSystem } from './shell-requests.ts';
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
    loginItem: hasLoginItems(system)
      ? {
          read: () => app.getLoginItemSettings().openAtLogin,
          set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin }),
        }
      : undefined,
    setBadge: (count) => {
      if (system !== 'win32') app.setBadgeCount(count);
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

export function hasLoginItems(system: NodeJS.Platform): boolean {
  return system === 'darwin' || system === 'win32';
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
