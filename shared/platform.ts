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
  /** Prints what the page marks as printable. */
  print: () => void;
  /** Offers a file for keeping, such as a CSV or a receipt; never throws. */
  saveFile: (name: string, content: Uint8Array<ArrayBuffer> | string, mediaType: string) => void;
  /** Leaves every screen and starts the UI anew at a path. */
  restartAt: (path: string) => void;
  /** Small texts kept between starts. */
  storage: PlatformStorage;
  /** Calls back when another window changed the stored texts; returns how to stop listening. */
  onStorageChange: (listener: () => void) => () => void;
  /** Notes something only developers need to know. Never give it what a person typed. */
  report: (event: string, detail?: unknown) => void;
}

/** Reads and writes never throw: a shell without storage answers null and forgets. */
export interface PlatformStorage {
  read: (key: string) => string | null;
  write: (key: string, value: string) => void;
  remove: (key: string) => void;
}
