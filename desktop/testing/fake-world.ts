import { EventEmitter } from 'node:events';
import type { UpdateLie } from './fake-update-server.ts';
import type { KeyringKind } from './fake-keyring.ts';
import type { OpenedWindow } from './fake-electron.ts';
import type { FakeNotice, FakeTray, MenuItem } from './fake-desktop.ts';

/** The world around one run of the app. */
export interface World {
  life: string;
  platform: NodeJS.Platform;
  keyring: KeyringKind;
  /** Whether the system started the app at a log-in. */
  isAtLogin: boolean;
  /** Whether the desktop shows a tray. */
  hasTray: boolean;
  /** Whether no other instance runs. */
  hasLock: boolean;
  /** Whether the app runs from a package. */
  isPackaged: boolean;
  /** Where a package looks for updates; undefined: at a server of this run. */
  updateUrl: string | undefined;
  /** What is wrong with what lies there. */
  updateLie: UpdateLie;
  /** Whether the app may write the folder it runs from. */
  isReadOnly: boolean;
  /** What every write to the person's folder fails with at the start: a full disk, or one that is only read. */
  diskFailure: 'ENOSPC' | 'EROFS' | undefined;
  /** Whether links of the app's own scheme can lead to it: not to an AppImage that lies anywhere. */
  takesLinks: boolean;
  /** Whether something is so wrong that the app can't start. */
  isBroken: boolean;
}

/** What the app did, in its own order. */
export const book = {
  done: [] as string[],
  windows: [] as OpenedWindow[],
  /** Those that are not closed. */
  open: new Set<OpenedWindow>(),
  trays: [] as FakeTray[],
  notices: [] as FakeNotice[],
  menu: [] as MenuItem[],
  /** The menu of the dock's icon. */
  dock: [] as MenuItem[],
  messages: [] as { message: string; detail: string }[],
  errors: [] as string[],
  /** Calls of the disk that hold everything up, made while nobody saw a window yet. */
  heldUp: [] as string[],
  /** What was read until then by calls that hold nothing up, once each. */
  read: new Set<string>(),
};

/** What the world around the app answers. */
export const outside = {
  /** The button a person presses in a dialog. */
  pressed: 0,
  hasLock: true,
  isPackaged: false,
  isBroken: false,
  takesLinks: true,
  /** Electron is ready, and no window has come into sight yet. */
  isUnseen: false,
  userData: '',
  /** macOS: whether the app lies where apps belong. */
  isInApplications: false,
  opensAtLogin: false,
  wasOpenedAtLogin: false,
  /** What a write to the person's folder fails with now. */
  diskFailure: undefined as World['diskFailure'],
  /** Switches of Chromium that the app was started with. */
  switches: [] as string[],
  /** The system's proxies, as Electron tells them. */
  proxies: 'DIRECT',
};

export const world = new EventEmitter();
