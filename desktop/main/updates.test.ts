import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { UpdateState } from '#shared/platform.ts';
import {
  checkRegularly,
  createUpdateOffer,
  createUpdates,
  mayUpdateFrom,
  updateAddress,
  updatePublicKey,
  type Updater,
} from './updates.ts';

/** electron-updater with one newer version at its address, downloaded when the test says so. */
class FakeUpdater extends EventEmitter implements Updater {
  autoInstallOnAppQuit = true;
  logger: unknown;
  checks = 0;
  found: Awaited<ReturnType<Updater['checkForUpdates']>> = {
    isUpdateAvailable: true,
    updateInfo: { version: '2.0.0' },
    downloadPromise: null,
  };
  checkFailure: Error | undefined;
  /** Why nothing is installed: the folder is read-only, or the person didn't give the password. */
  installFailure: Error | undefined;
  readonly installs: Array<{ isSilent: boolean; isForceRunAfter: boolean }> = [];

  checkForUpdates = async (): Promise<typeof this.found> => {
    this.checks += 1;
    if (this.checkFailure) throw this.checkFailure;
    return this.found;
  };
  setFeedURL = (): void => undefined;
  /** The real one tells a failure as an event, from within the call. */
  quitAndInstall = (isSilent: boolean, isForceRunAfter: boolean): void => {
    this.installs.push({ isSilent, isForceRunAfter });
    if (this.installFailure) this.emit('error', this.installFailure);
  };
}

const NEWER = { isUpdateAvailable: true, updateInfo: { version: '2.0.0' }, downloadPromise: null };
const READY: UpdateState = { kind: 'ready', version: '2.0.0', notes: undefined };

function open() {
  const updater = new FakeUpdater();
  updater.found = null;
  const states: UpdateState[] = [];
  const failures: string[] = [];
  const looked: string[] = [];
  const updates = createUpdates({
    load: async () => updater,
    onChange: (state) => void states.push(state),
    onCheckFailed: (error) => void looked.push(String(error)),
    onInstallFailed: (error) => void failures.push(String(error)),
  });
  const download = async (more: object = {}): Promise<void> => {
    updater.found = NEWER;
    await updates.check();
    updater.emit('update-downloaded', { version: '2.0.0', ...more });
  };
  return { updater, states, failures, updates, download, looked };
}

test('an update is downloaded, then waits for the person, who sees no installer', async () => {
  const { updater, states, updates } = open();
  expect(await updates.check()).toEqual({ kind: 'none' });
  updater.found = NEWER;
  const downloading = { kind: 'downloading', version: '2.0.0', percent: 0 };
  expect(await updates.check()).toEqual(downloading);
  updates.install();
  expect(updater.installs).toEqual([]);
  updater.emit('download-progress', { percent: 41.2 });
  updater.emit('download-progress', { percent: 41.9 });
  updater.emit('update-downloaded', { version: '2.0.0' });
  expect(states.slice(1)).toEqual([downloading, { ...downloading, percent: 41 }, READY]);
  expect(updates.state()).toEqual(READY);
  updates.install();
  expect(updater.installs).toEqual([{ isSilent: true, isForceRunAfter: true }]);
});

test('an install that fails or is called off is told, and the update stays to be tried again', async () => {
  const { updater, failures, updates, download } = open();
  await download();
  updater.installFailure = new Error('pkexec exited with code 126');
  updates.install();
  expect(failures).toEqual(['Error: pkexec exited with code 126']);
  expect(updates.state()).toEqual(READY);
  updater.installFailure = undefined;
  updates.install();
  expect([updater.installs.length, failures.length]).toEqual([2, 1]);
});

test('what is new in a version comes with it, as plain words', async () => {
  const { updates, download } = open();
  await download({ releaseNotes: '<p>Faster start.</p>\n' });
  expect(updates.state()).toEqual({ ...READY, notes: 'Faster start.' });
});

test('a failed check says so and can be repeated', async () => {
  const { updater, updates, looked } = open();
  updater.checkFailure = new Error('no network');
  expect(await updates.check()).toEqual({ kind: 'failed' });
  expect(looked).toEqual(['Error: no network']);
  updater.checkFailure = undefined;
  expect(await updates.check()).toEqual({ kind: 'none' });
});

test('a download that breaks off is a failure, and is not asked for twice meanwhile', async () => {
  const { updater, states, updates } = open();
  const download = Promise.withResolvers<void>();
  updater.found = { ...NEWER, downloadPromise: download.promise };
  await updates.check();
  expect(await updates.check()).toMatchObject({ kind: 'downloading', version: '2.0.0' });
  expect(updater.checks).toBe(1);
  download.reject(new Error('cut'));
  await expect.poll(() => states.at(-1)).toEqual({ kind: 'failed' });
  await updates.check();
  expect(updater.checks).toBe(2);
});

test('what is downloaded stays ready, whatever goes wrong afterwards', async () => {
  const { updater, updates, download, failures } = open();
  await download();
  updater.emit('error', new Error('offline'));
  expect(await updates.check()).toEqual(READY);
  expect(failures).toEqual([]);
});

