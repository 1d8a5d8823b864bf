import { writeFile } from 'node:fs/promises';
import { app, dialog, Notification, shell } from 'electron';
import type { SyncState } from '#shared/platform.ts';
import type { AppWindow } from './app-window.ts';
import { mayOpenOutside } from './guards.ts';
import type { RequestHandlers } from './serve-ipc.ts';
import { checkServer } from './server-address.ts';
import type { Updates } from './updates.ts';

export interface ShellRequestDeps {
  window: AppWindow;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  updates: Updates;
  forgetPictures(): Promise<void>;
  /** Belongs to this server from now on, with a fresh window and no session of another one. */
  changeServer(server: string): Promise<void>;
  showSyncState(state: SyncState): void;
}

/** What the shell does for the window, request by request. */
export function shellRequests(deps: ShellRequestDeps): RequestHandlers {
  const { window, updates } = deps;
  return {
    ready: window.ready,
    chooseServer: async (address) => {
      const choice = await checkServer(address, deps.fetch);
      if (choice.kind === 'chosen') await deps.changeServer(choice.server);
      return choice;
    },
    readStartAtLogin: () => app.getLoginItemSettings().openAtLogin,
    setStartAtLogin: (openAtLogin) => {
      app.setLoginItemSettings({ openAtLogin });
      return app.getLoginItemSettings().openAtLogin;
    },
    notify: ({ title, body, path }) => {
      const notification = new Notification({ title, body });
      notification.on('click', () => {
        window.show();
        window.command({ kind: 'open', path });
      });
      notification.show();
    },
    setBadge: (count) => void app.setBadgeCount(count),
    saveFile: async ({ name, content }) => {
      const parent = window.current();
      if (!parent) return 'canceled';
      const { canceled, filePath } = await dialog.showSaveDialog(parent, {
        defaultPath: plainName(name),
      });
      if (canceled) return 'canceled';
      try {
        await writeFile(filePath, content);
        return 'saved';
      } catch {
        return 'failed';
      }
    },
    forgetPictures: () => deps.forgetPictures(),
    openExternal: (url) => {
      if (mayOpenOutside(url)) void shell.openExternal(url);
    },
    print: () => window.current()?.webContents.print(),
    checkForUpdate: () => updates.check(),
    installUpdate: () => updates.install(),
    setTrayState: (state) => deps.showSyncState(state),
  };
}

/** A suggestion only; no folder of the window's choosing. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-');
}
