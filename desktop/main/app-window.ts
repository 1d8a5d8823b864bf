import type { BrowserWindow } from 'electron';
import type { ShellCommand } from '#shared/platform.ts';
import { eventChannel, type ShellEvents } from '../ipc.ts';
import { createWindowSight, type SeenWindow, type WindowSight } from './window-sight.ts';
import { createWishes } from './wishes.ts';

/** The part of a window that is needed. */
export interface OpenedWindow extends SeenWindow {
  isVisible(): boolean;
  hide(): void;
  destroy(): void;
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  once(event: 'ready-to-show', listener: () => void): unknown;
  once(event: 'closed', listener: () => void): unknown;
  webContents: {
    send(channel: string, detail: unknown): void;
    on(
      event: 'did-start-navigation',
      listener: (details: { isMainFrame: boolean; isSameDocument: boolean }) => void,
    ): unknown;
    on(
      event: 'did-fail-load',
      listener: (
        event: unknown,
        errorCode: number,
        description: string,
        url: string,
        isMainFrame: boolean,
      ) => void,
    ): unknown;
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: { reason: string }) => void,
    ): unknown;
  };
}

/** The app's one window. Closing hides it, so that sync, notices and the badge go on. */
export interface AppWindow<Window extends OpenedWindow = BrowserWindow> {
  current: () => Window | undefined;
  /**
   * Brings the window to the front, opening it first if need be; a new one shows once it is drawn. One
   * whose page could not be loaded is loaded anew.
   */
  show: () => void;
  /** Opens a fresh one in place of the present one; wishes that wait were for that one. */
  restart: () => void;
  /** From now on closing really closes: the app quits. */
  letClose: () => void;
  /** Hands a wish to the UI; of those that come before the UI listens the last of each kind waits, a minute at most. */
  command: (command: ShellCommand) => void;
  /** Whether the UI listens now: it does while somebody is logged in. */
  setListening: (isListening: boolean) => void;
  tell: <Name extends keyof ShellEvents>(name: Name, detail: ShellEvents[Name]) => void;
}

export interface AppWindowDeps<Window extends OpenedWindow> {
  open: () => Window;
  /** Loads the first page into a window that is open. */
  load: (window: Window) => void;
  /** Notes what is to be known of a window that goes away or out of sight. */
  remember: (window: Window) => void;
  onListening: (isListening: boolean) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Chromium's word for a load that somebody stopped, such as a navigation that is not allowed. */
const ABORTED = -3;

export function createAppWindow<Window extends OpenedWindow>(
  deps: AppWindowDeps<Window>,
): AppWindow<Window> {
  let window: Window | undefined;
  let sight: WindowSight | undefined;
  let isQuitting = false;
  /** Its page broke, and nobody has asked for the window since. */
  let hasBroken = false;
  const tell: AppWindow['tell'] = (name, detail) =>
    window?.webContents.send(eventChannel(name), detail);
  const wishes = createWishes((command) => tell('command', command), deps.onListening, deps.now);
  const openFresh = (isInSight = true): void => {
    const opened = deps.open();
    window = opened;
    wishes.setListening(false);
    const seen = createWindowSight(opened, () => deps.load(opened), isInSight);
    sight = seen;
    follow(opened, {
      isCurrent: () => window === opened,
      drawn: seen.drawn,
      failed: seen.failed,
      // A page that loads anew has yet to say that it listens.
      left: () => wishes.setListening(false),
      // The copy is on disk: a fresh page goes on where this one was. One that breaks again waits for
      // somebody to ask, so that it doesn't open for ever.
      broke: () => {
        if (isQuitting) return;
        const wasInSight = opened.isVisible();
        opened.destroy();
        if (hasBroken) return;
        hasBroken = true;
        openFresh(wasInSight);
      },
      mayClose: () => isQuitting,
      closing: () => deps.remember(opened),
      closed: () => {
        window = undefined;
        wishes.setListening(false);
      },
    });
  };

  return {
    current: () => window,
    show: () => {
      hasBroken = false;
      if (window) sight?.show();
      else openFresh();
    },
    restart: () => {
      const before = window;
      if (before) deps.remember(before);
      wishes.forget();
      openFresh();
      before?.destroy();
    },
    letClose: () => void (isQuitting = true),
    command: wishes.command,
    setListening: wishes.setListening,
    tell,
  };
}

interface Followed {
  /** Whether it is still the app's window; nothing is told of one that was replaced, but its closing. */
  isCurrent: () => boolean;
  drawn: () => void;
  failed: () => void;
  left: () => void;
  broke: () => void;
  mayClose: () => boolean;
  closing: () => void;
  closed: () => void;
}

function follow(window: OpenedWindow, on: Followed): void {
  const tell = (what: () => void): void => {
    if (on.isCurrent()) what();
  };
  window.once('ready-to-show', () => tell(on.drawn));
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) tell(on.left);
  });
  window.webContents.on('did-fail-load', (_event, errorCode, _description, _url, isMainFrame) => {
    if (isMainFrame && errorCode !== ABORTED) tell(on.failed);
  });
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') tell(on.broke);
  });
  window.on('close', (event) => {
    on.closing();
    if (on.mayClose()) return;
    event.preventDefault();
    window.hide();
  });
  window.once('closed', () => tell(on.closed));
}
