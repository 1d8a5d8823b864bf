import { EventEmitter } from 'node:events';
import type { OpenedWindow } from './fake-electron.ts';
import type { FakeNotice, FakeTray, MenuItem } from './fake-desktop.ts';

/** How a keyring calls itself; "none" is a machine without any. */
export type Keyring = 'none' | 'basic_text' | 'gnome_libsecret';

/** The world around one run of the app. */
export interface World {
  life: string;
  platform: NodeJS.Platform;
  keyring: Keyring;
  /** Whether no other instance runs. */
  hasLock: boolean;
  /** Whether the app runs from a package. */
  isPackaged: boolean;
  /** Where a package looks for updates. */
  updateUrl: string;
  /** Whether something is so wrong that the app can't start. */
  isBroken: boolean;
}

/** What the app did, in its own order. */
export const book = {
  done: [] as string[],
  windows: [] as OpenedWindow[],
  trays: [] as FakeTray[],
  notices: [] as FakeNotice[],
  menu: [] as MenuItem[],
  messages: [] as { message: string; detail: string }[],
  errors: [] as string[],
};

/** What the world around the app answers. */
export const outside = {
  /** The button a person presses in a dialog. */
  pressed: 0,
  hasLock: true,
  isPackaged: false,
  isBroken: false,
  keyring: 'none' as Keyring,
  userData: '',
  opensAtLogin: false,
  /** The system's proxies, as Electron tells them. */
  proxies: 'DIRECT',
};

export const world = new EventEmitter();
