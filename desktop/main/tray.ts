import type { MenuItemConstructorOptions } from 'electron';
import type { ShellCommand, SyncState } from '#shared/platform.ts';

export interface TrayActions {
  show: () => void;
  command: (command: ShellCommand) => void;
  quit: () => void;
}

const SYNC_WORDS: Record<SyncState['sync'], string> = {
  live: 'Up to date',
  syncing: 'Syncing',
  offline: 'Offline',
  log_in: 'Log in again',
  upgrade: 'An update is needed',
};

/** One line about the local copy: "Offline, 2 orders waiting"; undefined: nobody is logged in. */
export function trayLine(state: SyncState | undefined): string {
  if (!state) return 'Not logged in';
  const { sync, pending } = state;
  if (pending === 0) return SYNC_WORDS[sync];
  return `${SYNC_WORDS[sync]}, ${pending} ${pending === 1 ? 'order waiting' : 'orders waiting'}`;
}

/** The tray's menu: how the copy stands, and what one does without opening the window first. */
export function trayTemplate(
  state: SyncState | undefined,
  appName: string,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const open = (label: string, command: ShellCommand): MenuItemConstructorOptions => ({
    label,
    click: () => {
      actions.show();
      actions.command(command);
    },
  });
  return [
    { label: trayLine(state), enabled: false },
    { type: 'separator' },
    { label: `Open ${appName}`, click: actions.show },
    open('Dashboard', { kind: 'open', path: '/dashboard' }),
    open('Buy credits…', { kind: 'buy_credits' }),
    {
      label: 'Sync now',
      enabled: state !== undefined,
      click: () => actions.command({ kind: 'sync_now' }),
    },
    { type: 'separator' },
    { label: 'Quit', click: actions.quit },
  ];
}

/** What stands in the tray. */
export interface TrayIcon {
  show: (state: SyncState | undefined) => void;
  /** Whether there is something that nobody has seen yet. */
  setNews: (hasNews: boolean) => void;
}

/** How the copy of whoever is logged in stands, and what the tray shows of it. */
export interface TrayState {
  /** Puts the icon up; what was told before is on it at once. */
  open: (icon: TrayIcon) => void;
  /** What the UI told last; undefined before, and again after a log-out. */
  told: () => SyncState | undefined;
  show: (state: SyncState) => void;
  setNews: (hasNews: boolean) => void;
  /** With nobody logged in there is no copy to speak of; the next one may be another person's. */
  setListening: (isListening: boolean) => void;
}

export function createTrayState(): TrayState {
  let icon: TrayIcon | undefined;
  let told: SyncState | undefined;
  let hasNews = false;
  const setNews = (are: boolean): void => {
    if (are !== hasNews) icon?.setNews(are);
    hasNews = are;
  };
  return {
    open: (opened) => {
      icon = opened;
      icon.show(told);
      if (hasNews) icon.setNews(true);
    },
    told: () => told,
    show: (state) => {
      told = state;
      icon?.show(state);
    },
    setNews,
    setListening: (isListening) => {
      if (!isListening) told = undefined;
      icon?.show(told);
      if (!isListening) setNews(false);
    },
  };
}

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ASK_FOR_HOST = [
  '--session',
  '--print-reply',
  `--dest=${WATCHER}`,
  '/StatusNotifierWatcher',
  'org.freedesktop.DBus.Properties.Get',
  `string:${WATCHER}`,
  'string:IsStatusNotifierHostRegistered',
];

/**
 * Whether the desktop shows a tray. GNOME has none without an extension; nobody there sees an icon, and a
 * closed window seems gone. Where it can't be found out a tray counts as there.
 */
export async function hasTrayHost(
  platform: NodeJS.Platform,
  run: (program: string, args: readonly string[]) => Promise<string>,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    return (await run('dbus-send', ASK_FOR_HOST)).includes('boolean true');
  } catch (error) {
    return !String(error).includes('org.freedesktop.DBus.Error.');
  }
}
