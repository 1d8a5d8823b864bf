import { expect, test } from 'vitest';
import type { UpdateState } from '#shared/platform.ts';
import { createUpdates, type Updater } from './updates.ts';

class FakeUpdater implements Updater {
  found: Awaited<ReturnType<Updater['checkForUpdates']>> = null;
  installs = 0;
  private listeners: Record<string, (info: { version: string }) => void> = {};
  checkForUpdates = async (): Promise<typeof this.found> => this.found;
  quitAndInstall = (): void => void (this.installs += 1);
  on(event: string, listener: (info: { version: string }) => void): void {
    this.listeners[event] = listener;
  }
  emit(event: string): void {
    this.listeners[event]?.({ version: '2.0.0' });
  }
}

test('an update is downloaded, then waits for the person', async () => {
  const updater = new FakeUpdater();
  const states: UpdateState[] = [];
  const updates = createUpdates(updater, (state) => void states.push(state));
  expect(await updates.check()).toEqual({ kind: 'none' });
  updater.found = { isUpdateAvailable: true, updateInfo: { version: '2.0.0' } };
  expect(await updates.check()).toEqual({ kind: 'downloading', version: '2.0.0' });
  updates.install();
  expect(updater.installs).toBe(0);
  updater.emit('update-downloaded');
  expect(states.at(-1)).toEqual({ kind: 'ready', version: '2.0.0' });
  updates.install();
  expect(updater.installs).toBe(1);
});

test('a failed look says so and can be repeated', async () => {
  const updater = new FakeUpdater();
  const updates = createUpdates(updater, () => undefined);
  updater.checkForUpdates = () => Promise.reject(new Error('no network'));
  expect(await updates.check()).toEqual({ kind: 'failed' });
  updater.checkForUpdates = async () => null;
  expect(await updates.check()).toEqual({ kind: 'none' });
});

test('without a configured address there is nothing to ask', async () => {
  const updates = createUpdates(undefined, () => undefined);
  expect(await updates.check()).toEqual({ kind: 'not_configured' });
});
