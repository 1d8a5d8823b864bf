import { expect, test } from 'vitest';
import { applyRows } from '../store/apply-rows.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { boundInstant, findOlderPosts } from './older-posts.ts';
import { fetchOlderPosts } from './fetch-older-posts.ts';
import { listRows } from '../store/read-rows.ts';
import { putScope } from '../store/scope-state.ts';
import type { SnapshotParameters, SyncNetwork } from '../network/sync-network.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const ACCOUNT = '0192d3c0-0000-7000-8000-0000000000a1';
const BOUND = `2026-03-01T00:00:00.000Z|${ACCOUNT}|9`;
const never = new AbortController().signal;

/** A replica that holds a workspace's posts back to March, and a server with two older pages. */
async function copyToMarch() {
  const store = createMemoryStore();
  await store.write(async (tx) => {
    const complete = ['account', 'post', 'order'];
    await putScope(tx, {
      scope: SCOPE,
      generation: 1,
      complete,
      more: { post: BOUND },
      loading: null,
    });
    const place = { scope: SCOPE, entity: 'account', generation: 1 };
    const row = { accountId: ACCOUNT, igId: '1' };
    await applyRows(tx, place, [{ id: ACCOUNT, v: 1, row }]);
  });
  const asked: SnapshotParameters[] = [];
  const page = (month: string, more: Record<string, string>) => {
    const row = { id: month, igId: '1', takenAt: `2026-${month}-01T00:00:00.000Z` };
    return [
      { kind: 'head', epoch: ACCOUNT, v: 8, schema: 1, count: {} },
      { kind: 'chunk', entity: 'post', after: '', rows: [[`${ACCOUNT}/${month}`, 4, row]] },
      { kind: 'end', end: true, count: 1, more },
    ];
  };
  const second = `2026-02-01T00:00:00.000Z|${ACCOUNT}|2`;
  const pages = [page('02', { post: second }), page('01', {})];
  const network: Pick<SyncNetwork, 'snapshot'> = {
    snapshot: async (parameters) => {
      asked.push(parameters);
      const lines = pages.shift();
      if (!lines) return { kind: 'unreachable' };
      const answer = async function* () {
        yield lines as never;
      };
      return { kind: 'ok', value: answer() };
    },
  };
  const older = () => store.read((tx) => findOlderPosts(tx, '1'));
  return { store, network, asked, older, second };
}

test('older posts are fetched from where the snapshot stopped, until there are none', async () => {
  const { store, network, asked, older, second } = await copyToMarch();
  const first = await older();
  if (!first) throw new Error('The replica ends in March.');
  expect(boundInstant(first)).toBe('2026-03-01T00:00:00.000Z');
  expect(await fetchOlderPosts({ store, network }, first, never)).toBe(true);
  const next = await older();
  expect(next?.after).toBe(second);
  if (next) await fetchOlderPosts({ store, network }, next, never);
  expect(await older()).toBeUndefined();
  expect(asked.map(({ after, account }) => [after, account])).toEqual([
    [BOUND, ACCOUNT],
    [second, ACCOUNT],
  ]);
  const posts = await store.read((tx) => listRows(tx, 'post'));
  expect(posts.map(({ id }) => id)).toEqual(['02', '01']);
});

test('a replica that was read anew meanwhile is left alone', async () => {
  const { store, network, older } = await copyToMarch();
  const first = await older();
  await store.write((tx) =>
    putScope(tx, { scope: SCOPE, generation: 2, complete: [], loading: null }),
  );
  if (first) await fetchOlderPosts({ store, network }, first, never);
  expect(await store.read((tx) => listRows(tx, 'post'))).toEqual([]);
});

test('a replica that was read anew to the very same place fetches from there again: no gap is left', async () => {
  const { store, network, older, asked } = await copyToMarch();
  const first = await older();
  if (!first) throw new Error('The replica ends in March.');
  await store.write(async (tx) => {
    const more = { post: BOUND };
    const complete = ['account', 'post', 'order'];
    await putScope(tx, { scope: SCOPE, generation: 2, complete, more, loading: null });
    const row = { accountId: ACCOUNT, igId: '1' };
    const place = { scope: SCOPE, entity: 'account', generation: 2 };
    await applyRows(tx, place, [{ id: ACCOUNT, v: 9, row }]);
  });
  await fetchOlderPosts({ store, network }, first, never);
  expect(asked).toHaveLength(1);
  expect(await store.read((tx) => listRows(tx, 'post'))).toEqual([]);
  expect(await older()).toMatchObject({ after: BOUND, generation: 2 });
});

test('posts that no longer join on to what is held are not kept: room was made meanwhile', async () => {
  const { store, network, older } = await copyToMarch();
  const first = await older();
  if (!first) throw new Error('The replica ends in March.');
  const newer = BOUND.replace('03', '06');
  const more = { post: newer };
  await store.write((tx) =>
    putScope(tx, { scope: SCOPE, generation: 1, complete: ['account'], more, loading: null }),
  );
  await fetchOlderPosts({ store, network }, first, never);
  expect(await store.read((tx) => listRows(tx, 'post'))).toEqual([]);
  expect((await older())?.after).toBe(newer);
});

test('without the server nothing is remembered, and it is asked again', async () => {
  const { store, network, older } = await copyToMarch();
  const first = await older();
  if (!first) throw new Error('The replica ends in March.');
  for (let count = 0; count < 2; count += 1)
    await fetchOlderPosts({ store, network }, first, never);
  expect(await fetchOlderPosts({ store, network }, first, never)).toBe(false);
});
