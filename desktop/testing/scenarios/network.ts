/** Updates before a server that may lie, and networks whose proxies lead nowhere: what counts is that they are asked, and how. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { press } from '../fake-desktop.ts';
import { control } from '../fake-electron.ts';
import { startFakeSocks } from '../fake-proxy.ts';
import { startFakeServer } from '../fake-server.ts';
import { HELD_UP, WRONG_PARTS } from '../fake-update-server.ts';
import { record, world } from '../fake-world.ts';
import { type Run, type Scenario, settled, toldOf } from './scenario.ts';

const NEWER = { kind: 'ready', version: '2.0.0', notes: 'Faster start.' };
const FROM_THE_START = ['latest-linux.yml', 'latest-linux.yml.sig', 'Ovation-2.0.0.AppImage'];
const FAILED = 'We couldn’t download the update';

/** The app as it lies on the disk, by its first line. */
const versionIn = (data: string): string | undefined =>
  readFileSync(join(data, 'image/Ovation.AppImage'), 'utf8').split('\n')[0];
const wasStarted = (data: string): boolean =>
  existsSync(join(data, 'image/Ovation.AppImage.started'));

/** What the app found by itself, and what it then says to who asks, and presses Later. */
async function check({ window }: Run): Promise<{ told: unknown; message: string | undefined }> {
  window.draw();
  const isOver = (): boolean => toldOf(window, 'kind').some(({ kind }) => kind !== 'downloading');
  await settled(isOver);
  const told = window.sent.at(-1);
  world.pressed = 1;
  press(record.menu, 'Check for updates');
  await settled(() => record.messages.length > 0);
  return { told, message: record.messages[0]?.message };
}

/** The real electron-updater before a server of this run; what it starts anew is a script. */
async function takeUpdate(run: Run): Promise<void> {
  const { data, updates, window } = run;
  deepEqual(await check(run), { told: NEWER, message: 'Ovation 2.0.0 is ready' });
  deepEqual([updates.asked, record.heldUp], [FROM_THE_START, []]);
  equal(versionIn(data), 'version 1.2.3');
  await control.ask('installUpdate');
  await settled(() => record.done.includes('quit') && wasStarted(data));
  equal(versionIn(data), '#!/bin/sh');
  ok(record.done.includes('links ovation') && record.done.includes('lock released'));
  equal(window.close(), 'closed');
}

/** It runs from a folder that nobody may write: it goes on, and says so. */
async function refuseUpdate(run: Run): Promise<void> {
  deepEqual((await check(run)).told, NEWER);
  await control.ask('installUpdate');
  await settled(() => record.messages.length > 1);
  deepEqual(
    record.messages.slice(1).map(({ message }) => message),
    ['The update couldn’t be installed'],
  );
  deepEqual([wasStarted(run.data), run.window.close()], [false, 'kept']);
}

/** What lies at the address is not what was signed. */
async function takeNone(run: Run): Promise<void> {
  const { told, message } = await check(run);
  deepEqual(told, { kind: 'failed' });
  // A download that was wrong is asked for again.
  equal(message, world.updateLie === 'byte' ? 'Downloading Ovation 2.0.0' : FAILED);
  await control.ask('installUpdate');
  deepEqual([versionIn(run.data), wasStarted(run.data)], ['version 1.2.3', false]);
  equal(run.window.close(), 'kept');
}

/** An answer that never ends counts as failed, and the next check asks the server afresh. */
async function giveUp({ window, updates }: Run): Promise<void> {
  const kinds = (): unknown[] => toldOf(window, 'kind').map(({ kind }) => kind);
  window.draw();
  press(record.menu, 'Check for updates');
  await settled(() => kinds().includes('failed') && record.messages.at(-1)?.message === FAILED);
  const [asked, told] = [updates.asked.length, kinds().length];
  ok(updates.poured() < 20_000_000);
  updates.mend();
  await control.ask('checkForUpdate');
  await settled(() => kinds().includes('ready'));
  deepEqual([...new Set(kinds().slice(told))], ['downloading', 'ready']);
  deepEqual(updates.asked.slice(asked), FROM_THE_START);
}

