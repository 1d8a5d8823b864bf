import { EventEmitter } from 'node:events';
import type { FakeNotice, FakeTray, MenuItem } from './fake-desktop.ts';
import type { OpenedWindow } from './fake-electron.ts';
import type { KeyringKind } from './fake-keyring.ts';
import type { UpdateLie } from './fake-update-server.ts';

/** The world around one run of the app; what isn't said is as it usually is. */
export const world = {
  platform: 'linux' as NodeJS.Platform,
  keyring: 'none' as KeyringKind,
  /** Whether the system started the app at a log-in. */
  isAtLogin: false,
  /** Whether it is to do so. */
  opensAtLogin: false,
  /** Whether the desktop shows a tray. */
  hasTray: true,
  /** Whether no other instance runs. */
  hasLock: true,
  /** Whether the app runs from a package. */
  isPackaged: false,
  /** macOS: whether the app lies where apps belong. */
  isInApplications: false,
  /** Where a package looks for updates; undefined: at a server of this run. */
  updateUrl: undefined as string | undefined,
  /** What is wrong with what lies there. */
  updateLie: 'none' as UpdateLie,
  /** Half a minute of waiting is none. */
  isInHurry: false,
  /** Whether the app may write the folder it runs from. */
  isReadOnly: false,
  /** What every write to the person's folder fails with: a full disk, or one that is only read. */
  diskFailure: undefined as 'ENOSPC' | 'EROFS' | undefined,
  /** Whether links of the app's own scheme can lead to it: not to an AppImage that lies anywhere. */
  takesLinks: true,
  /** Whether something is so wrong that the app can't start. */
  isBroken: false,
  /** The person's folder. */
  userData: '',
  /** The button a person presses in a dialog. */
  pressed: 0,
  /** The system's proxies, as Electron tells them. */
  proxies: 'DIRECT',
  /** Electron is ready, and no window has come up yet. */
  isUnseen: false,
};
export type World = typeof world;

/** What the app did, in its own order. */
export const record = {
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

/** 'window': one was opened; 'ended': the app quits. */
export const events = new EventEmitter();
