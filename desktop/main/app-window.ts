import type { BrowserWindow, WebContents } from 'electron';
import type { ShellCommand } from '#shared/platform.ts';
import { eventChannel, type ShellEvents } from '../ipc.ts';
import { createWindowSight, type SeenWindow, type WindowSight } from './window-sight.ts';

/** The part of a window that is needed. */
export type OpenedWindow = SeenWindow &
  Pick<BrowserWindow, 'isVisible' | 'destroy' | 'on'> & {
    webContents: Pick<WebContents, 'send' | 'on' | 'reload'>;
  };

/** The app's one window. Closing hides it where the app is to go on: sync, notices and the badge with it. */
export interface AppWindow<Window extends OpenedWindow = BrowserWindow> {
  current: () => Window | undefined;
  /**
   * Brings the window to the front, opening it first if need be; a new one shows once it is drawn. One
   * whose page could not be loaded is loaded anew.
   */
  show: () => void;
  /** Opens the window out of sight, as at a log-in: it syncs, and comes up when it is asked for. */
  openHidden: () => void;
  /** Opens a fresh one in place of the present one; wishes that wait were for that one. */
  restart: () => void;
  /** Loads the page anew; one that hangs goes with its window. */
  reload: () => void;
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
  /** Whether a window that is opened now is to fill the screen once it comes up. */
  isMaximized: () => boolean;
  /** Notes what is to be known of a window that goes away or out of sight. */
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

/** Chromium's word for a load that somebody stopped, such as a navigation that is not allowed. */
const ABORTED = -3;
/** On many Wayland desktops `ready-to-show` comes only after the window was shown (electron#48859). */
const DRAWN_WITHIN_MS = 2000;

export function createAppWindow<Window extends OpenedWindow>(
  deps: AppWindowDeps<Window>,
): AppWindow<Window> {
  const state: State<Window> = {
    window: undefined,
    sight: undefined,
    isQuitting: false,
    isHung: false,
    hasBroken: false,
  };
  const tell: AppWindow['tell'] = (name, detail) =>
    state.window?.webContents.send(eventChannel(name), detail);
  const wishes = createWishes((command) => tell('command', command), deps.onListening, deps.now);
  return {
    current: () => state.window,
    show: () => {
      state.hasBroken = false;
      if (state.window) state.sight?.show();
      else openFresh(deps, state, wishes, true);
    },
    openHidden: () => {
      if (!state.window) openFresh(deps, state, wishes, false);
    },
    restart: () => {
      wishes.forget();
      replace(deps, state, wishes);
    },
    reload: () => {
      if (!state.window || state.isHung) replace(deps, state, wishes);
      else state.window.webContents.reload();
    },
    letClose: () => void (state.isQuitting = true),
    command: wishes.command,
    setListening: wishes.setListening,
    tell,
  };
}

/** The present window, and what is known of it. */
interface State<Window> {
  window: Window | undefined;
  sight: WindowSight | undefined;
  isQuitting: boolean;
  /** Its page doesn't answer. */
  isHung: boolean;
  /** Its page broke, and nobody has asked for the window since. */
  hasBroken: boolean;
}

function replace<Window extends OpenedWindow>(
  deps: AppWindowDeps<Window>,
  state: State<Window>,
  wishes: Wishes,
): void {
  const before = state.window;
  if (before && state.sight?.wasSeen()) deps.remember(before);
  openFresh(deps, state, wishes, true);
  before?.destroy();
}

function openFresh<Window extends OpenedWindow>(
  deps: AppWindowDeps<Window>,
  state: State<Window>,
  wishes: Wishes,
  isWanted: boolean,
): void {
  const opened = deps.open();
  const [isMaximized, isMac] = [deps.isMaximized(), deps.isMac];
  const load = (): void => deps.load(opened);
  const sight = createWindowSight(opened, { load, isWanted, isMaximized, isMac });
  Object.assign(state, { window: opened, sight, isHung: false });
  wishes.setListening(false);
  const isCurrent = (): boolean => state.window === opened;
  const drawn = (): void => {
    sight.drawn();
    deps.onDrawn();
  };
  deps.later(DRAWN_WITHIN_MS, () => isCurrent() && drawn());
  follow(opened, {
    isCurrent,
    drawn,
    failed: () => {
      sight.failed();
      deps.onDrawn();
    },
    // A page that loads anew has yet to say that it listens.
    left: () => wishes.setListening(false),
    // The copy is on disk: a fresh page goes on where this one was. One that breaks again waits for
    // somebody to ask, so that it doesn't open for ever.
    broke: () => {
      if (state.isQuitting) return;
      const wasInSight = opened.isVisible();
      const isFirst = !state.hasBroken;
      state.hasBroken = true;
      // Before the other goes: Electron tells of the last window while it is destroyed.
      if (isFirst) openFresh(deps, state, wishes, wasInSight);
      opened.destroy();
    },
    hung: () => {
      state.isHung = true;
      void offerToReload(deps, () => isCurrent() && replace(deps, state, wishes));
    },
    answered: () => void (state.isHung = false),
    mayClose: () => state.isQuitting || !deps.keepsRunning(),
    closing: () => {
      if (sight.wasSeen()) deps.remember(opened);
    },
    hide: () => {
      sight.hide();
      deps.onHidden();
    },
    closed: () => {
      state.window = undefined;
      wishes.setListening(false);
    },
  });
}

async function offerToReload(
  { askToReload }: Pick<AppWindowDeps<OpenedWindow>, 'askToReload'>,
  reload: () => unknown,
): Promise<void> {
  if (await askToReload()) reload();
}

interface Followed {
  /** Whether it is still the app's window; nothing is told of one that was replaced, but its closing. */
  isCurrent: () => boolean;
  drawn: () => void;
  failed: () => void;
  left: () => void;
  broke: () => void;
  hung: () => void;
  answered: () => void;
  mayClose: () => boolean;
  closing: () => void;
  hide: () => void;
  closed: () => void;
}

function follow(window: OpenedWindow, on: Followed): void {
  const { webContents } = window;
  const tell = (what: () => void): void => {
    if (on.isCurrent()) what();
  };
  window.once('ready-to-show', () => tell(on.drawn));
  webContents.on('did-finish-load', () => tell(on.drawn));
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) tell(on.left);
  });
  webContents.on('did-fail-load', (_event, errorCode, _description, _url, isMainFrame) => {
    if (isMainFrame && errorCode !== ABORTED) tell(on.failed);
  });
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') tell(on.broke);
  });
  window.on('unresponsive', () => tell(on.hung));
  window.on('responsive', () => tell(on.answered));
  window.on('close', (event) => {
    on.closing();
    if (on.mayClose()) return;
    event.preventDefault();
    on.hide();
  });
  window.once('closed', () => tell(on.closed));
}

/**
 * As long as the UI may take to start. A dialog that was wished on the log-in page must not pop up when
 * somebody logs in an hour later; a screen that a link named is still what they came for.
 */
const WAIT_MS = 60_000;

/** What the shell wants of the UI. */
interface Wishes {
  /** Hands a wish over; of those that come before the UI listens the last of each kind waits, a minute at most. */
  command: (command: ShellCommand) => void;
  setListening: (isListening: boolean) => void;
  /** Nobody is to be told of those that wait. */
  forget: () => void;
}

function createWishes(
  tell: (command: ShellCommand) => void,
  onListening: (isListening: boolean) => void,
  now: () => number,
): Wishes {
  let isListening = false;
  const waiting = new Map<ShellCommand['kind'], { command: ShellCommand; at: number }>();
  return {
    command: (command) => {
      if (isListening) return tell(command);
      waiting.delete(command.kind);
      waiting.set(command.kind, { command, at: now() });
    },
    setListening: (isOn) => {
      isListening = isOn;
      onListening(isOn);
      if (!isOn) return;
      for (const { command, at } of waiting.values()) {
        if (command.kind === 'open' || now() - at < WAIT_MS) tell(command);
      }
      waiting.clear();
    },
    forget: () => waiting.clear(),
  };
}
