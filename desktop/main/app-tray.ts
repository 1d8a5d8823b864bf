import { join } from 'node:path';
import { Menu, nativeImage, Tray } from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { SyncState } from '#shared/platform.ts';
import { type TrayActions, trayLine, trayTemplate } from './tray.ts';

/** Puts the tray's icon up; the answer shows a new state on it. */
export function openTray(actions: TrayActions): (state: SyncState | undefined) => void {
  const isMac = process.platform === 'darwin';
  // macOS colours a template itself, so that it is seen on a light and on a dark bar.
  const icon = isMac ? 'trayTemplate.png' : 'tray.png';
  const tray = new Tray(nativeImage.createFromPath(join(import.meta.dirname, '../icons', icon)));
  // There a click opens the menu.
  if (!isMac) tray.on('click', actions.show);
  return (state) => {
    tray.setToolTip(`${PRODUCT_NAME}: ${trayLine(state)}`);
    tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, PRODUCT_NAME, actions)));
  };
}
