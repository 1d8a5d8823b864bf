/**
 * Electron as far as the main process uses it, for a Node without Electron. Like the real one it is
 * ready only after the entry has been evaluated; then the test asks what the app did.
 */
import { EventEmitter } from 'node:events';
import type { MenuItem } from './fake-desktop.ts';
import { FakeWindow } from './fake-window.ts';
import { book, outside, world } from './fake-world.ts';

export { FakeNotice as Notification, FakeTray as Tray } from './fake-desktop.ts';

type Handler = (request: Request) => Promise<Response>;
type Listener = (...args: unknown[]) => unknown;

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
  fetch: (url: string, init?: RequestInit): Promise<Response> =>
    scheme?.(new Request(url, init)) ?? Promise.reject(new Error('The scheme is not served')),
  /** What the window's UI asks. */
  ask: (name: string, ...args: unknown[]): Promise<unknown> => control.askAs(OWN, name, ...args),
  /** What some frame asks; null is one that has gone meanwhile. */
  askAs: async (senderFrame: Frame | null, name: string, ...args: unknown[]): Promise<unknown> => {
    const listener = channels.get(`ovation:request:${name}`);
    if (!listener) throw new Error(`Nobody serves "${name}"`);
    return listener({ senderFrame }, ...args);
  },
};

export class OpenedWindow extends FakeWindow {
  constructor(options: ConstructorParameters<typeof FakeWindow>[0]) {
    super(options);
    book.windows.push(this);
    queueMicrotask(() => world.emit('window', this));
  }
}
export { OpenedWindow as BrowserWindow };

class App extends EventEmitter {
  get isPackaged(): boolean {
    return outside.isPackaged;
  }
  whenReady = (): Promise<void> => ready.promise;
  requestSingleInstanceLock = (): boolean => outside.hasLock;
  getPath = (): string => outside.userData;
  getAppPath = (): string => outside.userData;
  getVersion = (): string => '1.2.3';
  resolveProxy = async (): Promise<string> => outside.proxies;
  setAppUserModelId = (id: string): void => void book.done.push(`id ${id}`);
  setAboutPanelOptions = (): void => undefined;
  showAboutPanel = (): void => void book.done.push('about');
  setAsDefaultProtocolClient = (name: string): boolean => book.done.push(`links ${name}`) > 0;
  setBadgeCount = (count: number): boolean => book.done.push(`badge ${count}`) > 0;
  getLoginItemSettings = () => ({ openAtLogin: outside.opensAtLogin });
  setLoginItemSettings = ({ openAtLogin }: { openAtLogin: boolean }): void =>
    void (outside.opensAtLogin = openAtLogin);
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
  handle: (_scheme: string, handler: Handler): void => {
    if (outside.isBroken) throw new Error('The scheme is taken');
    scheme = handler;
  },
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
    clearCache: async (): Promise<void> => void book.done.push('cache cleared'),
  },
};
const locked = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
export const safeStorage = {
  isEncryptionAvailable: (): boolean => outside.keyring !== 'none',
  getSelectedStorageBackend: (): string => outside.keyring,
  encryptString: (text: string): Buffer => locked(Buffer.from(text)),
  decryptString: (bytes: Buffer): string => locked(bytes).toString(),
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
  buildFromTemplate: (template: MenuItem[]): MenuItem[] => template,
  setApplicationMenu: (menu: MenuItem[]): void => void (book.menu = menu),
};
export const nativeImage = { createFromPath: (path: string): string => path };
export const nativeTheme = { shouldUseDarkColors: false };
export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};
export const shell = { openExternal: async (): Promise<void> => undefined };
