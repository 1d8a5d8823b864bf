import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents } from 'electron';
import type { ShellWindow } from '../main/open-window.ts';

type FakeContents = ShellWindow['webContents'] & Pick<WebContents, 'print' | 'printToPDF'>;

const IN_SIGHT: ReadonlySet<string> = new Set(['show', 'hide']);

type Listener = (...details: never[]) => unknown;
type OpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0];

/** What a window shows; its events are told through the window. */
class FakePage implements FakeContents {
  readonly #window: FakeWindow;
  #openHandler: OpenHandler | undefined;

  constructor(window: FakeWindow) {
    this.#window = window;
  }
  readonly on = ((event: string, listener: Listener): unknown =>
    this.#window.listen(event, listener)) as WebContents['on'];
  readonly navigationHistory = {
    goBack: (): void => void this.#window.done.push('back'),
    goForward: (): void => void this.#window.done.push('forward'),
  };
  send = (_channel: string, detail: unknown): void => void this.#window.sent.push(detail);
  reload = (): void => void this.#window.done.push('reload');
  replaceMisspelling = (word: string): void => void this.#window.done.push(`replace by ${word}`);
  showDefinitionForSelection = (): void => void this.#window.done.push('look up');
  setWindowOpenHandler = (handler: OpenHandler): void => void (this.#openHandler = handler);
  openWindow = (url: string): string | undefined =>
    this.#openHandler?.({ url } as Parameters<OpenHandler>[0]).action;
  print = (...[, told]: Parameters<WebContents['print']>): void => {
    this.#window.done.push('print');
    const failure = this.#window.printFailure;
    told?.(failure === undefined, failure ?? '');
  };
  printToPDF = async (): Promise<Buffer> => Buffer.from('%PDF-1.4');
}

/** A window as Electron has it, as far as the shell uses one; the test plays the person and the page. */
export class FakeWindow implements ShellWindow, Pick<BrowserWindow, 'setOverlayIcon'> {
  readonly options: BrowserWindowConstructorOptions;
  /** What the page was told. */
  readonly sent: unknown[] = [];
  readonly done: string[] = [];
  readonly loaded: string[] = [];
  bounds = { x: 10, y: 20, width: 1000, height: 700 };
  isFull = false;
  /** Why nothing can be printed, in Chromium's words. */
  printFailure: string | undefined;
  #listeners = new Map<string, Listener[]>();

  constructor(options: BrowserWindowConstructorOptions = {}) {
    this.options = options;
  }

  readonly webContents = new FakePage(this);
  readonly icons: unknown[] = [];
  setIcon = (icon: unknown): void => void this.icons.push(icon);
  setOverlayIcon = (image: unknown, words: string): void =>
    void this.done.push(image === null ? 'no badge' : `badge: ${words}`);
  isMinimized = (): boolean => false;
  isFullScreen = (): boolean => this.isFull;
  setFullScreen = (isFull: boolean): void => {
    this.done.push(isFull ? 'full screen' : 'leave full screen');
    if (isFull) this.isFull = true;
  };
  isVisible = (): boolean => this.done.findLast((step) => IN_SIGHT.has(step)) === 'show';
  isMaximized = (): boolean => this.done.includes('maximize');
  getNormalBounds = () => this.bounds;
  restore = (): void => void this.done.push('restore');
  show = (): void => {
    this.done.push('show');
    this.emit('show');
  };
  hide = (): void => void this.done.push('hide');
  focus = (): void => void this.done.push('focus');
  maximize = (): void => void this.done.push('maximize');
  loadURL = async (url: string): Promise<void> => void this.loaded.push(url);
  listen = (event: string, listener: Listener): unknown =>
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  readonly on = this.listen as BrowserWindow['on'];
  readonly once = ((event: string, listener: Listener): unknown => {
    const tellOnce = (...details: never[]): void => {
      const others = this.#listeners.get(event)?.filter((each) => each !== tellOnce);
      this.#listeners.set(event, others ?? []);
      listener(...details);
    };
    return this.listen(event, tellOnce);
  }) as BrowserWindow['once'];
  destroy = (): void => {
    this.done.push('destroy');
    this.emit('closed');
  };

  emit(event: string, ...details: unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(...(details as never[]));
  }
  /** macOS has led the window out of full screen, which takes it a second. */
  leaveFullScreen = (): void => {
    this.isFull = false;
    this.emit('leave-full-screen');
  };
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
  openWindow = (url: string): string | undefined => this.webContents.openWindow(url);
}
