/**
 * Electron as far as the main process uses it, for a Node without Electron. Like the real one it is
 * ready only after the entry has been evaluated; then the test asks what the app did. `surface` is held
 * against Electron's own types: an upgrade that changes what is used here breaks the compiler.
 */
import { EventEmitter } from 'node:events';
import { request } from 'node:http';
import type * as Electron from 'electron';
import { FakeNotice, FakeTray, type MenuItem } from './fake-desktop.ts';
import { FakeKeyring } from './fake-keyring.ts';
import { serveScheme } from './fake-protocol.ts';
import { FakeWindow } from './fake-window.ts';
import { events, record, world } from './fake-world.ts';

export { FakeNotice as Notification, FakeTray as Tray };

type Handler = (request: Request) => Promise<Response>;
type Listener = (...args: never[]) => unknown;
/** Who a message came from, as Electron tells it. */
export interface Frame {
  url: string;
  top: Frame;
}

const ready = Promise.withResolvers<void>();
let scheme: Handler | undefined;
const channels = new Map<string, Listener>();

/** A frame of its own, or one inside of another. */
export function frameOf(url: string, top?: Frame): Frame {
  const frame = { url } as Frame;
  frame.top = top ?? frame;
  return frame;
}
const OWN = frameOf('app://ovation/');

export const control = {
  becomeReady: (): void => ready.resolve(),
  /** The window that is opened next. */
  nextWindow: (): Promise<OpenedWindow> => new Promise((resolve) => events.once('window', resolve)),
  ended: (): Promise<void> => new Promise((resolve) => events.once('ended', resolve)),
  /** As Chromium's loader asks. */
  fetch: (url: string, init?: RequestInit): Promise<Response> =>
    scheme ? serveScheme(scheme, url, init) : Promise.reject(new Error('The scheme is not served')),
  /** What the window's UI asks. */
  ask: (name: string, ...args: unknown[]): Promise<unknown> => control.askAs(OWN, name, ...args),
  /** What some frame asks; null is one that has gone meanwhile. */
  askAs: async (senderFrame: Frame | null, name: string, ...args: unknown[]): Promise<unknown> => {
    const listener = channels.get(`ovation:request:${name}`);
    if (!listener) throw new Error(`Nobody serves "${name}"`);
    return listener(...([{ senderFrame }, ...args] as never[]));
  },
};

/** Electron reads and decodes a picture itself, while everything else waits. */
function readPicture(): void {
  if (world.isUnseen) record.heldUp.push('a picture');
}

export class OpenedWindow extends FakeWindow {
  constructor(options?: Electron.BrowserWindowConstructorOptions) {
    super(options);
    if (options?.icon !== undefined) readPicture();
    record.windows.push(this);
    record.open.add(this);
    const { show } = this;
    this.show = () => {
      world.isUnseen = false;
      show();
    };
    queueMicrotask(() => events.emit('window', this));
  }
  /** The last window is told of as soon as it is gone, also from within destroy(), but not in a quit. */
  override emit(event: string, ...details: unknown[]): void {
    super.emit(event, ...details);
    if (event !== 'closed' || !record.open.delete(this) || record.open.size > 0) return;
    if (!app.isQuitting) app.emit('window-all-closed');
  }
}
export { OpenedWindow as BrowserWindow };

/** As much of one of Electron's things as is used. */
const partly = <Whole>(part: Partial<Whole>): Whole => part as Whole;

class App extends EventEmitter {
  get isPackaged(): boolean {
    return world.isPackaged;
  }
  readonly commandLine = partly<Electron.CommandLine>({
    hasSwitch: () => false,
    getSwitchValue: (name) => (name === 'ozone-platform' ? 'wayland' : ''),
  });
  get dock(): Electron.Dock | undefined {
    const setMenu = (menu: unknown): void => void (record.dock = menu as MenuItem[]);
    return world.platform === 'darwin' ? partly<Electron.Dock>({ setMenu }) : undefined;
  }
  isQuitting = false;
  whenReady = (): Promise<void> => ready.promise;
  /** The lock is a file: where none can be made, nobody gets it. */
  requestSingleInstanceLock = (): boolean => world.hasLock && world.diskFailure !== 'EROFS';
  releaseSingleInstanceLock = (): void => void record.done.push('lock released');
  getPath = (name: string): string => (name === 'logs' ? `${world.userData}/logs` : world.userData);
  setPath = (name: string, path: string): void =>
    void record.done.push(`${name} ${path.replace(world.userData, '')}`);
  getAppPath = (): string => world.userData;
  getName = (): string => 'Ovation';
  getVersion = (): string => '1.2.3';
  resolveProxy = async (): Promise<string> => world.proxies;
  setAppUserModelId = (id: string): void => void record.done.push(`id ${id}`);
  setToastActivatorCLSID = (id: string): void => void record.done.push(`notices ${id}`);
  setAboutPanelOptions = (): void => undefined;
  showAboutPanel = (): void => void record.done.push('about');
  isInApplicationsFolder = (): boolean => world.isInApplications;
  moveToApplicationsFolder = (): boolean => record.done.push('moved') > 0;
  setUserTasks = (tasks: Electron.Task[]): boolean =>
    record.done.push(...tasks.map((task) => `task ${task.arguments}`)) > 0;
  setAsDefaultProtocolClient = (name: string): boolean =>
    record.done.push(`links ${name}`) > 0 && world.takesLinks;
  setBadgeCount = (count?: number): boolean => record.done.push(`badge ${count}`) > 0;
  getLoginItemSettings = (): Electron.LoginItemSettings => ({
    openAtLogin: world.opensAtLogin,
    wasOpenedAtLogin: world.isAtLogin,
    status: world.opensAtLogin ? 'enabled' : 'not-registered',
    executableWillLaunchAtLogin: world.opensAtLogin,
    launchItems: [],
  });
  setLoginItemSettings = ({ openAtLogin }: Electron.Settings): void =>
    void (world.opensAtLogin = openAtLogin ?? false);
  quit = (): void => {
    record.done.push('quit');
    this.isQuitting = true;
    this.emit('before-quit');
    for (const window of record.open) window.close();
    events.emit('ended');
  };
  exit = (code?: number): void => {
    record.done.push(`exit ${code}`);
    events.emit('ended');
  };
}
export const app = new App();

