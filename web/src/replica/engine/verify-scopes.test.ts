import { expect, test } from 'vitest';
import { Checksum } from '#shared/sync/checksum.ts';
import type { PullAnswer } from '#shared/sync/pull.ts';
import type { Scope } from '#shared/contract/scope.ts';
import type { VerifyAnswer, VerifyRequest } from '#shared/sync/verify.ts';
import { applyRows } from '../store/apply-rows.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { listRows } from '../store/read-rows.ts';
import { findCursor, findScope, isFollowed, putCursor, putScope } from '../store/scope-state.ts';
import { pullScopes } from './pull-scopes.ts';
import type { SyncNetwork } from '../network/sync-network.ts';
import { verifyScopes } from './verify-scopes.ts';

const SCOPE: Scope = 'b:0192d3c0-0000-7000-8000-000000000001';
const EPOCH = '0192d3c0-0000-7000-8000-0000000000e1';
const never = new AbortController().signal;
const unused = (): Promise<never> => Promise.reject(new Error('not to be called'));

/** A replica that holds one wrong ledger row, and a server that answers `status`. */
async function copyWith(status: VerifyAnswer['status'], more: Record<string, string> = {}) {
  const store = createMemoryStore();
  const asked: VerifyRequest[] = [];
  const reports: string[] = [];
  await store.write(async (tx) => {
    await tx.putMeta('epoch', EPOCH);
    await putCursor(tx, SCOPE, 7);
    const complete = ['wallet', 'ledger'];
    await putScope(tx, { scope: SCOPE, generation: 1, complete, more, loading: null });
    const wrong = { id: 'a', v: 3, row: { credits: 1 } };
    await applyRows(tx, { scope: SCOPE, entity: 'ledger', generation: 1 }, [wrong]);
  });
  const network: SyncNetwork = {
    pull: unused,
    push: unused,
    stream: unused,
    verify: async (request) => {
      asked.push(request);
      return {
        kind: 'ok',
        value: status === 'different' ? { status, entities: ['ledger'] } : { status },
      };
    },
    snapshot: async () => ({ kind: 'ok', value: line.isCut ? cutSnapshot() : snapshot() }),
  };
  let now = 0;
  const line = { isCut: false };
  const work = {
    store,
    network,
    now: () => now,
    newId: () => EPOCH,
    report: (event: string) => void reports.push(event),
  };
  const later = (sinceMs: number): void => {
    now += sinceMs;
  };
  const pullable = { ...work, network: { ...network, pull: answerPull } };
  return { store, work, pullable, asked, reports, later, line };
}

/** A server that has nothing new for whoever has a cursor. */
const answerPull: SyncNetwork['pull'] = async ({ cursors }) => {
  const cursor = cursors[SCOPE];
  const page = { from: cursor?.v ?? 0, to: cursor?.v ?? 0, next: null, rows: [] };
  const value = {
    epoch: EPOCH,
    sessionId: EPOCH,
    userId: EPOCH,
    at: '2026-11-21T12:00:00.000Z',
    scopes: cursor ? { [SCOPE]: page } : {},
    drop: [],
    new: cursor ? [] : [SCOPE],
    resync: [],
    lastMid: 0,
  } satisfies PullAnswer;
  return { kind: 'ok', value };
};

async function* cutSnapshot() {
  yield [{ kind: 'head', epoch: EPOCH, v: 8, schema: 1, count: {} }] as never;
}

async function* snapshot() {
  yield [
    { kind: 'head', epoch: EPOCH, v: 8, schema: 1, count: {} },
    { kind: 'chunk', entity: 'ledger', after: 'a', rows: [['a', 4, { credits: 2 }]] },
    { kind: 'end', end: true, count: 1, more: {} },
  ] as never;
}

test('the count and the sum of every entity that is held whole are told, at the cursor', async () => {
  const { work, asked, reports } = await copyWith('same', { wallet: 'x' });
  expect(await verifyScopes(work, never)).toEqual({ kind: 'done' });
  const sum = new Checksum();
  sum.add('ledger', 'a', 3);
  expect(asked).toEqual([
    {
      clientId: EPOCH,
      scope: SCOPE,
      v: 7,
      entities: { ledger: { count: 1, sum: sum.toString() } },
    },
  ]);
  expect(reports).toEqual([]);
});

test('a replica that differs is reported and read anew beside what is shown', async () => {
  const { store, work, reports } = await copyWith('different');
  expect(await verifyScopes(work, never)).toEqual({ kind: 'done' });
  expect(reports).toEqual(['The replica differs from the server']);
  expect(await store.read((tx) => listRows(tx, 'ledger'))).toEqual([{ credits: 2 }]);
  expect(await store.read((tx) => findScope(tx, SCOPE))).toMatchObject({
    generation: 2,
    loading: null,
  });
});

test('a scope is read anew at most once in ten minutes', async () => {
  const { store, work, pullable, later } = await copyWith('different');
  const generation = async (): Promise<number | undefined> =>
    (await store.read((tx) => findScope(tx, SCOPE)))?.generation;
  await verifyScopes(work, never);
  later(9 * 60_000);
  await verifyScopes(work, never);
  expect(await generation()).toBe(2);
  later(2 * 60_000);
  await pullScopes(pullable, never);
  expect(await generation()).toBe(3);
});

test('a scope that differs and may not be read anew yet is not followed until it may', async () => {
  const { store, work, pullable, later } = await copyWith('different');
  await verifyScopes(work, never);
  expect(await store.read(isFollowed)).toBe(true);
  later(60_000);
  await verifyScopes(work, never);
  expect(await store.read(isFollowed)).toBe(false);
  expect(await pullScopes(pullable, never)).toEqual({ kind: 'blocked', forMs: 9 * 60_000 });
});

test('a reading anew that breaks off is gone on with by the next pull', async () => {
  const { store, work, pullable, line } = await copyWith('different');
  line.isCut = true;
  expect(await verifyScopes(work, never)).toEqual({ kind: 'unreachable' });
  expect(await store.read((tx) => listRows(tx, 'ledger'))).toEqual([{ credits: 1 }]);
  line.isCut = false;
  expect(await pullScopes(pullable, never)).toEqual({ kind: 'done' });
  expect(await store.read((tx) => listRows(tx, 'ledger'))).toEqual([{ credits: 2 }]);
  expect(await store.read((tx) => findScope(tx, SCOPE))).toMatchObject({ loading: null });
  expect(await store.read((tx) => findCursor(tx, SCOPE))).toBe(8);
});

test('a scope that is lost before its first reading has ended goes', async () => {
  const { store, pullable } = await copyWith('same');
  const other = SCOPE.replace(/1$/, '2');
  const loading = { generation: 1, epoch: EPOCH, v: 3, done: [], part: null };
  await store.write((tx) => putScope(tx, { scope: other, generation: 1, complete: [], loading }));
  expect(await pullScopes(pullable, never)).toEqual({ kind: 'done' });
  expect(await store.read((tx) => findScope(tx, other))).toBeUndefined();
});
