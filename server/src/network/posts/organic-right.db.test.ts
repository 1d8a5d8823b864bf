import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { giveCredits, orderLikes } from '#test/money/credits-fixture.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { pullFrom, readSnapshot } from '#test/calls/sync-client.ts';
import { startSyncServer, type SyncServer } from '#test/calls/sync-server.ts';

let server: SyncServer;
beforeAll(async () => {
  server = await startSyncServer();
});
afterAll(() => server.close());

/** Total and organic likes of post 101, as the call and the replica have them. */
async function likesOf({ client, igId, workspaceId }: SignedIn) {
  const query = { igId, limit: 100 };
  const { body } = await client.call(CALLS.getPosts, query);
  const post = body.data?.items.find(({ id }) => id === '101');
  const { chunks } = await readSnapshot(client, `w:${workspaceId}`);
  const posts = chunks.find(({ entity }) => entity === 'post')?.rows ?? [];
  const copied = posts.find(([id]) => id.endsWith('/101'))?.[2];
  const shown = {
    total: post?.edge_media_preview_like.count,
    organic: post?.organicLikes,
  };
  expect(copied).toMatchObject({
    edge_media_preview_like: { count: shown.total },
    organicLikes: shown.organic,
  });
  return shown;
}

test('who only added an account can’t tell what somebody else had delivered to it; with an order they can', async () => {
  const [buyer, stranger] = [await server.signIn('buyer'), await server.signIn('stranger')];
  const { db } = server.deps.database;
  await giveCredits(server.deps, buyer.workspaceId, 1000);
  await orderLikes(server.deps, buyer, { postId: '101', likes: 100 });
  await db
    .updateTable('post')
    .set({ like_count: 50, organic_likes: 30 })
    .where('id', '=', '101')
    .execute();
  const delivered = { delivered: 25 };
  await db.updateTable('like_order').set(delivered).execute();
  expect(await likesOf(buyer)).toEqual({ total: 55, organic: 30 });
  // Not even that it grows between two readings, or when.
  expect(await likesOf(stranger)).toEqual({ total: 50, organic: null });
  const at = await readSnapshot(stranger.client, `w:${stranger.workspaceId}`);
  await db.updateTable('like_order').set({ delivered: 26 }).execute();
  const idle = await pullFrom(stranger.client, at.head.epoch, {
    [`w:${stranger.workspaceId}`]: at.head.v,
  });
  expect(idle.scopes[`w:${stranger.workspaceId}`]?.rows).toEqual([]);
  await db.updateTable('like_order').set(delivered).execute();

  await giveCredits(server.deps, stranger.workspaceId, 1000);
  await plantPost(server.deps, { ...stranger, subscriptionId: '' }, { id: '102' });
  const scope = `w:${stranger.workspaceId}` as const;
  const { head } = await readSnapshot(stranger.client, scope);
  await orderLikes(server.deps, stranger, { postId: '102', likes: 10 });
  expect(await likesOf(stranger)).toEqual({ total: 55, organic: 30 });
  const { scopes } = await pullFrom(stranger.client, head.epoch, { [scope]: head.v });
  const told = scopes[scope]?.rows.filter(([entity]) => entity === 'post') ?? [];
  expect(told).toHaveLength(2);
});
