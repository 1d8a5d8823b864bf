import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import type { TestDeps } from '#test/test-deps.ts';
import { savePreference } from '#server/identity/users/user-preference.repository.ts';
import { oweLikesDelivered } from './likes-delivered.repository.ts';

let bench: DeliveryBench;
let deps: TestDeps;
beforeAll(async () => {
  bench = await openDeliveryBench();
  ({ deps } = bench);
});
afterAll(() => deps.database.close());

test('orders that end at the same moment on several nodes owe one mail that tells of each once', async () => {
  const { database, ids } = deps;
  const { workspaceId } = bench.customer;
  const query = database.db.selectFrom('app_user').select('id');
  const { id: userId } = await query.executeTakeFirstOrThrow();
  await savePreference(database.db, { workspaceId, userId }, { likes_done_mail: true });
  const now = new Date(deps.clock.now());
  const orders: Array<{ workspace_id: typeof workspaceId; id: string }> = [];
  while (orders.length < 4) {
    orders.push({ workspace_id: workspaceId, id: await bench.newOrder() });
  }
  const allBegun = Promise.withResolvers<void>();
  let begun = 0;
  await Promise.all(
    orders.map((order) =>
      database.transaction(async (tx) => {
        await tx.selectFrom('app_user').select('id').execute();
        begun += 1;
        if (begun === orders.length) allBegun.resolve();
        await allBegun.promise;
        await oweLikesDelivered(tx, ids, [order], now);
      }),
    ),
  );
  const owed = await database.db.selectFrom('owed_mail').select('payload').execute();
  const told = owed.map(({ payload }) =>
    'orderIds' in payload ? payload.orderIds.toSorted() : [],
  );
  expect(told).toEqual([orders.map(({ id }) => id).toSorted()]);
});
