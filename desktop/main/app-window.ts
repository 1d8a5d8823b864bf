import type { BrowserWindow } from 'electron';
import type { ShellCommand } from '#shared/platform.ts';
import { eventChannel, type ShellEvents } from '../ipc.ts';

/** The part of a window that is needed. */
export interface OpenedWindow {
  isMinimized(): boolean;
  restore(): void;
  show(): void;
  focus(): void;
  destroy(): void;
  once(event: 'closed', listener: () => void): unknown;
  webContents: { send(channel: string, detail: unknown): void };
}

/** The app's one window, which may be closed while the tray keeps the app alive. */
export interface AppWindow<Window extends OpenedWindow = BrowserWindow> {
  current: () => Window | undefined;
  /** Brings the window to the front, opening it first if need be. */
  show: () => void;
  /** Opens a fresh one in place of the present one. */
  restart: () => void;
  /** Hands a wish to the UI; one that comes before the UI listens waits for it. */
  command: (command: ShellCommand) => void;
  /** The UI listens now. */
  ready: () => void;
  tell: <Name extends keyof ShellEvents>(name: Name, detail: ShellEvents[Name]) => void;
}

export function createAppWindow<Window extends OpenedWindow>(
  open: () => Window,
): AppWindow<Window> {
  let window: Window | undefined;
  let isListening = false;
  let waiting: ShellCommand[] = [];

  const openFresh = (): Window => {
    const opened = open();
    isListening = false;
    opened.once('closed', () => {
      if (window !== opened) return;
      window = undefined;
      isListening = false;
    });
    window = opened;
    return opened;
  };
  const tell: AppWindow['tell'] = (name, detail) =>
    window?.webContents.send(eventChannel(name), detail);

  return {
    current: () => window,
    show: () => {
      const shown = window ?? openFresh();
      if (shown.isMinimized()) shown.restore();
      shown.show();
      shown.focus();
    },
    restart: () => {
      const before = window;
      openFresh();
      before?.destroy();
    },
    command: (command) => {
      if (isListening) tell('command', command);
      else waiting.push(command);
    },
    ready: () => {
      isListening = true;
      for (const command of waiting) tell('command', command);
      waiting = [];
    },
    tell,
  };
}
