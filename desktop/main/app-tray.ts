import { join } from 'node:path';
import { app, Menu, nativeImage, Tray } from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { SyncState } from '#shared/platform.ts';
import type { AppWindow } from './app-window.ts';
import { trayLine, trayTemplate } from './tray.ts';

/** Puts the tray's icon up; the answer shows a new state on it. */
export function openTray(window: AppWindow): (state: SyncState) => void {
  const tray = new Tray(nativeImage.createFromPath(join(import.meta.dirname, '../icons/tray.png')));
  const { show, command } = window;
  tray.on('click', show);
  const showState = (state: SyncState): void => {
    tray.setToolTip(`${PRODUCT_NAME}: ${trayLine(state)}`);
    const template = trayTemplate(state, PRODUCT_NAME, { show, command, quit: () => app.quit() });
    tray.setContextMenu(Menu.buildFromTemplate(template));
  };
  showState({ sync: 'syncing', pending: 0 });
  return showState;
}
