import type { BrowserWindowConstructorOptions } from 'electron';
import type { ShellWindow } from '../main/open-window.ts';

const IN_SIGHT: ReadonlySet<string> = new Set(['show', 'hide']);

type Listener = (...details: never[]) => unknown;

/** A window as Electron has it, as far as the shell uses one; the test plays the person and the page. */
export class FakeWindow implements ShellWindow {
  readonly options: BrowserWindowConstructorOptions;
  /** What the page was told. */
  readonly sent: unknown[] = [];
  readonly done: string[] = [];
  readonly loaded: string[] = [];
  bounds = { x: 10, y: 20, width: 1000, height: 700 };
  #listeners = new Map<string, Listener[]>();
  #openHandler: ((details: { url: string }) => { action: 'deny' }) | undefined;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    this.options = options;
  }

  readonly webContents = {
    send: (_channel: string, detail: unknown) => void this.sent.push(detail),
    on: (event: string, listener: Listener) => this.on(event, listener),
    setWindowOpenHandler: (handler: (details: { url: string }) => { action: 'deny' }) =>
      void (this.#openHandler = handler),
    replaceMisspelling: (word: string) => void this.done.push(`replace by ${word}`),
    print: () => void this.done.push('print'),
  };
  isMinimized = (): boolean => false;
  isVisible = (): boolean => this.done.findLast((step) => IN_SIGHT.has(step)) === 'show';
  isMaximized = (): boolean => this.done.includes('maximize');
  getNormalBounds = () => this.bounds;
  restore = (): void => void this.done.push('restore');
  show = (): void => void this.done.push('show');
  hide = (): void => void this.done.push('hide');
  focus = (): void => void this.done.push('focus');
  maximize = (): void => void this.done.push('maximize');
  loadURL = async (url: string): Promise<void> => void this.loaded.push(url);
  on = (event: string, listener: Listener): void => {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  };
  once = this.on;
  destroy = (): void => {
    this.done.push('destroy');
    this.emit('closed');
  };

  emit(event: string, ...details: unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(...(details as never[]));
  }
  draw = (): void => this.emit('ready-to-show');
  navigate = (details: { isMainFrame: boolean; isSameDocument: boolean }): void =>
    this.emit('did-start-navigation', details);
  /** The page can't be loaded, for one of Chromium's reasons. */
  failLoad = (errorCode: number, isMainFrame = true): void =>
    this.emit('did-fail-load', undefined, errorCode, 'ERR', 'app://ovation/', isMainFrame);
  /** The person does something with mouse, keys or fingers. */
  act = (type: string): void => this.emit('input-event', undefined, { type });
  /** The page's process ends. */
  breakDown = (reason: string): void => this.emit('render-process-gone', undefined, { reason });
  /** The person closes the window. */
  close = (): 'kept' | 'closed' => {
    if (this.isPrevented('close')) return 'kept';
    this.emit('closed');
    return 'closed';
  };
  /** Whether somebody objects to what an event is about to do. */
  isPrevented(event: string, detail: object = {}): boolean {
    let isPrevented = false;
    this.emit(event, { ...detail, preventDefault: () => void (isPrevented = true) });
    return isPrevented;
  }
  /** The page opens a window of its own. */
  openWindow = (url: string): string | undefined => this.#openHandler?.({ url }).action;
}
