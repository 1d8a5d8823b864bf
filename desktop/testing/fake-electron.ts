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
import { book, outside, world } from './fake-world.ts';

export { FakeNotice as Notification, FakeTray as Tray };

type Handler = (request: Request) => Promise<Response>;
type Listener = (...args: never[]) => unknown;
/** What is used of one of Electron's parts. */
type Part<Name extends keyof typeof Electron, Used extends keyof (typeof Electron)[Name]> = {
  [name in Name]: Pick<(typeof Electron)[Name], Used>;
};

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
  nextWindow: (): Promise<OpenedWindow> => new Promise((resolve) => world.once('window', resolve)),
  ended: (): Promise<void> => new Promise((resolve) => world.once('ended', resolve)),
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
  if (outside.isUnseen) book.heldUp.push('a picture');
}

export class OpenedWindow extends FakeWindow {
  constructor(options?: Electron.BrowserWindowConstructorOptions) {
    super(options);
    if (options?.icon !== undefined) readPicture();
    book.windows.push(this);
    book.open.add(this);
    const { show } = this;
    this.show = () => {
      outside.isUnseen = false;
      show();
    };
    queueMicrotask(() => world.emit('window', this));
  }
  /** The last window is told of as soon as it is gone, also from within destroy(), but not in a quit. */
  override emit(event: string, ...details: unknown[]): void {
    super.emit(event, ...details);
    if (event !== 'closed' || !book.open.delete(this) || book.open.size > 0) return;
    if (!app.isQuitting) app.emit('window-all-closed');
  }
}
export { OpenedWindow as BrowserWindow };

class App extends EventEmitter {
  get isPackaged(): boolean {
    return outside.isPackaged;
  }
  readonly commandLine = {
    hasSwitch: (name: string): boolean => outside.switches.includes(name),
    getSwitchValue: (name: string): string => (name === 'ozone-platform' ? 'wayland' : ''),
  };
  readonly dock: Pick<Electron.Dock, 'setMenu'> | undefined =
    process.platform === 'darwin'
      ? { setMenu: (menu: unknown): void => void (book.dock = menu as MenuItem[]) }
      : undefined;
  isQuitting = false;
  whenReady = (): Promise<void> => ready.promise;
  /** The lock is a file: where none can be made, nobody gets it. */
  requestSingleInstanceLock = (): boolean => outside.hasLock && outside.diskFailure !== 'EROFS';
  releaseSingleInstanceLock = (): void => void book.done.push('lock released');
  getPath = (name: string): string =>
    name === 'logs' ? `${outside.userData}/logs` : outside.userData;
  setPath = (name: string, path: string): void =>
    void book.done.push(`${name} ${path.replace(outside.userData, '')}`);
  getAppPath = (): string => outside.userData;
  getName = (): string => 'Ovation';
  getVersion = (): string => '1.2.3';
  resolveProxy = async (): Promise<string> => outside.proxies;
  setAppUserModelId = (id: string): void => void book.done.push(`id ${id}`);
  setToastActivatorCLSID = (id: string): void => void book.done.push(`notices ${id}`);
  setAboutPanelOptions = (): void => undefined;
  showAboutPanel = (): void => void book.done.push('about');
  isInApplicationsFolder = (): boolean => outside.isInApplications;
  moveToApplicationsFolder = (): boolean => book.done.push('moved') > 0;
  setUserTasks = (tasks: Electron.Task[]): boolean =>
    book.done.push(...tasks.map((task) => `task ${task.arguments}`)) > 0;
  setAsDefaultProtocolClient = (name: string): boolean =>
    book.done.push(`links ${name}`) > 0 && outside.takesLinks;
  setBadgeCount = (count?: number): boolean => book.done.push(`badge ${count}`) > 0;
  getLoginItemSettings = (): Electron.LoginItemSettings => ({
    openAtLogin: outside.opensAtLogin,
    wasOpenedAtLogin: outside.wasOpenedAtLogin,
    status: outside.opensAtLogin ? 'enabled' : 'not-registered',
    executableWillLaunchAtLogin: outside.opensAtLogin,
    launchItems: [],
  });
  setLoginItemSettings = ({ openAtLogin }: Electron.Settings): void =>
    void (outside.opensAtLogin = openAtLogin ?? false);
  quit = (): void => {
    book.done.push('quit');
    this.isQuitting = true;
    this.emit('before-quit');
    for (const window of book.open) window.close();
    world.emit('ended');
  };
  relaunch = (): void => void book.done.push('relaunch');
  exit = (code?: number): void => {
    book.done.push(`exit ${code}`);
    world.emit('ended');
  };
}
export const app = new App();

