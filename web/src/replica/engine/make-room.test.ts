import { expect, test } from 'vitest';
import { applyRows } from '../store/apply-rows.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { queueChange } from '../outbox/outbox.ts';
import { findOlderPosts } from '../queries/older-posts.ts';
import { packRows } from '../store/chunk.ts';
import { isComplete, listRows } from '../store/read-rows.ts';
import { findRowLimit, findScope, putScope } from '../store/scope-state.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { isStorageFull, makeRoom } from './make-room.ts';
import type { SyncNetwork } from '../network/sync-network.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const EPOCH = '0192d3c0-0000-7000-8000-0000000000e1';

async function copyWithPosts(count: number) {
  const store = createMemoryStore();
  const place = { scope: SCOPE, entity: 'post', generation: 1 };
  const rows = Array.from({ length: count }, (_, nth) => ({
    id: `account/${nth}`,
    v: 1,
    row: { id: String(nth), igId: '1', takenAt: new Date(nth * 60_000).toISOString() },
  }));
  await store.write(async (tx) => {
    await putScope(tx, { scope: SCOPE, generation: 1, complete: ['post'], loading: null });
    await tx.putChunks(packRows(place, rows));
    const item = { id: '1', name: 'orderLikes', v: 1, args: {}, title: 'Likes', madeAt: 0 };
    await queueChange(tx, item, []);
  });
  return store;
}

test('a full device is known by the browser’s own word, wherever Dexie puts it', () => {
  const quota = Object.assign(new Error('full'), { name: 'QuotaExceededError' });
  expect(isStorageFull(quota)).toBe(true);
  expect(isStorageFull(Object.assign(new Error('aborted'), { inner: quota }))).toBe(true);
  expect(isStorageFull(new Error('wrapped', { cause: quota }))).toBe(true);
  expect(isStorageFull(new Error('QuotaExceededError'))).toBe(false);
});

test('kept pictures go first, and nothing else with them', async () => {
  const store = await copyWithPosts(512);
  expect(await makeRoom(store, async () => true)).toBe('pictures');
  expect(await store.read((tx) => listRows(tx, 'post'))).toHaveLength(512);
});

test('then the older half of the posts goes, the queue never, and the next snapshot brings fewer', async () => {
  const store = await copyWithPosts(512);
  expect(await makeRoom(store, async () => false)).toBe('older_posts');
  const posts = await store.read((tx) => listRows(tx, 'post'));
  expect(posts).toHaveLength(256);
  expect(posts.at(-1)?.['id']).toBe('256');
  expect(await store.read((tx) => tx.listOutbox())).toHaveLength(1);
  expect(await store.read(findRowLimit)).toBe(15_000);
});

test('what went is known to be older, and can be fetched again from there', async () => {
  const store = await copyWithPosts(512);
  await makeRoom(store, async () => false);
  const state = await store.read((tx) => findScope(tx, SCOPE));
  const bound = state?.more?.['post']?.split('|')[0] ?? '';
  const newestGone = new Date(255 * 60_000).toISOString();
  const oldestKept = new Date(256 * 60_000).toISOString();
  expect(bound > newestGone && bound <= oldestKept).toBe(true);
});

const POSTS = 40;
const post = (nth: number): [string, number, object] => {
  const takenAt = new Date(1e12 - nth * 60_000).toISOString();
  return [`account/${nth}`, 1, { id: String(nth), igId: '1', takenAt }];
};

/** A snapshot of so many posts, eight in a line, that goes on behind a post and is cut after some lines. */
async function* snapshotOf(after: string | undefined, linesAtMost: number) {
  yield [{ kind: 'head', epoch: EPOCH, v: 3, schema: 1, count: {} }] as never;
  const from = after === undefined ? 0 : Number(after) + 1;
  const cutAt = Math.min(POSTS, from + 8 * linesAtMost);
  for (let at = from; at < cutAt; at += 8) {
    const rows = Array.from({ length: Math.min(8, POSTS - at) }, (_, nth) => post(at + nth));
    yield [{ kind: 'chunk', entity: 'post', after: String(at + rows.length - 1), rows }] as never;
  }
  if (cutAt === POSTS) yield [{ kind: 'end', end: true, count: POSTS, more: {} }] as never;
}

