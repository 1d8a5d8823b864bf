import { expect, test } from 'vitest';
import {
  FAILED,
  openAppWindow as open,
  openReadyWindow as openReady,
} from '../testing/open-app-window.ts';

test('a new window is shown once it is drawn, not before', () => {
  const { window, windows } = open();
  window.show();
  expect(windows[0]?.done).toEqual([]);
  windows[0]?.draw();
  expect(windows[0]?.done).toEqual(['show', 'focus']);
  windows[0]?.draw();
  expect(windows[0]?.done).toHaveLength(2);
});

test('where a window is drawn only after it was shown, it comes up with its page', () => {
  const { window, windows } = open();
  window.show();
  windows[0]?.emit('did-finish-load');
  expect(windows[0]?.done).toEqual(['show', 'focus']);
  windows[0]?.draw();
  expect(windows[0]?.done).toHaveLength(2);
});

test('a window of which nothing is heard comes up after two seconds, the replaced one does not', () => {
  const { window, windows, timers } = open();
  window.show();
  window.restart();
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([2000, 2000]);
  for (const { act } of timers) act();
  expect(windows.map(({ done }) => done)).toEqual([['destroy'], ['show', 'focus']]);
});

test('what waits for the window to be drawn goes on though nothing can be drawn, or it is out of sight', () => {
  const failing = open();
  failing.window.show();
  failing.windows[0]?.failLoad(FAILED);
  const hidden = open();
  hidden.window.openHidden();
  hidden.windows[0]?.emit('did-finish-load');
  expect([failing.drawn, hidden.drawn]).toEqual([['drawn'], ['drawn']]);
});

test('who asks for the window while it is not drawn yet gets it at once', () => {
  const { window, windows } = open();
  window.show();
  window.show();
  expect(windows[0]?.done).toEqual(['show', 'focus']);
  expect(windows).toHaveLength(1);
});

test('a window opened out of sight stays there until it is asked for, and then fills its screen', () => {
  const { window, windows, timers, remembered } = open({ isMaximized: true });
  window.openHidden();
  windows[0]?.draw();
  for (const { act } of timers) act();
  expect(windows[0]?.done).toEqual([]);
  windows[0]?.close();
  expect(remembered).toEqual([]);
  window.show();
  expect(windows[0]?.done).toEqual(['hide', 'maximize', 'show', 'focus']);
  window.show();
  expect(windows[0]?.done.filter((step) => step === 'maximize')).toHaveLength(1);
});

test('a maximized window whose page breaks out of sight stays out of sight', () => {
  const { windows, first } = openReady({ isMaximized: true });
  first.close();
  first.breakDown('oom');
  windows[1]?.draw();
  expect(windows[1]?.done).toEqual([]);
});

test('on macOS a window leaves full screen before it goes out of sight', () => {
  const { first, window } = openReady({ isMac: true });
  first.setFullScreen(true);
  first.close();
  expect(first.done.slice(-1)).toEqual(['leave full screen']);
  first.leaveFullScreen();
  expect(first.done.at(-1)).toBe('hide');
  window.show();
  first.setFullScreen(true);
  first.close();
  window.show();
  first.leaveFullScreen();
  expect(first.done.at(-1)).toBe('focus');
});

test('that the window went out of sight is told each time the person closes it, not when the app quits', () => {
  const { first, window, hidden } = openReady();
  first.close();
  expect(hidden).toHaveLength(1);
  window.letClose();
  first.close();
  expect(hidden).toHaveLength(1);
});

test('a page that hangs is opened anew in a fresh window when the person wants it', async () => {
  const { window, windows, first, hung } = openReady();
  window.reload();
  expect(first.done.at(-1)).toBe('reload');
  first.emit('unresponsive');
  hung[0]?.(false);
  first.emit('responsive');
  window.reload();
  expect(first.done.filter((step) => step === 'reload')).toHaveLength(2);
  first.emit('unresponsive');
  hung[1]?.(true);
  await expect.poll(() => windows.length).toBe(2);
  expect(first.done.at(-1)).toBe('destroy');
});

test('what hangs is not asked to load itself: its window goes', () => {
  const { window, windows, first } = openReady();
  first.emit('unresponsive');
  window.reload();
  expect([first.done.at(-1), windows.length]).toEqual(['destroy', 2]);
});
