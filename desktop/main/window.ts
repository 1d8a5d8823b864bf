import type { BrowserWindow, WebContents } from 'electron';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { ShellCommand } from '#shared/platform.ts';
import { eventChannel, type ShellEvents } from '../ipc.ts';

/** The part of a window that is needed. */
export type OpenedWindow = Pick<
  BrowserWindow,
  | 'isMinimized'
  | 'isFullScreen'
  | 'isVisible'
  | 'setFullScreen'
  | 'restore'
  | 'maximize'
  | 'show'
  | 'focus'
  | 'hide'
  | 'destroy'
  | 'on'
  | 'once'
> & { webContents: Pick<WebContents, 'send' | 'on' | 'reload'> };

interface AppWindowDeps<Window extends OpenedWindow> {
  open: () => Window;
  /** Loads the first page into a window that is open. */
  load: (window: Window) => void;
  /** Whether a window that is opened now is to fill the screen once it comes up. */
  isMaximized: () => boolean;
  /** Keeps the place of a window that goes away or out of sight. */
  remember: (window: Window) => void;
  onListening: (isListening: boolean) => void;
  /** A window has something to show, or nothing will come: what can wait for that is done now. */
  onDrawn: () => void;
  /** Whether closing hides the window; otherwise it ends the app. */
  keepsRunning: () => boolean;
  /** The person closed the window, and it went out of sight. */
  onHidden: () => void;
  /** The page doesn't answer: resolves to whether the person wants it loaded anew. */
  askToReload: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  now: () => number;
  later: (delayMs: number, act: () => void) => void;
  /** There a window must leave full screen before it goes out of sight, or a black screen stays. */
  isMac: boolean;
}

/** Chromium's code for a load that somebody stopped, such as a navigation that is not allowed. */
const ABORTED = -3;
/** On many Wayland desktops `ready-to-show` comes only after the window was shown (electron#48859). */
const DRAWN_WITHIN_MS = 2000;
/**
 * As long as the UI may take to start. A dialog that was asked for on the log-in page must not pop up when
 * somebody logs in an hour later; a screen that a link named is still what they came for.
 */
const COMMAND_WAITS_MS = MINUTE_MS;

/** The present window, and what is known of it. */
interface Present<Window> {
  window: Window;
  /** Whether it comes up by itself once it is drawn. */
  isWanted: boolean;
  /** Whether it is to fill the screen. Before it is first shown that would show it. */
  isMaximized: boolean;
  isDrawn: boolean;
  /** Its page could not be loaded. */
  hasFailed: boolean;
  /** Where a window stands that was never visible says nothing about where it is to stand. */
  wasVisible: boolean;
  /** It leaves full screen, to be hidden then. */
  isHiding: boolean;
  /** Its page doesn't answer. */
  isHung: boolean;
}

/**
 * The app's one window.
 *
 *     none ----- show ---------> opening -- drawn, failed, or 2 s --> visible
 *     none ----- openHidden ---> hidden
 *     visible -- close --------> hidden    where the app keeps running: sync, notices and badge go on
 *     visible -- close --------> none      where it ends with its window, or quits
 *     opening, hidden -- show -> visible   a page that could not be loaded is loaded anew
 *     any ------ restart, reload of a hung page -> opening, with a fresh window
 *     any ------ its page breaks ----------------> as it was, with a fresh window;
 *                                                  twice without a `show` between: none
 *
 * Its page listens while somebody is logged in. Of the commands that come before, the last of each kind waits.
 */
export class AppWindow<Window extends OpenedWindow = BrowserWindow> {
  readonly #deps: AppWindowDeps<Window>;
  readonly #waiting = new Map<ShellCommand['kind'], { command: ShellCommand; at: number }>();
  #present: Present<Window> | undefined;
  #isListening = false;
  #isQuitting = false;
  /** Its page broke, and nobody has asked for the window since. */
  #hasBroken = false;

  constructor(deps: AppWindowDeps<Window>) {
    this.#deps = deps;
  }

  readonly current = (): Window | undefined => this.#present?.window;

  /** Brings the window to the front, opening it first if need be; a new one comes up once it is drawn. */
  readonly show = (): void => {
    this.#hasBroken = false;
    const present = this.#present;
    if (!present) return this.#open(true);
    this.#bringUp(present);
    if (!present.hasFailed) return;
    present.hasFailed = false;
    this.#deps.load(present.window);
  };

