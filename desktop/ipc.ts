import type { SystemNotice, ShellCommand, SyncState, UpdateState } from '#shared/platform.ts';

/** How the choice of a server ended. */
export type ServerChoice =
  | { kind: 'chosen'; server: string }
  | { kind: 'bad_address' }
  /** Plain http to another machine. */
  | { kind: 'insecure' }
  | { kind: 'unreachable' }
  /** The network's proxy lets nothing through before; `canBeGiven`: by a name and a password. */
  | { kind: 'proxy_login'; canBeGiven: boolean }
  | { kind: 'bad_certificate'; reason: 'expired' | 'other_name' | 'unknown_issuer' }
  | { kind: 'not_ovation' }
  | { kind: 'other_protocol'; isServerNewer: boolean };

/**
 * Everything the window may ask of the main process: the one table of both ends. What arrives is
 * parsed by `main/requests.ts`, which has a schema for each name.
 */
export interface Requests {
  /** Whether the UI listens for commands; it does while somebody is logged in. */
  setListening: (isListening: boolean) => void;
  /** Asks an address whether it is a server of ours, and remembers it when it is. */
  chooseServer: (address: string) => ServerChoice;
  /** Goes back to the present server instead of choosing another one. */
  keepServer: () => void;
  readStartAtLogin: () => boolean;
  setStartAtLogin: (isOn: boolean) => boolean;
  /** Whether the app goes on when its window is closed. */
  readKeepRunning: () => boolean;
  setKeepRunning: (isOn: boolean) => boolean;
  notify: (notice: SystemNotice) => void;
  setBadge: (count: number) => void;
  saveFile: (file: SavedFile) => 'saved' | 'canceled' | 'failed';
  /** Removes the pictures kept for offline. */
  forgetPictures: () => void;
  openExternal: (url: string) => void;
  print: () => void;
  /** How an update stands, without asking for one. */
  readUpdate: () => UpdateState;
  checkForUpdate: () => UpdateState;
  installUpdate: () => void;
  /** The server wants a newer app: starts it, or tells the person what is missing. */
  startNewer: () => void;
  setTrayState: (state: SyncState) => void;
  /** What this computer doesn't let the app do, a sentence each. */
  readProblems: () => readonly string[];
  /** Shows the app's log among the files. */
  revealLogs: () => void;
  /** What a proxy asks of the person now; null: nothing. */
  readProxyQuestion: () => ProxyQuestion | null;
  /** Answers it; null: not now. */
  answerProxy: (answer: ProxyLoginAnswer | null) => void;
}

/** The proxy of this network ("host:port") lets nothing through without a log-in. */
export interface ProxyQuestion {
  proxy: string;
  /** It didn't take what it was given. */
  wasWrong: boolean;
}

export interface ProxyLoginAnswer {
  user: string;
  password: string;
  /** Whether it is to last, behind the system's keyring. */
  isKept: boolean;
}

interface SavedFile {
  name: string;
  content: string | Uint8Array<ArrayBuffer>;
}

export type RequestName = keyof Requests;
export const REQUEST_NAMES = [
  'setListening',
  'chooseServer',
  'keepServer',
  'readStartAtLogin',
  'setStartAtLogin',
  'readKeepRunning',
  'setKeepRunning',
  'notify',
  'setBadge',
  'saveFile',
  'forgetPictures',
  'openExternal',
  'print',
  'readUpdate',
  'checkForUpdate',
  'installUpdate',
  'startNewer',
  'setTrayState',
  'readProblems',
  'revealLogs',
  'readProxyQuestion',
  'answerProxy',
] as const satisfies readonly RequestName[];

/** What the main process tells the window. */
export interface ShellEvents {
  command: ShellCommand;
  update: UpdateState;
  /** The computer slept, or somebody came back to it: what was open before is dead. */
  wake: null;
  /** The person wants to find a text in the page. */
  find: null;
  /** A proxy asks for a log-in, or no more. */
  proxyQuestion: ProxyQuestion | null;
}
type EventName = keyof ShellEvents;
export const EVENT_NAMES = [
  'command',
  'update',
  'wake',
  'find',
  'proxyQuestion',
] as const satisfies readonly EventName[];

/** What the window knows of the shell at once. */
export interface ShellAbout {
  readonly version: string;
  /** Whether a server has been chosen; without one the window asks for it. */
  readonly hasServer: boolean;
  /** The server that stays when the choice of another one is given up. */
  readonly presentServer?: string | undefined;
  /** The system keeps no list of programs to start with it. */
  readonly hasNoLoginItems?: boolean;
}

/** What the preload script gives the window, under the name `ovationShell`. */
export interface Shell extends ShellAbout {
  request: <Name extends RequestName>(
    name: Name,
    ...args: Parameters<Requests[Name]>
  ) => Promise<ReturnType<Requests[Name]>>;
  /** Calls back on each event of a name; returns how to stop listening. */
  on: <Name extends EventName>(
    name: Name,
    listener: (detail: ShellEvents[Name]) => void,
  ) => () => void;
}

export const requestChannel = (name: RequestName): string => `ovation:request:${name}`;
export const eventChannel = (name: EventName): string => `ovation:event:${name}`;
/** How the preload script learns at once what `Shell` states. */
export const ABOUT_ARGUMENT = '--ovation-about=';
