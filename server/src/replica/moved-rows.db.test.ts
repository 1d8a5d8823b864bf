import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderLikes, giveCredits } from '#test/money/credits-fixture.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { pullFrom, readSnapshot } from '#test/calls/sync-client.ts';
import { startSyncServer, type SyncServer } from '#test/calls/sync-server.ts';

let server: SyncServer;
beforeAll(async () => {
  server = await startSyncServer();
});
afterAll(() => server.close());

/** What a replica is told that stood where the customer's log stands now. */
async function toldAfter(customer: SignedIn, work: () => Promise<unknown>) {
  const scope = `w:${customer.workspaceId}` as const;
  const { head } = await readSnapshot(customer.client, scope);
  await work();
  const { scopes } = await pullFrom(customer.client, head.epoch, { [scope]: head.v });
  return scopes[scope]?.rows ?? [];
}

test('a renamed account brings its orders and itself under the new name, and its posts stay', async () => {
  const ada = await server.signIn('ada');
  await giveCredits(server.deps, ada.workspaceId, 1000);
  await orderLikes(server.deps, ada, { postId: '101', likes: 100 });
  const rows = await toldAfter(ada, () =>
    server.deps.database.db
      .updateTable('account')
      .set({ ig_username: 'ada.renamed' })
      .where('id', '=', ada.accountId)
      .execute(),
  );
  expect(rows.map(([entity]) => entity).sort()).toEqual(['account', 'order']);
  expect(rows.find(([entity]) => entity === 'account')?.[3]).toMatchObject({
    igUsername: 'ada.renamed',
  });
  expect(rows.find(([entity]) => entity === 'order')?.[3]).toMatchObject({
    igUsername: 'ada.renamed',
  });
});

test('an account that is another one on the network now brings its posts under that one', async () => {
  const bea = await server.signIn('bea');
  const rows = await toldAfter(bea, () =>
    server.deps.database.db
      .updateTable('account')
      .set({ ig_id: '99887766' })
      .where('id', '=', bea.accountId)
      .execute(),
  );
  expect(rows.find(([entity]) => entity === 'post')?.[3]).toMatchObject({ igId: '99887766' });
});

test('a like that one customer paid for is organic in no other customer’s row of the post', async () => {
  const [cleo, dora] = [await server.signIn('cleo'), await server.signIn('dora')];
  for (const buyer of [cleo, dora]) {
    await giveCredits(server.deps, buyer.workspaceId, 1000);
    await orderLikes(server.deps, buyer, { postId: '101', likes: 100 });
  }
  const { db } = server.deps.database;
  await db
    .updateTable('post')
    .set({ like_count: 50, organic_likes: 30 })
    .where('workspace_id', '=', dora.workspaceId)
    .execute();
  const rows = await toldAfter(dora, () =>
    db
      .updateTable('like_order')
      .set({ delivered: 20 })
      .where('workspace_id', '=', cleo.workspaceId)
      .execute(),
  );
  const [told] = rows.filter(([entity]) => entity === 'post');
  expect(rows).toHaveLength(1);
  expect(told?.[3]).toMatchObject({
    edge_media_preview_like: { count: 50 },
    organicLikes: 30,
    deliveredLikes: 0,
  });
});
