import { expect, test } from 'vitest';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { plantLargeWorkspace } from '#server/main/start/plant-workspace.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';
import { startBulk, viewUnmade } from './bulk.service.ts';
import { planBulk } from './plan-bulk.service.ts';

test('a card that was declined three times isn’t charged any more, whatever else fails meanwhile', async () => {
  const deps = await createTestDeps();
  const { db } = deps.database;
  const { session } = await newSubscriber(deps, 'agency');
  const size = { accounts: 13, posts: 0, minutesApart: 1, postsPerOrder: 1 };
  await plantLargeWorkspace(deps.database, session.workspaceId, size, deps.clock.now());
  const names = await db.selectFrom('account').select('ig_username').execute();
  const change = { kind: 'plan', packageIndex: 9 } as const;
  const changes = names.map(({ ig_username: igUsername }) => ({ igUsername, change }));
  const operationId = deps.ids.uuid();
  const shown = await planBulk(deps, session, { operationId, from: 0, changes });
  await startBulk(deps, session, { operationId, ...shown, today: shown.today / 100 });

  let asked = 0;
  const charge = () => {
    asked += 1;
    return Promise.resolve({ kind: 'declined', code: 'card_declined' } as const);
  };
  const declining = { ...deps, gateway: { ...deps.gateway, charge } };
  await runBulk(declining);
  // Of those that are left three are gone, and then the last one has its turn.
  const left = db.selectFrom('bulk_item').where('outcome', '=', 'waiting').orderBy('position');
  const [last, ...gone] = await left.select(['position', 'account_id']).execute();
  const due_at = new Date(deps.clock.now() + HOUR_MS);
  await db
    .updateTable('bulk_item')
    .set({ due_at })
    .where('position', '=', last?.position ?? -1)
    .execute();
  const accounts = gone.flatMap(({ account_id: id }) => id ?? []);
  await db
    .updateTable('account')
    .set({ removed_at: new Date(deps.clock.now()) })
    .where('id', 'in', accounts)
    .execute();
  deps.clock.advance(1000);
  await runBulk(declining);
  deps.clock.advance(HOUR_MS);
  await runBulk(declining);

  const reasons = (await viewUnmade(deps, session, { operationId })).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason?.includes('isn’t one of your'))).toHaveLength(3);
  expect(reasons.filter((reason) => reason?.includes('we stopped charging it'))).toHaveLength(8);
  expect(reasons).toHaveLength(14);
  expect(asked).toBe(3);
  await deps.database.close();
});
