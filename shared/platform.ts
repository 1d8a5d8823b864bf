/**
 * What a shell offers to the one UI: the browser and the desktop app each implement it, and nothing
 * in the UI asks which of the two it runs in except through `kind`.
 */
export interface Platform {
  kind: 'browser' | 'desktop';
  /** Where the API is: empty for the page's own origin, otherwise an origin without a slash at the end. */
  apiOrigin: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** A new random UUID. */
  newId: () => string;
  /** IANA name of the zone the person is in. */
  timeZone: () => string;
  isOnline: () => boolean;
  /** Whether the person can see the page at the moment. */
  isVisible: () => boolean;
  /** Calls back when the person comes back or the network does; returns how to stop listening. */
  onWake: (listener: () => void) => () => void;
  /** Calls back when the network comes or goes; returns how to stop listening. */
  onConnectivityChange: (listener: () => void) => () => void;
  /** Opens a page outside the product, without giving it a way back. */
  openExternal: (url: string) => void;
  /**
   * Sends the person to a page elsewhere that leads back to the product, such as their bank's: in this tab, or
   * from an app in their browser.
   */
  leaveFor: (url: string) => void;
  /** Prints what the page marks as printable. */
  print: () => void;
  /** Version of the app, such as "0.1.0". */
  version: string;
  /** Tells of something that happened while the person was elsewhere; a click on it opens the path. */
  notify: (notice: SystemNotice) => void;
  /** Shows a number on the app's icon; 0 shows none. */
  setBadge: (count: number) => void;
  /** Lets a shell with a tray say how the replica stands. */
  showSyncState: (state: SyncState) => void;
  /** Calls back when a menu, a link or a notification of the shell wants something; returns how to stop. */
  onCommand: (listener: (command: ShellCommand) => void) => () => void;
  updates: PlatformUpdates;
  /** Whether the app starts with the system; undefined where a shell can't do that. */
  startAtLogin: PlatformSwitch | undefined;
  /** Whether the app goes on when its window is closed; undefined where closing is all there is. */
  keepRunning: PlatformSwitch | undefined;
  /** Whether news are told; undefined where a shell tells none, or always does and the system decides. */
  notices: PlatformSwitch | undefined;
  /** Tells of news while no page is open; undefined where a shell can't. */
  push: PlatformPush | undefined;
  /** Puts the app on the device, as one of its own; undefined where a shell is such an app. */
  install: PlatformInstall | undefined;
  /** What helps where a shell can't do what it should; undefined where it has no log of its own. */
  support: PlatformSupport | undefined;
  /** Offers a file for keeping, such as a CSV or a receipt; never throws. */
  saveFile: (name: string, content: Uint8Array<ArrayBuffer> | string, mediaType: string) => void;
  /** Removes the pictures that the shell keeps outside of the window's own storage. */
  forgetPictures: () => Promise<void>;
  /** Leaves every screen and starts the UI anew at a path. */
  restartAt: (path: string) => void;
  /** The server no longer takes this version: starts a newer one at a path, or says what is missing for it. */
  startNewer: (path: string) => void;
  /** Small texts kept between starts. */
  storage: PlatformStorage;
  /** Calls back when another window changed the stored texts; returns how to stop listening. */
  onStorageChange: (listener: () => void) => () => void;
  /** Notes something only developers need to know. Never give it what a person typed. */
  report: (event: string, detail?: unknown) => void;
}

export interface SystemNotice {
  title: string;
  body: string;
  /** The screen it is about. */
  path: string;
}

export const SYNC_STATES = ['live', 'syncing', 'offline', 'log_in', 'upgrade'] as const;

export interface SyncState {
  sync: (typeof SYNC_STATES)[number];
  /** Changes that wait to be sent. */
  pending: number;
}

/** A command from outside the page that the UI carries out. */
export type ShellCommand =
  | { kind: 'open'; path: string }
  | { kind: 'palette' }
  | { kind: 'buy_credits' }
  | { kind: 'add_account' }
  | { kind: 'sync_now' };

/** How an update of the app stands. */
export type UpdateState =
  /** Nobody said where updates come from. */
  | { kind: 'not_configured' }
  | { kind: 'none' }
  /** `percent`: of the bytes that are here, where the shell knows it. */
  | { kind: 'downloading'; version: string; percent?: number | undefined }
  /** `version`: where the shell knows it before it runs. `notes`: what is new in it. */
  | { kind: 'ready'; version: string | undefined; notes?: string | undefined }
  | { kind: 'failed' };

export interface PlatformUpdates {
  check: () => Promise<UpdateState>;
  /** Starts the new version; does nothing before one is ready. */
  install: () => void;
  onChange: (listener: (state: UpdateState) => void) => () => void;
}

/** A choice that the shell keeps. */
export interface PlatformSwitch {
  read: () => Promise<boolean>;
  /** Resolves to what is then set. */
  set: (isOn: boolean) => Promise<boolean>;
}

/** Where this browser's push service takes messages for it, and the keys they are encrypted with. */
interface PushSubscriptionKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PlatformPush {
  /** Whether this browser takes messages at the moment. */
  isOn: () => Promise<boolean>;
  /** Asks the person, and then the browser's push service; answers who said no. */
  subscribe: (publicKey: string) => Promise<PushSubscriptionKeys | 'no_permission' | 'no_service'>;
  /** Takes no messages from then on; never throws. */
  unsubscribe: () => Promise<void>;
}

export interface PlatformInstall {
  /** The browser asks the person, or leaves it to its share menu; undefined: neither, or it is done. */
  way: () => 'ask' | 'share_menu' | undefined;
  /** Calls back when the way may be another; returns how to stop listening. */
  onChange: (listener: () => void) => () => void;
  /** Has the browser ask; does nothing where it can't. */
  ask: () => Promise<void>;
}

export interface PlatformSupport {
  /** What this computer doesn't let the app do, a sentence each. */
  readProblems: () => Promise<readonly string[]>;
  /** Shows the app's log among the files. */
  revealLogs: () => void;
}

/** Reads and writes never throw: a shell without storage answers null and forgets. */
export interface PlatformStorage {
  read: (key: string) => string | null;
  write: (key: string, value: string) => void;
  remove: (key: string) => void;
}