/** An address that anybody could stand in for. */
async function askNobody(run: Run): Promise<void> {
  deepEqual((await check(run)).told, { kind: 'not_configured' });
  deepEqual([run.updates.asked, wasStarted(run.data)], [[], false]);
}

/** The updaters of the other systems, before a server that has packages of Linux only. */
async function askForChannel(run: Run): Promise<void> {
  deepEqual((await check(run)).told, { kind: 'failed' });
  ok(run.updates.asked.includes(world.platform === 'darwin' ? 'latest-mac.yml' : 'latest.yml'));
}

const choose = (address: string): Promise<unknown> => control.ask('chooseServer', address);

/** The system names a proxy, then one that speaks SOCKS. */
async function useProxies(): Promise<void> {
  const [proxy, server] = [await startFakeServer(), await startFakeServer()];
  world.proxies = `PROXY ${proxy.address}; DIRECT`;
  await choose(server.address);
  // Nobody answers there in its language; before that is known, certificates count.
  await choose(`https://${server.address}`);
  ok(record.done.includes('trusts the system'));
  // Asked first whether it wants a log-in.
  deepEqual([server.calls.length, proxy.tunnels], [0, 3]);
  const socks = await startFakeSocks();
  world.proxies = `SOCKS5 ${socks.address}`;
  await choose(`https://${server.address}`);
  deepEqual([...new Set(socks.asked)], [server.address]);
}

/** Nothing goes through before the person has logged in to the proxy; the app runs all the same. */
async function logInToProxy({ window, data }: Run): Promise<void> {
  const proxy = await startFakeServer();
  proxy.proxyLogin = 'anna:right';
  world.proxies = `PROXY ${proxy.address}`;
  const ask = () => choose('https://ovation.example');
  const answer = (password: string): Promise<unknown> =>
    control.ask('answerProxy', { user: 'anna', password, isKept: true });
  const question = () => control.ask('readProxyQuestion');
  const isHeldUp = { kind: 'proxy_login', canBeGiven: true };
  const [first, again] = [false, true].map((wasWrong) => ({ proxy: proxy.address, wasWrong }));
  deepEqual([await ask(), await question()], [isHeldUp, first]);
  await answer('wrong');
  deepEqual([await ask(), await question()], [isHeldUp, again]);
  const before = proxy.tunnels;
  await answer('right');
  // It leads nowhere: the question whether it wants a log-in, and the call.
  deepEqual([await ask(), await question()], [{ kind: 'unreachable' }, null]);
  equal(proxy.tunnels - before, 2);
  deepEqual(toldOf(window, 'proxy'), [first, again]);
  ok(!readFileSync(join(data, 'proxy-logins'), 'utf8').includes('anna'));
}

const PACKAGED = { isPackaged: true };

export const NETWORKS: Record<string, Scenario> = {
  update: { world: PACKAGED, play: takeUpdate },
  'update refused': { world: { ...PACKAGED, isReadOnly: true }, play: refuseUpdate },
  'update from anywhere': {
    world: { ...PACKAGED, updateUrl: 'http://updates.example' },
    play: askNobody,
  },
  'updater of win32': { world: { ...PACKAGED, platform: 'win32' }, play: askForChannel },
  'updater of darwin': { world: { ...PACKAGED, platform: 'darwin' }, play: askForChannel },
  ...Object.fromEntries(
    WRONG_PARTS.map((updateLie): [string, Scenario] => [
      `update with a wrong ${updateLie}`,
      { world: { ...PACKAGED, updateLie }, play: takeNone },
    ]),
  ),
  ...Object.fromEntries(
    HELD_UP.map((updateLie): [string, Scenario] => [
      `update held up by ${updateLie}`,
      { world: { ...PACKAGED, updateLie, isInHurry: true }, play: giveUp },
    ]),
  ),
  proxies: { play: useProxies },
  'proxy with a password': { world: { keyring: 'gnome_libsecret' }, play: logInToProxy },
};