export const autoUpdater = new EventEmitter();
export const powerMonitor = new EventEmitter();
export const crashReporter = {
  start: ({ uploadToServer }: Electron.CrashReporterStartOptions): void =>
    void record.done.push(`crashes ${uploadToServer === false ? 'stay here' : 'are sent'}`),
};
export const protocol = {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]): void =>
    void record.done.push(`scheme ${schemes.map(({ scheme: name }) => name).join()}`),
  handle: (_scheme: string, handler: (asked: Request) => Response | Promise<Response>): void => {
    if (world.isBroken) throw new Error('The scheme is taken');
    scheme = async (asked) => handler(asked);
  },
};
export const ipcMain = {
  handle: (channel: string, listener: Listener): void => void channels.set(channel, listener),
};
const defaultSession = {
  setPermissionRequestHandler: (): void => void record.done.push('permissions closed'),
  setPermissionCheckHandler: (): void => undefined,
  setDevicePermissionHandler: (): void => undefined,
  setSpellCheckerDictionaryDownloadURL: (): void => undefined,
  webRequest: { onBeforeRequest: (): void => void record.done.push('requests closed') },
  on: (): void => undefined,
  clearStorageData: async (): Promise<void> => void record.done.push('storage cleared'),
  clearCache: async (): Promise<void> => void record.done.push('cache cleared'),
};
export const session = { defaultSession, fromPartition: () => ({}) };
/** What electron-updater asks by; Node's own understands the same options. */
export const net = {
  request: (options: object) => {
    const made = request(options);
    const on = made.on.bind(made);
    // Electron's has no such event: what waits for a socket waits for ever.
    made.on = ((event, listener) =>
      event === 'socket' ? made : on(event, listener)) as typeof made.on;
    return made;
  },
};
export const safeStorage = new FakeKeyring('none');
export const dialog = {
  showErrorBox: (title: string, content: string): void =>
    void record.errors.push(`${title}: ${content}`),
  showMessageBox: async (...args: unknown[]): Promise<Electron.MessageBoxReturnValue> => {
    record.messages.push(args.at(-1) as { message: string; detail: string });
    return { response: world.pressed, checkboxChecked: false };
  },
  showSaveDialog: async (...args: unknown[]): Promise<Electron.SaveDialogReturnValue> => {
    const { defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions;
    record.done.push(`save ${defaultPath.replace(world.userData, '')}`);
    return { canceled: false, filePath: `${world.userData}/chosen.csv` };
  },
};
export const Menu = {
  buildFromTemplate: (template: MenuItem[]) => template as unknown as Electron.Menu,
  setApplicationMenu: (menu: unknown): void => void (record.menu = menu as MenuItem[]),
};
export const nativeImage = {
  createFromPath: (path: string) => {
    readPicture();
    return path as unknown as Electron.NativeImage;
  },
};
export const nativeTheme = { shouldUseDarkColors: false };
const workArea = { x: 0, y: 0, width: 1920, height: 1080 };
export const screen = { getAllDisplays: () => [{ workArea } as Electron.Display] };
export const clipboard = {
  writeText: async (text: string): Promise<void> => void record.done.push(`copied ${text}`),
};
export const shell = {
  openExternal: async (): Promise<void> => undefined,
  showItemInFolder: (path: string): void =>
    void record.done.push(`reveals ${path.replace(world.userData, '')}`),
};

type Parts = typeof Electron;
/** Each part of what is used of Electron must be as its own types say; an upgrade that changes one breaks the compiler. */
type Fake<Name extends keyof Parts> = Partial<Omit<Parts[Name], keyof EventEmitter | 'prototype'>>;

type Used =
  | ('app' | 'clipboard' | 'crashReporter' | 'dialog' | 'ipcMain' | 'Menu' | 'nativeImage')
  | ('nativeTheme' | 'Notification' | 'protocol' | 'safeStorage' | 'screen' | 'shell');

export const surface = {
  app,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification: FakeNotice,
  protocol,
  safeStorage,
  screen,
  shell,
} satisfies { [Name in Used]: Fake<Name> };
