import { expect, onTestFinished, test } from 'vitest';
import type { ShellCommand, UpdateState } from '#shared/platform.ts';
import type { Shell, ShellAbout } from '../ipc.ts';
import { electronPlatform } from './electron-platform.ts';

/** A main process that notes what it is asked, and answers as the test says. */
function open(about: Partial<ShellAbout> = {}, answers: Record<string, unknown> = {}) {
  const asked: unknown[][] = [];
  const listeners = new Map<string, (detail: never) => void>();
  const shell: Shell = {
    version: '1.2.3',
    hasServer: true,
    ...about,
    request: async (name, ...args) => {
      asked.push([name, ...args]);
      return answers[name] as never;
    },
    on: (name, listener) => {
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
  };
  const tell = (name: string, detail: unknown): void => listeners.get(name)?.(detail as never);
  return { platform: electronPlatform(shell), asked, tell };
}

test('the shell hears when the UI listens for commands, and when it no longer does', () => {
  const { platform, asked, tell } = open();
  const commands: ShellCommand[] = [];
  const stop = platform.onCommand((command: ShellCommand) => void commands.push(command));
  tell('command', { kind: 'palette' });
  stop();
  tell('command', { kind: 'sync_now' });
  expect(commands).toEqual([{ kind: 'palette' }]);
  expect(asked).toEqual([
    ['setListening', true],
    ['setListening', false],
  ]);
});

test('a window that opens after the download is told of the update all the same', async () => {
  const { platform, tell } = open({}, { readUpdate: { kind: 'ready', version: '2.0.0' } });
  const states: UpdateState[] = [];
  const stop = platform.updates.onChange((state: UpdateState) => void states.push(state));
  await expect.poll(() => states).toEqual([{ kind: 'ready', version: '2.0.0' }]);
  tell('update', { kind: 'failed' });
  stop();
  tell('update', { kind: 'none' });
  expect(states.map(({ kind }) => kind)).toEqual(['ready', 'failed']);
});

test('a newer version is asked of the shell: loading the page anew would bring the same one', () => {
  const { platform, asked } = open();
  platform.startNewer();
  expect(asked).toEqual([['startNewer']]);
});

test('the start at log-in is offered only where the system can do that', async () => {
  expect(open({ hasNoLoginItems: true }).platform.startAtLogin).toBeUndefined();
  const { platform } = open({}, { setStartAtLogin: true });
  expect(await platform.startAtLogin?.set(true)).toBe(true);
});

test('a page outside the app is opened by the shell', () => {
  const { platform, asked } = open();
  platform.openExternal('app://ovation/terms-of-service');
  platform.leaveFor('https://bank.example/confirm');
  expect(asked).toEqual([
    ['openExternal', 'app://ovation/terms-of-service'],
    ['openExternal', 'https://bank.example/confirm'],
  ]);
});

/** The page that a window shows, for one test. */
function showPage(page: { visibilityState: string; hasFocus: () => boolean }): void {
  const events = new EventTarget();
  const added = {
    document: Object.assign(new EventTarget(), page),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  Object.assign(globalThis, added);
  onTestFinished(() => {
    for (const name of Object.keys(added)) Reflect.deleteProperty(globalThis, name);
  });
}

test('a window behind another one is out of sight, though its page calls itself visible', () => {
  let hasFocus = true;
  showPage({ visibilityState: 'visible', hasFocus: () => hasFocus });
  const { platform } = open();
  expect(platform.isVisible()).toBe(true);
  hasFocus = false;
  expect(platform.isVisible()).toBe(false);
});

test('a computer that wakes up is heard of until nobody listens any more', () => {
  showPage({ visibilityState: 'visible', hasFocus: () => true });
  const { platform, tell } = open();
  let times = 0;
  const stop = platform.onWake(() => void (times += 1));
  tell('wake', null);
  stop();
  tell('wake', null);
  expect(times).toBe(1);
});

test('what this computer doesn’t allow is asked of the shell', async () => {
  const { platform, asked } = open({}, { readProblems: ['No keyring.'] });
  expect(await platform.support.readProblems()).toEqual(['No keyring.']);
  platform.support.revealLogs();
  expect(asked).toEqual([['readProblems'], ['revealLogs']]);
});