  /** Opens the window out of sight, as at a log-in: it syncs, and comes up when it is asked for. */
  readonly openHidden = (): void => {
    if (!this.#present) this.#open(false);
  };

  /** Opens a fresh one in place of the present one; commands that wait were for that one. */
  readonly restart = (): void => {
    this.#waiting.clear();
    this.#replace();
  };

  /** Loads the page anew; one that hangs goes with its window. */
  readonly reload = (): void => {
    const present = this.#present;
    if (!present || present.isHung) this.#replace();
    else present.window.webContents.reload();
  };

  /** From now on closing really closes: the app quits. */
  readonly letClose = (): void => void (this.#isQuitting = true);

  /** Hands a command to the UI; a screen to open waits for it without end, anything else a minute. */
  readonly command = (command: ShellCommand): void => {
    if (this.#isListening) return this.tell('command', command);
    this.#waiting.delete(command.kind);
    this.#waiting.set(command.kind, { command, at: this.#deps.now() });
  };

  /** Whether the UI listens now. */
  readonly setListening = (isListening: boolean): void => {
    this.#isListening = isListening;
    this.#deps.onListening(isListening);
    if (!isListening) return;
    for (const { command, at } of this.#waiting.values()) {
      const isLate = this.#deps.now() - at >= COMMAND_WAITS_MS;
      if (command.kind === 'open' || !isLate) this.tell('command', command);
    }
    this.#waiting.clear();
  };

  readonly tell = <Name extends keyof ShellEvents>(name: Name, detail: ShellEvents[Name]): void =>
    this.#present?.window.webContents.send(eventChannel(name), detail);

  #replace(): void {
    const before = this.#present;
    if (before?.wasVisible) this.#deps.remember(before.window);
    this.#open(true);
    before?.window.destroy();
  }

  #open(isWanted: boolean): void {
    const present: Present<Window> = {
      window: this.#deps.open(),
      isWanted,
      isMaximized: this.#deps.isMaximized(),
      isDrawn: false,
      hasFailed: false,
      wasVisible: false,
      isHiding: false,
      isHung: false,
    };
    this.#present = present;
    this.setListening(false);
    this.#follow(present);
  }

  #follow(present: Present<Window>): void {
    const { window } = present;
    const { webContents } = window;
    /** Nothing is heard of a window that was replaced. */
    const when = (act: () => void): void => {
      if (this.#present === present) act();
    };
    const drawn = (): void => when(() => this.#drawn(present));
    this.#deps.later(DRAWN_WITHIN_MS, drawn);
    window.once('ready-to-show', drawn);
    webContents.on('did-finish-load', drawn);
    webContents.on('did-fail-load', (_event, errorCode, _description, _url, isMainFrame) => {
      if (!isMainFrame || errorCode === ABORTED) return;
      when(() => {
        present.hasFailed = true;
        this.#drawn(present);
      });
    });
    // A page that loads anew has yet to say that it listens.
    webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) when(() => this.setListening(false));
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') when(() => this.#reopenBroken(present));
    });
    window.on('unresponsive', () => when(() => void this.#offerToReload(present)));
    window.on('responsive', () => when(() => void (present.isHung = false)));
    window.on('close', (event) => {
      if (present.wasVisible) this.#deps.remember(window);
      if (this.#isQuitting || !this.#deps.keepsRunning()) return;
      event.preventDefault();
      this.#hide(present);
      this.#deps.onHidden();
    });
    window.once('closed', () =>
      when(() => {
        this.#present = undefined;
        this.setListening(false);
      }),
    );
  }

  /** There is something in it to be seen, or nothing will come: then it comes up as it is. */
  #drawn(present: Present<Window>): void {
    if (!present.isDrawn && !present.wasVisible && present.isWanted) this.#bringUp(present);
    present.isDrawn = true;
    this.#deps.onDrawn();
  }

  #bringUp(present: Present<Window>): void {
    const { window, isMaximized } = present;
    present.isHiding = false;
    if (window.isMinimized()) window.restore();
    if (!present.wasVisible && isMaximized) window.maximize();
    present.wasVisible = true;
    window.show();
    window.focus();
  }

  #hide(present: Present<Window>): void {
    const { window } = present;
    if (!this.#deps.isMac || !window.isFullScreen()) return window.hide();
    present.isHiding = true;
    window.once('leave-full-screen', () => {
      if (present.isHiding) window.hide();
    });
    window.setFullScreen(false);
  }

  /** The replica is on disk: a fresh page goes on where this one was. One that breaks again waits to be asked for. */
  #reopenBroken({ window }: Present<Window>): void {
    if (this.#isQuitting) return;
    const wasVisible = window.isVisible();
    const isFirst = !this.#hasBroken;
    this.#hasBroken = true;
    // Before the other goes: Electron tells of the last window while it is destroyed.
    if (isFirst) this.#open(wasVisible);
    window.destroy();
  }

  async #offerToReload(present: Present<Window>): Promise<void> {
    present.isHung = true;
    if ((await this.#deps.askToReload()) && this.#present === present) this.#replace();
  }
}
