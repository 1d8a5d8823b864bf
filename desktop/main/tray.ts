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

/** One line about the local copy: "Offline, 2 orders wait"; undefined: nobody is logged in. */
export function trayLine(state: SyncState | undefined): string {
  if (!state) return 'Not logged in';
  const { sync, pending } = state;
  if (pending === 0) return SYNC_WORDS[sync];
  return `${SYNC_WORDS[sync]}, ${pending} ${pending === 1 ? 'order waits' : 'orders wait'}`;
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

/** How the copy of whoever is logged in stands, and what the tray shows of it. */
export interface TrayState {
  /** What the UI told last; undefined before, and again after a log-out. */
  told: () => SyncState | undefined;
  show: (state: SyncState) => void;
  /** With nobody logged in there is no copy to speak of; the next one may be another person's. */
  setListening: (isListening: boolean) => void;
}

export function createTrayState(show: (state: SyncState | undefined) => void): TrayState {
  let told: SyncState | undefined;
  show(undefined);
  return {
    told: () => told,
    show: (state) => {
      told = state;
      show(state);
    },
    setListening: (isListening) => {
      if (!isListening) told = undefined;
      show(told);
    },
  };
}
