import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WireRow } from '#shared/sync/row.ts';
import type { Scope } from '#shared/contract/scope.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { queueChange } from '../outbox/outbox.ts';
import { listRows } from '../store/read-rows.ts';
import { findCursor } from '../store/scope-state.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { freshSeeds, playKept } from '#web/testing/kept-seeds.ts';
import { createMutations, isRefused, orderIdOf } from '#web/testing/numbered-mutations.ts';
import { seededRandom } from '#web/testing/seeded-random.ts';
import { takeLead, reconnectDelayMs, lead } from './sync-engine.ts';
import { pullScopes } from './pull-scopes.ts';
import { pushOutbox } from '../outbox/push-outbox.ts';
import type { SnapshotLine, SyncNetwork, SyncWork } from '../network/sync-network.ts';

const SCOPE: Scope = 'w:0192d3c0-0000-7000-8000-000000000001';
const EPOCHS = ['0192d3c0-0000-7000-8000-0000000000e1', '0192d3c0-0000-7000-8000-0000000000e2'];
const ACCOUNT = '0192d3c0-0000-7000-8000-0000000000a1';
const AT = '2026-11-21T12:00:00.000Z';
const never = new AbortController().signal;
/** `HISTORIES=2000` for more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 150);

const POST_LIKED = {
  entity: 'post',
  id: `${ACCOUNT}/3`,
  change: { kind: 'add', fields: { likes: 1 } },
} as const;

class Crash extends Error {}

interface Held {
  v: number;
  row: Record<string, unknown> | null;
}

/** A server in one object: rows with versions, a garbage collector, restores, and mutations by number. */
function createServer(random: () => number) {
  const rows = new Map<string, Held>();
  const mutations = createMutations(random);
  let head = 0;
  let collected = 0;
  let epoch = 0;
  let isQuiet = false;
  const below = (end: number): number => Math.floor(random() * end);
  const write = (): void => {
    head += 1;
    for (let count = 0; count < 1 + below(6); count += 1) {
      const id = String(below(60));
      const takenAt = new Date(Date.parse(AT) - Number(id) * 60_000).toISOString();
      const row = { id, igId: '1', takenAt, listPosition: 0, likes: below(1000) };
      rows.set(`${ACCOUNT}/${id}`, { v: head, row: random() < 0.2 ? null : row });
    }
  };
  const collect = (): void => {
    collected = head;
    for (const [id, { row }] of rows) if (!row) rows.delete(id);
  };
  const restore = (): void => {
    epoch = 1;
    collected = 0;
    for (const [id, { v }] of rows) if (v > head / 2) rows.delete(id);
    head = Math.floor(head / 2);
    mutations.forget();
  };
  const sorted = (): Array<[string, Held]> => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const network = (step: () => Promise<void>): SyncNetwork => ({
    pull: async (request) => {
      await step();
      const answer = {
        epoch: EPOCHS[epoch] ?? '',
        sessionId: ACCOUNT,
        userId: ACCOUNT,
        at: AT,
        drop: [],
        lastMid: 0,
        scopes: {},
        new: [] as Scope[],
        resync: [] as Scope[],
      };
      const cursor = request.cursors[SCOPE];
      const isOld = cursor && (request.epoch !== answer.epoch || cursor.v < collected);
      if (!cursor) return { kind: 'ok', value: { ...answer, new: [SCOPE] } };
      if (isOld) return { kind: 'ok', value: { ...answer, resync: [SCOPE] } };
      const [to = head, after = ''] = cursor.next ? JSON.parse(cursor.next) : [];
      const due = sorted().filter(([id, { v }]) => v > cursor.v && v <= to && id > after);
      const page = due.slice(0, 7).map(([id, { v, row }]): WireRow => ['post', id, v, row]);
      const next = due.length > 7 ? JSON.stringify([to, page.at(-1)?.[1]]) : null;
      if (!isQuiet && random() < 0.3) write();
      return {
        kind: 'ok',
        value: { ...answer, scopes: { [SCOPE]: { from: cursor.v, to, next, rows: page } } },
      };
    },
    snapshot: async ({ after = '', v }) => {
      await step();
      if (v !== undefined && v < collected) return { kind: 'gone' };
      return { kind: 'ok', value: snapshot(after, v, step) };
    },
    push: async (request) => {
      await step();
      if (random() < 0.5) mutations.executeLate();
      const results = [];
      for (const mutation of request.mutations) {
        const answer = mutations.answer(request.clientId, mutation, { isQuiet });
        if (answer === 'gap') return { kind: 'gap' };
        if (answer === 'ok') {
          // What it changed comes with the next pull.
          head += 1;
          results.push({ mid: mutation.mid, status: answer, versions: { [SCOPE]: head } });
        } else results.push({ mid: mutation.mid, code: 'x', message: '', ...answer });
        if (typeof answer === 'object' && answer.status === 'later') break;
      }
      // The server is killed between its commit and its answer.
      await step();
      return { kind: 'ok', value: { results, lastMid: 0 } };
    },
    verify: async () => ({ kind: 'ok', value: { status: 'same' } }),
    stream: async () => ({ kind: 'unreachable' }),
  });
  async function* snapshot(
    after: string,
    v: number | undefined,
    step: () => Promise<void>,
  ): AsyncGenerator<SnapshotLine[]> {
    const count = {} as Record<'post', number>;
    yield [{ kind: 'head', epoch: EPOCHS[epoch] ?? '', v: v ?? head, schema: 1, count }];
    let key = after;
    for (;;) {
      await step();
      const part = sorted()
        .filter(([id, { row }]) => id > key && row)
        .slice(0, 9);
      if (part.length === 0) break;
      key = part.at(-1)?.[0] ?? key;
      const lines = part.map(([id, held]): [string, number, Record<string, unknown>] => [
        id,
        held.v,
        held.row ?? {},
      ]);
      yield [{ kind: 'chunk', entity: 'post', rows: lines, after: key }];
      if (!isQuiet && random() < 0.3) write();
    }
    yield [{ kind: 'end', end: true, count: 0, more: {} }];
  }
  const posts = (): unknown[] =>
    [...rows.values()]
      .flatMap(({ row }) => (row ? [row] : []))
      .sort((a, b) => (String(a['takenAt']) < String(b['takenAt']) ? 1 : -1));
  const quiet = (): void => {
    isQuiet = true;
  };
  const { executed } = mutations;
  return { write, collect, restore, quiet, network, posts, executed };
}

