import type { MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '#shared/platform.ts';

export interface MenuActions {
  command: (command: ShellCommand) => void;
  chooseServer: () => void;
  checkForUpdate: () => void;
  showAbout: () => void;
}

type Item = MenuItemConstructorOptions;

/** The native menu. macOS has the app's own menu first; elsewhere its items stand under File and Help. */
export function menuTemplate(isMac: boolean, appName: string, actions: MenuActions): Item[] {
  const about: Item = { label: `About ${appName}`, click: actions.showAbout };
  const updates: Item = { label: 'Check for updates', click: actions.checkForUpdate };
  const server: Item = { label: 'Change server…', click: actions.chooseServer };
  const appMenu: Item = {
    label: appName,
    submenu: [
      about,
      updates,
      { type: 'separator' },
      server,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
  const quit: Item[] = isMac ? [] : [{ type: 'separator' }, server, { role: 'quit' }];
  return [
    ...(isMac ? [appMenu] : []),
    { label: 'File', submenu: [...fileItems(actions), { role: 'close' }, ...quit] },
    { role: 'editMenu' },
    { label: 'View', submenu: viewItems(actions) },
    { role: 'windowMenu' },
    { role: 'help', submenu: isMac ? [] : [updates, about] },
  ];
}

function fileItems({ command }: MenuActions): Item[] {
  return [
    {
      label: 'Add account…',
      accelerator: 'CmdOrCtrl+N',
      click: () => command({ kind: 'add_account' }),
    },
    {
      label: 'Buy credits…',
      accelerator: 'CmdOrCtrl+B',
      click: () => command({ kind: 'buy_credits' }),
    },
    { type: 'separator' },
  ];
}

/** Shortcut, name and path of the screens that have one. */
const SCREENS = [
  ['CmdOrCtrl+1', 'Dashboard', '/dashboard'],
  ['CmdOrCtrl+2', 'Subscriptions', '/my-subscriptions'],
  ['CmdOrCtrl+3', 'Billing', '/my-billing'],
  ['CmdOrCtrl+,', 'Account settings', '/my-settings'],
] as const;

function viewItems({ command }: MenuActions): Item[] {
  return [
    {
      label: 'Find a command…',
      accelerator: 'CmdOrCtrl+K',
      click: () => command({ kind: 'palette' }),
    },
    { label: 'Sync now', accelerator: 'CmdOrCtrl+R', click: () => command({ kind: 'sync_now' }) },
    { type: 'separator' },
    ...SCREENS.map(([accelerator, label, path]): Item => ({
      label,
      accelerator,
      click: () => command({ kind: 'open', path }),
    })),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ];
}
