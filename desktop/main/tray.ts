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

/** One line about the local copy: "Offline, 2 orders wait". */
export function trayLine({ sync, pending }: SyncState): string {
  if (pending === 0) return SYNC_WORDS[sync];
  return `${SYNC_WORDS[sync]}, ${pending} ${pending === 1 ? 'order waits' : 'orders wait'}`;
}

/** The tray's menu: how the copy stands, and what one does without opening the window first. */
export function trayTemplate(
  state: SyncState,
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
    { label: 'Sync now', click: () => actions.command({ kind: 'sync_now' }) },
    { type: 'separator' },
    { label: 'Quit', click: actions.quit },
  ];
}