export const autoUpdater = new EventEmitter();
export const powerMonitor = new EventEmitter();
export const crashReporter = {
  start: ({ uploadToServer }: Electron.CrashReporterStartOptions): void =>
    void book.done.push(`crashes ${uploadToServer === false ? 'stay here' : 'are sent'}`),
};
export const protocol = {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]): void =>
    void book.done.push(`scheme ${schemes.map(({ scheme: name }) => name).join()}`),
  handle: (_scheme: string, handler: (asked: Request) => Response | Promise<Response>): void => {
    if (outside.isBroken) throw new Error('The scheme is taken');
    scheme = async (asked) => handler(asked);
  },
};
export const ipcMain = {
  handle: (channel: string, listener: Listener): void => void channels.set(channel, listener),
};
const defaultSession = {
  setPermissionRequestHandler: (): void => void book.done.push('permissions closed'),
  setPermissionCheckHandler: (): void => undefined,
  setDevicePermissionHandler: (): void => undefined,
  setSpellCheckerDictionaryDownloadURL: (): void => undefined,
  webRequest: { onBeforeRequest: (): void => void book.done.push('requests closed') },
  on: (): void => undefined,
  clearStorageData: async (): Promise<void> => void book.done.push('storage cleared'),
  clearCache: async (): Promise<void> => void book.done.push('cache cleared'),
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
    void book.errors.push(`${title}: ${content}`),
  showMessageBox: async (...args: unknown[]): Promise<Electron.MessageBoxReturnValue> => {
    book.messages.push(args.at(-1) as { message: string; detail: string });
    return { response: outside.pressed, checkboxChecked: false };
  },
  showSaveDialog: async (...args: unknown[]): Promise<Electron.SaveDialogReturnValue> => {
    const { defaultPath = '' } = args.at(-1) as Electron.SaveDialogOptions;
    book.done.push(`save ${defaultPath.replace(outside.userData, '')}`);
    return { canceled: false, filePath: `${outside.userData}/chosen.csv` };
  },
};
export const Menu = {
  buildFromTemplate: (template: MenuItem[]) => template as unknown as Electron.Menu,
  setApplicationMenu: (menu: unknown): void => void (book.menu = menu as MenuItem[]),
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
  writeText: async (text: string): Promise<void> => void book.done.push(`copied ${text}`),
};
export const shell = {
  openExternal: async (): Promise<void> => undefined,
  showItemInFolder: (path: string): void =>
    void book.done.push(`reveals ${path.replace(outside.userData, '')}`),
};

export const surface = {
  app,
  clipboard,
  crashReporter,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  shell,
  Notification: FakeNotice,
  ipcMain,
} satisfies Part<'clipboard', 'writeText'> &
  Part<'crashReporter', 'start'> &
  Part<'dialog', 'showErrorBox' | 'showMessageBox' | 'showSaveDialog'> &
  Part<'Menu', 'buildFromTemplate' | 'setApplicationMenu'> &
  Part<'nativeImage', 'createFromPath'> &
  Part<'nativeTheme', 'shouldUseDarkColors'> &
  Part<'Notification', 'isSupported'> &
  Part<'protocol', 'registerSchemesAsPrivileged' | 'handle'> &
  Part<'screen', 'getAllDisplays'> &
  Part<'shell', 'openExternal' | 'showItemInFolder'> &
  Part<'ipcMain', 'handle'> &
  Part<
    'safeStorage',
    | 'isAsyncEncryptionAvailable'
    | 'encryptStringAsync'
    | 'decryptStringAsync'
    | 'getSelectedStorageBackend'
  > &
  Part<
    'app',
    | 'exit'
    | 'getAppPath'
    | 'getLoginItemSettings'
    | 'getPath'
    | 'getVersion'
    | 'isInApplicationsFolder'
    | 'isPackaged'
    | 'moveToApplicationsFolder'
    | 'quit'
    | 'releaseSingleInstanceLock'
    | 'requestSingleInstanceLock'
    | 'resolveProxy'
    | 'setAboutPanelOptions'
    | 'setAppUserModelId'
    | 'setAsDefaultProtocolClient'
    | 'setBadgeCount'
    | 'setLoginItemSettings'
    | 'setPath'
    | 'setToastActivatorCLSID'
    | 'setUserTasks'
    | 'showAboutPanel'
    | 'whenReady'
  >;
