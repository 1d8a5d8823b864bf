import { findAsOf, findClock } from '../store/scope-state.ts';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { LiveServer, settled } from '#web/testing/live-server.ts';
import { sleepUntilAbort } from '#web/testing/sleep-until-abort.ts';
import { takeLead, type EngineDeps, lead } from './sync-engine.ts';
import type { SyncStatus } from '../network/sync-status.ts';

const ID = '0192d3c0-0000-7000-8000-0000000000c1';

function leadOver(server: LiveServer, more: Partial<EngineDeps> = {}) {
  const store = createMemoryStore();
  const statuses: SyncStatus[] = [];
  const stopping = new AbortController();
  const deps: EngineDeps = {
    store,
    network: server.network,
    freePictures: async () => false,
    now: () => 0,
    newId: () => ID,
    random: () => 0,
    report: () => undefined,
    onStatus: (status) => void statuses.push(status),
    onOutbox: () => () => undefined,
    onWake: () => () => undefined,
    sleep: sleepUntilAbort,
    ...more,
  };
  return { store, statuses, stopping, ended: lead(deps, stopping.signal) };
}

test('a leader that was fenced no longer says that the replica is up to date, but as of when it is', async () => {
  const server = new LiveServer();
  const { store, statuses, ended } = leadOver(server);
  await settled();
  expect(statuses.at(-1)).toEqual({ kind: 'live' });
  await takeLead(store);
  server.say({ kind: 'heartbeat' });
  expect(await ended).toBe('fenced');
  const asOf = await store.read(findAsOf);
  expect(asOf).toBeGreaterThan(0);
  expect(statuses.at(-1)).toEqual({ kind: 'offline', asOf });
});

test('the latest that the clock has shown without the server is kept, and begins anew once it is heard', async () => {
  const server = new LiveServer();
  let isThere = false;
  let now = 100;
  let wake = (): void => undefined;
  const network: EngineDeps['network'] = {
    ...server.network,
    stream: (signal) =>
      isThere ? server.network.stream(signal) : Promise.resolve({ kind: 'unreachable' }),
  };
  const { store, stopping, ended } = leadOver(server, {
    network,
    now: () => now,
    onWake: (listener) => {
      wake = listener;
      return () => undefined;
    },
  });
  const clock = () => store.read(findClock);
  const tryAgainAt = async (ms: number): Promise<void> => {
    now = ms;
    wake();
    await settled();
  };
  await settled();
  expect(await clock()).toBeUndefined();
  isThere = true;
  await tryAgainAt(200);
  expect(await clock()).toEqual({ heardAt: 200, latest: 200 });
  isThere = false;
  now = 300;
  server.say({ kind: 'heartbeat' });
  await settled();
  expect(await clock()).toEqual({ heardAt: 300, latest: 300 });
  server.end();
  await settled();
  await tryAgainAt(400);
  await tryAgainAt(50);
  expect(await clock()).toEqual({ heardAt: 300, latest: 400 });
  isThere = true;
  await tryAgainAt(60);
  expect(await clock()).toEqual({ heardAt: 60, latest: 60 });
  stopping.abort();
  await ended;
});
