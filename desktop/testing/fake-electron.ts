/**
 * Electron as far as the main process uses it, for a Node without Electron. Like the real one it is
 * ready only after the entry has been evaluated; then the test asks what the app did.
 */
import { EventEmitter } from 'node:events';
import { FakeWindow } from './fake-window.ts';

type Handler = (request: Request) => Promise<Response>;
type Listener = (...args: unknown[]) => unknown;

const ready = Promise.withResolvers<void>();
const world = new EventEmitter();

/** What the app did, in its own order. */
export const book = {
  done: [] as string[],
  windows: [] as OpenedWindow[],
  menu: undefined as unknown,
  messages: [] as { message: string; detail: string }[],
  errors: [] as string[],
};
/** What the world around the app answers. */
export const outside = { pressed: 0, hasLock: true, userData: '' };

let scheme: Handler | undefined;
const channels = new Map<string, Listener>();

export const control = {
  becomeReady: (): void => ready.resolve(),
  /** The window that is opened next. */
  nextWindow: (): Promise<OpenedWindow> => new Promise((resolve) => world.once('window', resolve)),
  ended: (): Promise<void> => new Promise((resolve) => world.once('ended', resolve)),
  fetch: (url: string): Promise<Response> =>
    scheme?.(new Request(url)) ?? Promise.reject(new Error('The scheme is not served')),
  /** What the window's UI asks. */
  ask: async (name: string, ...args: unknown[]): Promise<unknown> => {
    const frame = { url: 'app://ovation/', top: undefined as unknown };
    frame.top = frame;
    return channels.get(`ovation:request:${name}`)?.({ senderFrame: frame }, ...args);
  },
};

class OpenedWindow extends FakeWindow {
  constructor(options: ConstructorParameters<typeof FakeWindow>[0]) {
    super(options);
    book.windows.push(this);
    queueMicrotask(() => world.emit('window', this));
  }
}
export { OpenedWindow as BrowserWindow };

class App extends EventEmitter {
  isPackaged = false;
  whenReady = (): Promise<void> => ready.promise;
  requestSingleInstanceLock = (): boolean => outside.hasLock;
  getPath = (): string => outside.userData;
  getVersion = (): string => '1.2.3';
  setAppUserModelId = (id: string): void => void book.done.push(`id ${id}`);
  setAboutPanelOptions = (): void => undefined;
  showAboutPanel = (): void => undefined;
  setAsDefaultProtocolClient = (name: string): boolean => book.done.push(`links ${name}`) > 0;
  setBadgeCount = (count: number): boolean => book.done.push(`badge ${count}`) > 0;
  getLoginItemSettings = () => ({ openAtLogin: false });
  setLoginItemSettings = (): void => undefined;
  quit = (): void => {
    book.done.push('quit');
    this.emit('before-quit');
    for (const window of book.windows) window.close();
    world.emit('ended');
  };
  exit = (code: number): void => {
    book.done.push(`exit ${code}`);
    world.emit('ended');
  };
}
export const app = new App();

export const protocol = {
  registerSchemesAsPrivileged: (schemes: { scheme: string }[]): void =>
    void book.done.push(`scheme ${schemes.map(({ scheme: name }) => name).join()}`),
  handle: (_scheme: string, handler: Handler): void => void (scheme = handler),
};
export const ipcMain = {
  handle: (channel: string, listener: Listener): void => void channels.set(channel, listener),
};
export const session = {
  defaultSession: {
    setPermissionRequestHandler: (): void => void book.done.push('permissions closed'),
    setPermissionCheckHandler: (): void => undefined,
    setDevicePermissionHandler: (): void => undefined,
    webRequest: { onBeforeRequest: (): void => void book.done.push('requests closed') },
    on: (): void => undefined,
    clearStorageData: async (): Promise<void> => void book.done.push('storage cleared'),
    clearCache: async (): Promise<void> => undefined,
  },
};
export const safeStorage = {
  isEncryptionAvailable: (): boolean => false,
  getSelectedStorageBackend: (): string => 'basic_text',
};
export const dialog = {
  showErrorBox: (title: string, content: string): void =>
    void book.errors.push(`${title}: ${content}`),
  showMessageBox: async (...args: unknown[]): Promise<{ response: number }> => {
    book.messages.push(args.at(-1) as { message: string; detail: string });
    return { response: outside.pressed };
  },
  showSaveDialog: async () => ({ canceled: true, filePath: '' }),
};
export const Menu = {
  buildFromTemplate: (template: unknown): unknown => template,
  setApplicationMenu: (menu: unknown): void => void (book.menu = menu),
};
export class Tray {
  on = (): void => undefined;
  setToolTip = (tip: string): void => void book.done.push(`tray ${tip}`);
  setContextMenu = (): void => undefined;
}
export const nativeImage = { createFromPath: (path: string): string => path };
export const nativeTheme = { shouldUseDarkColors: false };
export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};
export const shell = { openExternal: async (): Promise<void> => undefined };
export const Notification = { isSupported: (): boolean => false };
