import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { listRows } from '../store/read-rows.ts';
import { findAsOf, findCursor } from '../store/scope-state.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { LIVE_SCOPE, LiveServer, settled } from '#web/testing/live-server.ts';
import { seededRandom } from '#web/testing/seeded-random.ts';
import { type LiveDeps, liveSession } from './live-session.ts';
import { sleepUntilAbort } from '#web/testing/sleep-until-abort.ts';
import type { LiveEvent } from '../network/sync-network.ts';

const EPOCH = '0192d3c0-0000-7000-8000-0000000000e1';

/** A session on a replica that has just been read whole. */
async function follow(server: LiveServer, more: Partial<LiveDeps> = {}) {
  const store = createMemoryStore();
  const stopping = new AbortController();
  const said: string[] = [];
  const deps: LiveDeps = {
    store,
    network: server.network,
    now: () => 0,
    newId: () => EPOCH,
    report: () => undefined,
    sleep: sleepUntilAbort,
    onOutbox: () => () => undefined,
    onLive: () => said.push('live'),
    onBlocked: (asOf) => said.push(`as of ${asOf}`),
    ...more,
  };
  const ended = liveSession(deps, stopping.signal).catch((error: unknown) => error);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  await settled();
  return { store, stop, said, ended };
}

const cursorOf = (store: SyncStore): Promise<number | undefined> =>
  store.read((tx) => findCursor(tx, LIVE_SCOPE));
const postsOf = (store: SyncStore): Promise<unknown[]> => store.read((tx) => listRows(tx, 'post'));

test('a delta that joins on is applied without a pull, and its cursor moves', async () => {
  const server = new LiveServer();
  server.write([1, 2]);
  const { store, stop } = await follow(server);
  const { pulls } = server.count;
  server.write([2, 3]);
  server.say(server.deltaFrom(1));
  await settled();
  expect(await postsOf(store)).toEqual(server.posts());
  expect(await cursorOf(store)).toBe(2);
  expect(server.count.pulls).toBe(pulls);
  await stop();
});

test('a delta behind a lost one is not applied: what is missing is pulled', async () => {
  const server = new LiveServer();
  server.write([1]);
  const { store, stop } = await follow(server);
  const { pulls } = server.count;
  server.write([2]);
  server.write([3]);
  server.say(server.deltaFrom(2));
  await settled();
  expect(server.count.pulls).toBe(pulls + 1);
  expect(await postsOf(store)).toEqual(server.posts());
  await stop();
});

test('a delta that comes twice or late asks for nothing and brings nothing back', async () => {
  const server = new LiveServer();
  server.write([1, 2]);
  const { store, stop } = await follow(server);
  const { pulls } = server.count;
  server.write([1]);
  const early = server.deltaFrom(1);
  server.write([1]);
  const next = server.deltaFrom(2);
  for (const event of [early, early, next, early, next]) server.say(event);
  await settled();
  server.say(early);
  await settled();
  expect(server.count.pulls).toBe(pulls);
  expect(await cursorOf(store)).toBe(3);
  expect(await postsOf(store)).toEqual(server.posts());
  await stop();
});

/** Waits that a test ends. */
function waitsOfTest() {
  const waits: Array<{ delayMs: number; end: () => void }> = [];
  const sleep: LiveDeps['sleep'] = (delayMs, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waits.push({ delayMs, end: resolve });
    signal.addEventListener('abort', () => resolve());
    return promise;
  };
  const end = async (ofMs: number): Promise<void> => {
    for (const wait of waits) if (wait.delayMs === ofMs) wait.end();
    await settled();
  };
  return { sleep, end };
}

