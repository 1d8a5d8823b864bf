import { expect, test } from 'vitest';
import type { UpdateState } from '#shared/platform.ts';
import { createUpdates, type Updater } from './updates.ts';

class FakeUpdater implements Updater {
  found: Awaited<ReturnType<Updater['checkForUpdates']>> = null;
  checks = 0;
  readonly done: string[] = [];
  private listeners: Record<string, (info: { version: string }) => void> = {};
  checkForUpdates = async (): Promise<typeof this.found> => {
    this.checks += 1;
    return this.found;
  };
  quitAndInstall = (): void => void this.done.push('install');
  on(event: string, listener: (info: { version: string }) => void): void {
    this.listeners[event] = listener;
  }
  emit(event: string): void {
    this.listeners[event]?.({ version: '2.0.0' });
  }
}

const NEWER = { isUpdateAvailable: true, updateInfo: { version: '2.0.0' } };

function open() {
  const updater = new FakeUpdater();
  const states: UpdateState[] = [];
  const updates = createUpdates(updater, {
    onChange: (state) => void states.push(state),
    beforeRestart: () => void updater.done.push('let close'),
  });
  return { updater, states, updates };
}

test('an update is downloaded, then waits for the person', async () => {
  const { updater, states, updates } = open();
  expect(await updates.check()).toEqual({ kind: 'none' });
  updater.found = NEWER;
  expect(await updates.check()).toEqual({ kind: 'downloading', version: '2.0.0' });
  updates.install();
  expect(updater.done).toEqual([]);
  updater.emit('update-downloaded');
  expect(states.at(-1)).toEqual({ kind: 'ready', version: '2.0.0' });
  expect(updates.state()).toEqual({ kind: 'ready', version: '2.0.0' });
  updates.install();
  expect(updater.done).toEqual(['let close', 'install']);
});

test('a failed look says so and can be repeated', async () => {
  const { updater, updates } = open();
  updater.checkForUpdates = () => Promise.reject(new Error('no network'));
  expect(await updates.check()).toEqual({ kind: 'failed' });
  updater.checkForUpdates = async () => null;
  expect(await updates.check()).toEqual({ kind: 'none' });
});

test('a download that breaks off is a failure, and is not asked for twice meanwhile', async () => {
  const { updater, states, updates } = open();
  const download = Promise.withResolvers<void>();
  updater.found = { ...NEWER, downloadPromise: download.promise };
  await updates.check();
  expect(await updates.check()).toEqual({ kind: 'downloading', version: '2.0.0' });
  expect(updater.checks).toBe(1);
  download.reject(new Error('cut'));
  await expect.poll(() => states.at(-1)).toEqual({ kind: 'failed' });
  await updates.check();
  expect(updater.checks).toBe(2);
});

test('what is downloaded stays ready, whatever goes wrong afterwards', async () => {
  const { updater, updates } = open();
  updater.found = NEWER;
  await updates.check();
  updater.emit('update-downloaded');
  updater.emit('error');
  expect(await updates.check()).toEqual({ kind: 'ready', version: '2.0.0' });
});

test('without a configured address there is nothing to ask', async () => {
  const deps = { onChange: () => undefined, beforeRestart: () => undefined };
  const updates = createUpdates(undefined, deps);
  expect(await updates.check()).toEqual({ kind: 'not_configured' });
  expect(updates.state()).toEqual({ kind: 'not_configured' });
});
