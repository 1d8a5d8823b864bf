import { expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { isComplete, listRows } from '../store/read-rows.ts';
import { loadSnapshot } from './load-snapshot.ts';
import type { SyncNetwork } from '../network/sync-network.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const FIRST = '0192d3c0-0000-7000-8000-0000000000e1';
const RESTORED = '0192d3c0-0000-7000-8000-0000000000e2';
const { signal } = new AbortController();

/** Accounts, which are whole once a post comes; then the line breaks. */
async function* cutSnapshot(epoch: string) {
  yield [
    { kind: 'head', epoch, v: 3, schema: 1, count: {} },
    { kind: 'chunk', entity: 'account', after: '1', rows: [['1', 1, { accountId: '1' }]] },
    { kind: 'chunk', entity: 'post', after: '1', rows: [['1/1', 1, { id: '1', igId: '1' }]] },
  ] as never;
}

function workOver(snapshot: SyncNetwork['snapshot']) {
  const unused = (): Promise<never> => Promise.reject(new Error('not to be called'));
  const network = { pull: unused, push: unused, verify: unused, stream: unused, snapshot };
  const store = createMemoryStore();
  return { store, network, now: () => 0, newId: () => FIRST, report: () => undefined };
}

test('a first reading that another database takes over shows what comes, and calls nothing whole that went', async () => {
  let epoch = FIRST;
  const work = workOver(async () => ({ kind: 'ok', value: cutSnapshot(epoch) }));
  const { store } = work;
  await loadSnapshot(work, SCOPE, FIRST, signal);
  expect(await store.read((tx) => isComplete(tx, 'account'))).toBe(true);
  epoch = RESTORED;
  await loadSnapshot(work, SCOPE, RESTORED, signal);
  expect(await store.read((tx) => listRows(tx, 'account'))).toHaveLength(1);
  work.network.snapshot = async () => ({ kind: 'unreachable' });
  await loadSnapshot(work, SCOPE, FIRST, signal);
  expect(await store.read((tx) => listRows(tx, 'account'))).toEqual([]);
  expect(await store.read((tx) => isComplete(tx, 'account'))).toBe(false);
});

test('a first reading whose version is too old to go on from calls nothing whole while it begins anew', async () => {
  const asked: Array<number | undefined> = [];
  const work = workOver(async ({ v }) => {
    asked.push(v);
    if (asked.length === 1) return { kind: 'ok', value: cutSnapshot(FIRST) };
    return { kind: v === undefined ? 'unreachable' : 'gone' };
  });
  await loadSnapshot(work, SCOPE, FIRST, signal);
  await loadSnapshot(work, SCOPE, FIRST, signal);
  expect(asked).toEqual([undefined, 3, undefined]);
  expect(await work.store.read((tx) => listRows(tx, 'account'))).toEqual([]);
  expect(await work.store.read((tx) => isComplete(tx, 'account'))).toBe(false);
});