test('a connection on which nothing is heard for 50 s has ended, and each heartbeat begins the wait anew', async () => {
  const server = new LiveServer();
  server.write([1]);
  const waits: Array<{ end: () => void; isOver: () => boolean }> = [];
  const sleep: LiveDeps['sleep'] = async (delayMs, signal) => {
    if (delayMs !== 50_000) return sleepUntilAbort(delayMs, signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    waits.push({ end: resolve, isOver: () => signal.aborted });
    return promise;
  };
  const { ended } = await follow(server, { sleep });
  const ends: unknown[] = [];
  void ended.then((end) => ends.push(end));
  server.say({ kind: 'heartbeat' });
  await settled();
  const last = waits.pop();
  expect(waits.map(({ isOver }) => isOver())).toEqual(waits.map(() => true));
  expect(waits.length).toBeGreaterThan(0);
  for (const heard of waits) heard.end();
  await settled();
  expect(ends).toEqual([]);
  last?.end();
  await settled();
  expect(ends).toEqual([{ kind: 'unreachable' }]);
});

test('a scope that somebody may no longer see goes as soon as the server says so', async () => {
  const server = new LiveServer();
  server.write([1, 2]);
  const { store, stop } = await follow(server);
  expect(await postsOf(store)).toHaveLength(2);
  const { pulls } = server.count;
  server.say({ kind: 'drop', scope: LIVE_SCOPE });
  await settled();
  expect(await postsOf(store)).toEqual([]);
  expect(await cursorOf(store)).toBeUndefined();
  expect(server.count.pulls, 'nobody had to ask').toBe(pulls);
  await stop();
});

test('a database restored twice in ten minutes: the replica is told as of before, until it is read anew', async () => {
  const server = new LiveServer();
  server.write([1, 2]);
  let nowMs = 0;
  const { sleep, end } = waitsOfTest();
  const { store, said, stop } = await follow(server, { now: () => nowMs, sleep });
  const restore = async (last: string): Promise<void> => {
    server.epoch = EPOCH.replace(/1$/, last);
    server.say({ kind: 'resync', epoch: server.epoch });
    await settled();
  };
  await restore('2');
  expect(said.at(-1)).toBe('live');
  const whole = await store.read(findAsOf);
  const held = await postsOf(store);

  nowMs = 60_000;
  server.write([3]);
  server.atMs += 60_000;
  await restore('3');
  expect(said.at(-1)).toBe(`as of ${whole}`);
  nowMs = (whole ?? 0) + 60_000;
  const { pulls } = server.count;
  server.write([4]);
  for (const event of [server.deltaFrom(3), { kind: 'heartbeat' } as const]) server.say(event);
  server.say({ kind: 'head', scope: LIVE_SCOPE, v: server.head });
  await settled();
  expect(said.at(-1)).toBe(`as of ${whole}`);
  expect(await store.read(findAsOf)).toBe(whole);
  expect(await postsOf(store)).toEqual(held);
  expect(server.count.pulls, 'nothing is nearer by a pull').toBe(pulls);

  nowMs = 10 * 60_000;
  await end(9 * 60_000);
  expect(await postsOf(store)).toEqual(server.posts());
  expect(said.at(-1)).toBe('live');
  await stop();
});

test('a replica that differs twice in ten minutes is told as of when it was whole, until it is read anew', async () => {
  const server = new LiveServer();
  server.write([1, 2]);
  let nowMs = 0;
  let isDifferent = true;
  const { sleep, end } = waitsOfTest();
  const { store, said, stop } = await follow(server, {
    now: () => nowMs,
    sleep,
    network: {
      ...server.network,
      verify: async () => ({
        kind: 'ok',
        value: isDifferent ? { status: 'different', entities: ['post'] } : { status: 'same' },
      }),
    },
  });
  const { snapshots } = server.count;
  await end(60_000);
  expect(server.count.snapshots).toBe(snapshots + 1);
  expect(said.at(-1)).toBe('live');
  const whole = await store.read(findAsOf);

  nowMs = 60_000;
  server.atMs += 60_000;
  await end(30 * 60_000);
  expect(said.at(-1)).toBe(`as of ${whole}`);
  server.write([3]);
  for (const event of [server.deltaFrom(1), { kind: 'heartbeat' } as const]) server.say(event);
  await settled();
  expect(said.at(-1)).toBe(`as of ${whole}`);
  expect(await store.read(findAsOf)).toBe(whole);

  nowMs = 10 * 60_000;
  isDifferent = false;
  await end(9 * 60_000);
  expect(said.at(-1)).toBe('live');
  expect(await postsOf(store)).toEqual(server.posts());
  await stop();
});

/** What a line does to events, and what came of it. */
interface Tally {
  applied: number;
  gapped: number;
  doubled: number;
  late: number;
}

/** Changes with a stream that loses, doubles and delays; in the end only the head is told. */
async function playHistory(seed: number, tally: Tally): Promise<void> {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const server = new LiveServer();
  server.write([0, 1, 2, 3]);
  const { store, stop } = await follow(server);
  let told = server.head;
  let late: LiveEvent | undefined;
  for (let step = 0; step < 30; step += 1) {
    for (let count = 1 + below(2); count > 0; count -= 1) server.write([below(12), below(12)]);
    const event = server.deltaFrom(told);
    told = server.head;
    const dice = random();
    const before = { v: await cursorOf(store), pulls: server.count.pulls };
    if (dice < 0.1) continue;
    if (dice < 0.2 && !late) {
      late = event;
      continue;
    }
    server.say(event);
    if (dice < 0.35) server.say(event);
    if (late) server.say(late);
    if (random() < 0.3) continue;
    await settled();
    const isPulled = server.count.pulls > before.pulls;
    tally.gapped += isPulled ? 1 : 0;
    tally.applied += !isPulled && (await cursorOf(store)) !== before.v ? 1 : 0;
    tally.doubled += dice < 0.35 && dice >= 0.2 ? 1 : 0;
    tally.late += late ? 1 : 0;
    late = undefined;
  }
  server.say({ kind: 'head', scope: LIVE_SCOPE, v: server.head });
  await settled();
  expect(await cursorOf(store), `cursor of seed ${seed}`).toBe(server.head);
  expect(await postsOf(store), `rows of seed ${seed}`).toEqual(server.posts());
  await stop();
}

test('whatever the stream loses, doubles or delays, the replica ends as the server is', async () => {
  const tally: Tally = { applied: 0, gapped: 0, doubled: 0, late: 0 };
  for (let seed = 1; seed <= 60; seed += 1) await playHistory(seed, tally);
  // Each has really happened.
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(60);
});
