import { AppWindow } from '../main/window.ts';
import { FakeWindow } from './fake-window.ts';

/** Chromium's word for a page that could not be loaded. */
export const FAILED = -2;

/** The app's window in a world of the test's own. */
export function openAppWindow(
  world: { isMac?: boolean; isMaximized?: boolean; keepsRunning?: boolean } = {},
) {
  const timers: Array<{ delayMs: number; act: () => void }> = [];
  const hidden: string[] = [];
  const drawn: string[] = [];
  const hung: Array<(isWanted: boolean) => void> = [];
  const windows: FakeWindow[] = [];
  const remembered: FakeWindow[] = [];
  const listening: boolean[] = [];
  const clock = { now: 1_000_000 };
  const window = new AppWindow({
    open: () => {
      const opened = new FakeWindow();
      windows.push(opened);
      return opened;
    },
    load: (failed) => void failed.done.push('load'),
    remember: (gone) => void remembered.push(gone),
    onListening: (isListening) => void listening.push(isListening),
    isMaximized: () => world.isMaximized ?? false,
    isMac: world.isMac ?? false,
    keepsRunning: () => world.keepsRunning ?? true,
    onDrawn: () => void drawn.push('drawn'),
    onHidden: () => void hidden.push('hidden'),
    askToReload: () => new Promise((answer) => hung.push(answer)),
    now: () => clock.now,
    later: (delayMs, act) => void timers.push({ delayMs, act }),
  });
  return { window, windows, remembered, listening, clock, timers, hidden, hung, drawn };
}

/** A window that is drawn, with a UI that listens. */
export function openReadyWindow(world: Parameters<typeof openAppWindow>[0] = {}) {
  const opened = openAppWindow(world);
  opened.window.show();
  const [first] = opened.windows;
  if (!first) throw new Error('No window was opened');
  first.draw();
  opened.window.setListening(true);
  return { ...opened, first };
}