/** One random history of a client that crashes at any await; a new leader goes on each time. */
async function playHistory(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const server = createServer(random);
  let mayCrash = true;
  let nowMs = Date.parse(AT);
  let ids = 0;
  const step = async (): Promise<void> => {
    if (mayCrash && random() < 0.02) throw new Crash('on purpose');
  };
  const store = createMemoryStore(step);
  const newId = (): string => {
    ids += 1;
    return `0192d3c0-0000-7000-8000-${String(ids).padStart(12, '0')}`;
  };
  const work = (leading: SyncStore): SyncWork => ({
    store: leading,
    network: server.network(step),
    now: () => nowMs,
    newId,
    report: () => undefined,
  });
  const queued: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    server.write();
    if (random() < 0.1) server.collect();
    if (round === 8 && random() < 0.3) server.restore();
    nowMs += (random() < 0.2 ? -24 : 1) * 3_600_000;
    try {
      const id = String(round).padStart(2, '0');
      const item = { id, name: 'orderLikes', v: 1, args: { orderId: id }, title: '', madeAt: 0 };
      await store.write((tx) => queueChange(tx, item, [POST_LIKED]));
      queued.push(id);
      const leading = work(await takeLead(store));
      await pullScopes(leading, never);
      await pushOutbox(leading, never);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
  mayCrash = false;
  server.quiet();
  nowMs += 11 * 60_000;
  const last = work(await takeLead(store));
  expect(await pullScopes(last, never), `seed ${seed}`).toEqual({ kind: 'done' });
  expect(await pushOutbox(last, never), `seed ${seed}`).toEqual({ kind: 'done' });
  await pullScopes(last, never);
  const held = await store.read((tx) => listRows(tx, 'post'));
  expect(held, `rows of seed ${seed}`).toEqual(server.posts());
  const orders = new Set(server.executed.map(orderIdOf));
  const done = queued.filter((id) => !isRefused(id));
  expect([...orders].sort(), `orders of seed ${seed}`).toEqual(done);
  const left = await store.read((tx) => tx.listOutbox());
  const failed = left.map(({ id, state }) => `${id} ${state.kind}`);
  const refused = queued.filter(isRefused).map((id) => `${id} failed`);
  expect(failed, `outbox of seed ${seed}`).toEqual(refused);
  expect(server.executed.length, `executions of seed ${seed}`).toBe(orders.size);
}

test('after any history with crashes at every await, client and server hold the same', async () => {
  const seeds = Array.from({ length: HISTORIES }, (_, nr) => nr + 1);
  const file = join(import.meta.dirname, '../../testing/kept-seeds.json');
  const kept = {
    seeds: JSON.parse(readFileSync(file, 'utf8')) as number[],
    write: (all: readonly number[]) => writeFileSync(file, `${JSON.stringify(all)}\n`),
  };
  const played = await playKept(kept, [...seeds, ...freshSeeds(100)], playHistory);
  expect.assertions(played * 6);
});

test('a leader that lost the lead can write nothing any more', async () => {
  const store = createMemoryStore();
  const first = await takeLead(store);
  await takeLead(store);
  await expect(first.write((tx) => tx.putMeta('x', 1))).rejects.toThrow('Another tab leads now');
  expect(await store.read((tx) => tx.getMeta('x'))).toBeUndefined();
  expect(await store.read((tx) => findCursor(tx, SCOPE))).toBeUndefined();
});

test('a wake that comes while an attempt fails is not lost: the wait after it is already over', async () => {
  const stopping = new AbortController();
  const wakes = new Set<() => void>();
  const waits: boolean[] = [];
  const unused = async (): Promise<never> => {
    throw new Error('Nothing is read without a stream');
  };
  await lead(
    {
      freePictures: async () => false,
      store: createMemoryStore(),
      network: {
        pull: unused,
        push: unused,
        verify: unused,
        snapshot: unused,
        stream: async () => {
          if (waits.length === 0) for (const wake of wakes) wake();
          return { kind: 'unreachable' };
        },
      },
      now: () => 0,
      newId: () => EPOCHS[0] ?? '',
      random: () => 0,
      report: () => undefined,
      onStatus: () => undefined,
      onOutbox: () => () => undefined,
      onWake: (listener) => {
        wakes.add(listener);
        return () => wakes.delete(listener);
      },
      sleep: async (_delayMs, signal) => {
        waits.push(signal.aborted);
        if (waits.length === 2) stopping.abort();
      },
    },
    stopping.signal,
  );
  expect(waits).toEqual([true, false]);
  expect(wakes.size).toBe(0);
});

test('waits grow up to half a minute and are spread', () => {
  expect([0, 1, 3, 20].map((failures) => reconnectDelayMs(failures, () => 1))).toEqual([
    500, 1000, 4000, 30_000,
  ]);
  expect(reconnectDelayMs(20, () => 0)).toBe(15_000);
});