test('a first reading that found no room leaves no gap behind what went', async () => {
  const store = createMemoryStore();
  let linesAtMost = 3;
  const unused = (): Promise<never> => Promise.reject(new Error('not to be called'));
  const network: SyncNetwork = {
    pull: unused,
    push: unused,
    verify: unused,
    stream: unused,
    snapshot: async ({ after }) => ({ kind: 'ok', value: snapshotOf(after, linesAtMost) }),
  };
  const report = (): void => undefined;
  const work = { store, network, now: () => 0, newId: () => EPOCH, report };
  const { signal } = new AbortController();
  expect(await loadSnapshot(work, SCOPE, EPOCH, signal)).toEqual({ kind: 'unreachable' });
  expect(await store.read((tx) => listRows(tx, 'post'))).toHaveLength(24);
  expect(await makeRoom(store, async () => false)).toBe('older_posts');
  expect(await store.read((tx) => isComplete(tx, 'account'))).toBe(false);
  linesAtMost = POSTS;
  expect(await loadSnapshot(work, SCOPE, EPOCH, signal)).toEqual({ kind: 'done' });
  expect(await store.read((tx) => listRows(tx, 'post'))).toHaveLength(POSTS);
});

const PINNED = '0192d3c0-0000-7000-8000-0000000000a1';
const OTHER = '0192d3c0-0000-7000-8000-0000000000a2';

/** Posts of two accounts in turn, one a minute; the first account is pinned. */
async function copyOfTwoAccounts(count: number) {
  const store = createMemoryStore();
  const user = SCOPE.replace('w:', 'u:');
  const rows = Array.from({ length: count }, (_, nth) => {
    const [accountId, igId] = nth % 2 === 0 ? [PINNED, '1'] : [OTHER, '2'];
    const takenAt = new Date(nth * 60_000).toISOString();
    return { id: `${accountId}/${nth}`, v: 1, row: { id: String(nth), accountId, igId, takenAt } };
  });
  await store.write(async (tx) => {
    await putScope(tx, { scope: SCOPE, generation: 1, complete: ['post'], loading: null });
    await putScope(tx, { scope: user, generation: 1, complete: ['user'], loading: null });
    await tx.putChunks(packRows({ scope: SCOPE, entity: 'post', generation: 1 }, rows));
    const preferences = { pinnedAccountIds: [PINNED] };
    await applyRows(tx, { scope: user, entity: 'user', generation: 1 }, [
      { id: 'me', v: 1, row: { id: 'me', preferences } },
    ]);
    await applyRows(
      tx,
      { scope: SCOPE, entity: 'account', generation: 1 },
      [PINNED, OTHER].map((accountId, at) => ({
        id: accountId,
        v: 1,
        row: { accountId, igId: String(at + 1) },
      })),
    );
  });
  const counts = async (): Promise<Record<string, number>> => {
    const posts = await store.read((tx) => listRows(tx, 'post'));
    const of = (accountId: string): number =>
      posts.filter((post) => post['accountId'] === accountId).length;
    return { pinned: of(PINNED), other: of(OTHER) };
  };
  return { store, counts };
}

test('posts of a pinned account stay while another has any, and are known to be whole', async () => {
  const { store, counts } = await copyOfTwoAccounts(512);
  const none = async (): Promise<boolean> => false;
  await makeRoom(store, none);
  expect(await counts()).toEqual({ pinned: 256, other: 128 });
  expect(await store.read((tx) => findOlderPosts(tx, '1'))).toBeUndefined();
  expect(await store.read((tx) => findOlderPosts(tx, '2'))).toMatchObject({ accountId: OTHER });
  for (let tries = 0; tries < 8 && (await counts())['other'] !== 0; tries += 1) {
    await makeRoom(store, none);
    expect(await counts()).toMatchObject({ pinned: 256 });
  }
  expect(await counts()).toEqual({ pinned: 256, other: 0 });
});

test('when only posts of pinned accounts are left, their older ones go too', async () => {
  const { store, counts } = await copyOfTwoAccounts(512);
  const none = async (): Promise<boolean> => false;
  for (let tries = 0; tries < 8 && (await counts())['other'] !== 0; tries += 1) {
    await makeRoom(store, none);
  }
  await makeRoom(store, none);
  const left = (await counts())['pinned'];
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(256);
  expect(await store.read((tx) => findOlderPosts(tx, '1'))).toMatchObject({ accountId: PINNED });
});