test('without a configured address there is nothing to ask', async () => {
  const updates = createUpdates({
    load: async () => undefined,
    onChange: () => undefined,
    onCheckFailed: () => undefined,
    onInstallFailed: () => undefined,
  });
  expect(await updates.check()).toEqual({ kind: 'not_configured' });
  expect(updates.state()).toEqual({ kind: 'not_configured' });
});

test('an app that runs for weeks finds what came out after its start', async () => {
  const { updater, updates, states } = open();
  const checks: { delayMs: number; act: () => void }[] = [];
  checkRegularly(updates, (delayMs, act) => void checks.push({ delayMs, act }));
  await expect.poll(() => states.map(({ kind }) => kind)).toEqual(['none']);
  updater.found = NEWER;
  expect(checks.map(({ delayMs }) => delayMs)).toEqual([6 * 60 * 60 * 1000]);
  checks[0]?.act();
  await expect.poll(() => states.map(({ kind }) => kind)).toEqual(['none', 'downloading']);
});

const STATES: UpdateState[] = [
  { kind: 'none' },
  { kind: 'not_configured' },
  { kind: 'failed' },
  { kind: 'downloading', version: '2.0.0', percent: 12 },
  { kind: 'ready', version: '2.0.0', notes: 'Faster start.' },
];

function offerOf(state: UpdateState, pressed = 0) {
  const told: string[] = [];
  let installs = 0;
  const updates = {
    state: () => state,
    check: async () => state,
    install: () => void (installs += 1),
  };
  const offer = createUpdateOffer(updates, '1.0.0', async ({ message, detail }) => {
    told.push(`${message}. ${detail}`);
    return pressed;
  });
  return { offer, told, installs: () => installs };
}

test('whoever checks for updates is told every outcome, each in its own words', async () => {
  const told = new Set<string>();
  for (const state of STATES) {
    const opened = offerOf(state, 1);
    await opened.offer.check();
    expect(opened.told).toHaveLength(1);
    expect(opened.installs()).toBe(0);
    told.add(opened.told.join());
  }
  expect(told.size).toBe(STATES.length);
  expect([...told].slice(3)).toEqual([
    expect.stringContaining('12%'),
    expect.stringContaining('Faster start.'),
  ]);
});

test('whoever was told of a download hears once when it comes to nothing, nobody else does', async () => {
  const { offer, told } = offerOf({ kind: 'downloading', version: '2.0.0', percent: 12 });
  offer.changed({ kind: 'failed' });
  expect(told).toEqual([]);
  await offer.check();
  offer.changed({ kind: 'downloading', version: '2.0.0', percent: 13 });
  offer.changed({ kind: 'failed' });
  offer.changed({ kind: 'failed' });
  expect(told.slice(1)).toEqual([expect.stringContaining('We couldn’t download the update.')]);
});

test('an update that is ready starts when the person says so', async () => {
  const { offer, installs } = offerOf(READY);
  await offer.check();
  expect(installs()).toBe(1);
});

test('when the server wants a newer app, a downloaded one starts at once', async () => {
  const { offer, told, installs } = offerOf(READY);
  await offer.startNewer();
  expect([told, installs()]).toEqual([[], 1]);
});

test.each(STATES.filter(({ kind }) => kind !== 'ready'))(
  'without one it is said that the app must be updated: %j',
  async (state) => {
    const { offer, told, installs } = offerOf(state);
    await offer.startNewer();
    expect(installs()).toBe(0);
    expect(told.join()).toMatch(/must be updated.*no longer accepts version 1\.0\.0/);
  },
);

test.each([
  ['https://updates.example/ovation', true],
  ['http://localhost:8080/', true],
  ['http://127.0.0.1/', true],
  ['http://updates.example/ovation', false],
  ['http://localhost.evil.example/', false],
  ['file:///tmp', false],
  ['updates.example', false],
  ['', false],
])('updates may come from %s: %s', (address, may) => expect(mayUpdateFrom(address)).toBe(may));

test('the address is read from the file beside the app', () => {
  const file = (url: string): string => `provider: generic\nurl: ${url}\nupdaterCacheDirName: x\n`;
  expect(updateAddress(file('https://updates.example/a'))).toBe('https://updates.example/a');
  expect(updateAddress(file("'https://updates.example/a'"))).toBe('https://updates.example/a');
  expect(updateAddress(file('http://updates.example/a'))).toBeUndefined();
  expect(updateAddress('provider: github\n')).toBeUndefined();
  expect(updateAddress(undefined)).toBeUndefined();
});

test('the key is read from what was packed, and is none where it is no text', () => {
  expect(updatePublicKey('{"updatePublicKey":"abc"}')).toBe('abc');
  expect(updatePublicKey('{"updatePublicKey":1}')).toBeUndefined();
  expect(updatePublicKey('{}')).toBeUndefined();
  expect(updatePublicKey(undefined)).toBeUndefined();
});
