import { expect, test } from 'vitest';
import {
  FAILED,
  openAppWindow as open,
  openReadyWindow as openReady,
} from '../testing/open-app-window.ts';

test('a link that arrives before the UI listens is opened once it does', () => {
  const { window, windows } = open();
  window.show();
  window.command({ kind: 'open', path: '/dashboard' });
  expect(windows[0]?.sent).toEqual([]);
  window.setListening(true);
  expect(windows[0]?.sent).toEqual([{ kind: 'open', path: '/dashboard' }]);
  window.command({ kind: 'palette' });
  expect(windows[0]?.sent).toHaveLength(2);
});

test('of the commands that wait the last of each kind is carried out, in the order they came', () => {
  const { window, windows } = open();
  window.show();
  for (const path of ['/a', '/b']) window.command({ kind: 'open', path });
  for (let times = 0; times < 5; times += 1) window.command({ kind: 'sync_now' });
  window.command({ kind: 'open', path: '/c' });
  window.setListening(true);
  expect(windows[0]?.sent).toEqual([{ kind: 'sync_now' }, { kind: 'open', path: '/c' }]);
});

test('a dialog that was asked for on the log-in page does not pop up after a later log-in, a screen opens', () => {
  const { window, windows, clock } = open();
  window.show();
  window.command({ kind: 'buy_credits' });
  window.command({ kind: 'open', path: '/my-billing' });
  clock.now += 60_000;
  window.command({ kind: 'palette' });
  window.setListening(true);
  expect(windows[0]?.sent).toEqual([{ kind: 'open', path: '/my-billing' }, { kind: 'palette' }]);
  window.setListening(false);
  window.setListening(true);
  expect(windows[0]?.sent).toHaveLength(2);
});

test('closing hides the window, whose UI goes on; it comes back as it was', () => {
  const { window, windows, first, remembered } = openReady();
  expect(first.close()).toBe('kept');
  expect(first.done.at(-1)).toBe('hide');
  expect(remembered).toEqual([first]);
  window.command({ kind: 'sync_now' });
  expect(first.sent).toEqual([{ kind: 'sync_now' }]);
  window.show();
  expect(windows).toHaveLength(1);
  expect(first.done.slice(-2)).toEqual(['show', 'focus']);
});

test('who wants the app to end with its window closes it', () => {
  const { first, window, hidden } = openReady({ keepsRunning: false });
  expect(first.close()).toBe('closed');
  expect([window.current(), hidden]).toEqual([undefined, []]);
});

test('when the app quits closing closes, and where the window stood is saved first', () => {
  const { window, first, remembered } = openReady();
  window.letClose();
  expect(first.close()).toBe('closed');
  expect(remembered).toEqual([first]);
  expect(window.current()).toBeUndefined();
});

test('a closed window opens anew, and its commands wait for the new one', () => {
  const { window, windows, first } = openReady();
  first.destroy();
  expect(window.current()).toBeUndefined();
  window.show();
  window.command({ kind: 'sync_now' });
  expect(windows).toHaveLength(2);
  expect(windows[1]?.sent).toEqual([]);
  window.setListening(true);
  expect(windows[1]?.sent).toEqual([{ kind: 'sync_now' }]);
});

test('a page that loads anew, or is logged out, gets no command until it listens again', () => {
  const { window, first, listening } = openReady();
  first.navigate({ isMainFrame: true, isSameDocument: true });
  first.navigate({ isMainFrame: false, isSameDocument: false });
  expect(listening.at(-1)).toBe(true);
  first.navigate({ isMainFrame: true, isSameDocument: false });
  window.command({ kind: 'open', path: '/my-billing' });
  expect(first.sent).toEqual([]);
  window.setListening(true);
  expect(first.sent).toEqual([{ kind: 'open', path: '/my-billing' }]);
  window.setListening(false);
  window.command({ kind: 'palette' });
  expect(first.sent).toHaveLength(1);
});

test('a restart replaces the window and destroys the old one', () => {
  const { window, windows, first, remembered } = openReady();
  window.restart();
  expect(windows).toHaveLength(2);
  expect(first.done).toContain('destroy');
  expect(remembered).toEqual([first]);
  expect(window.current()).toBe(windows[1]);
});

test('what waited for the window before a restart is not asked of the one after it', () => {
  const { window, windows } = open();
  window.show();
  window.command({ kind: 'open', path: '/dashboard?post=1' });
  window.restart();
  window.setListening(true);
  expect(windows[1]?.sent).toEqual([]);
});

test('a page whose process breaks is opened anew where it was, and tells what was asked meanwhile', () => {
  const { window, windows, first, listening } = openReady();
  first.breakDown('crashed');
  expect(first.done.at(-1)).toBe('destroy');
  expect(windows).toHaveLength(2);
  expect(listening.at(-1)).toBe(false);
  window.command({ kind: 'sync_now' });
  windows[1]?.draw();
  expect(windows[1]?.done).toEqual(['show', 'focus']);
  window.setListening(true);
  expect(windows[1]?.sent).toEqual([{ kind: 'sync_now' }]);
});

test('a window out of sight whose page breaks comes back out of sight', () => {
  const { window, windows, first } = openReady();
  first.close();
  first.breakDown('oom');
  windows[1]?.draw();
  expect(windows[1]?.done).toEqual([]);
  window.show();
  expect(windows[1]?.done).toEqual(['show', 'focus']);
});

test('a page that breaks again waits until somebody asks for the window', () => {
  const { window, windows, first } = openReady();
  first.breakDown('crashed');
  windows[1]?.breakDown('crashed');
  expect(windows).toHaveLength(2);
  expect(window.current()).toBeUndefined();
  window.show();
  expect(windows).toHaveLength(3);
});

test('a page that ends as it should, or while the app quits, is not opened anew', () => {
  const { window, windows, first } = openReady();
  first.breakDown('clean-exit');
  window.letClose();
  first.breakDown('killed');
  expect(windows).toHaveLength(1);
});

test('a window whose page can not be loaded comes up all the same, and loads anew when asked for', () => {
  const { window, windows } = open();
  window.show();
  const [first] = windows;
  first?.failLoad(FAILED);
  expect(first?.done).toEqual(['show', 'focus']);
  window.show();
  expect(first?.done).toEqual(['show', 'focus', 'show', 'focus', 'load']);
  window.show();
  expect(first?.done.filter((step) => step === 'load')).toHaveLength(1);
  first?.failLoad(FAILED);
  window.show();
  expect(first?.done.filter((step) => step === 'load')).toHaveLength(2);
  expect(windows).toHaveLength(1);
});

test('a drawn window whose next page fails stays where it is until it is asked for', () => {
  const { window, first } = openReady();
  first.close();
  first.failLoad(FAILED);
  expect(first.done.at(-1)).toBe('hide');
  window.show();
  expect(first.done.slice(-3)).toEqual(['show', 'focus', 'load']);
});

test('a load that was stopped, or that of a frame, is no failure of the window', () => {
  const { window, windows } = open();
  window.show();
  windows[0]?.failLoad(-3);
  windows[0]?.failLoad(FAILED, false);
  expect(windows[0]?.done).toEqual([]);
  window.show();
  expect(windows[0]?.done).toEqual(['show', 'focus']);
});
