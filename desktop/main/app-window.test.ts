import { expect, test } from 'vitest';
import { createAppWindow, type OpenedWindow } from './app-window.ts';

class FakeWindow implements OpenedWindow {
  readonly sent: unknown[] = [];
  readonly done: string[] = [];
  private onClosed: () => void = () => undefined;
  readonly webContents = {
    send: (_channel: string, detail: unknown) => void this.sent.push(detail),
  };
  isMinimized = (): boolean => false;
  restore = (): void => void this.done.push('restore');
  show = (): void => void this.done.push('show');
  focus = (): void => void this.done.push('focus');
  once = (_event: 'closed', listener: () => void): void => {
    this.onClosed = listener;
  };
  destroy = (): void => {
    this.done.push('destroy');
    this.onClosed();
  };
}

function open() {
  const windows: FakeWindow[] = [];
  const window = createAppWindow(() => {
    const opened = new FakeWindow();
    windows.push(opened);
    return opened;
  });
  return { window, windows };
}

test('a link that arrives before the UI listens is opened once it does', () => {
  const { window, windows } = open();
  window.show();
  window.command({ kind: 'open', path: '/dashboard' });
  expect(windows[0]?.sent).toEqual([]);
  window.ready();
  expect(windows[0]?.sent).toEqual([{ kind: 'open', path: '/dashboard' }]);
  window.command({ kind: 'palette' });
  expect(windows[0]?.sent).toHaveLength(2);
});

test('a closed window opens anew, and its wishes wait for the new one', () => {
  const { window, windows } = open();
  window.show();
  window.ready();
  windows[0]?.destroy();
  expect(window.current()).toBeUndefined();
  window.show();
  window.command({ kind: 'sync_now' });
  expect(windows).toHaveLength(2);
  expect(windows[1]?.sent).toEqual([]);
  window.ready();
  expect(windows[1]?.sent).toEqual([{ kind: 'sync_now' }]);
});

test('showing twice opens one window', () => {
  const { window, windows } = open();
  window.show();
  window.show();
  expect(windows).toHaveLength(1);
});

test('a restart replaces the window and destroys the old one', () => {
  const { window, windows } = open();
  window.show();
  window.restart();
  expect(windows).toHaveLength(2);
  expect(windows[0]?.done).toContain('destroy');
  expect(window.current()).toBe(windows[1]);
});
