import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIKES_EACH, PARALLEL_ORDERS, spendAtOnce } from '#test/money/double-spend.ts';
import { giveCredits } from '#test/money/credits-fixture.ts';
import { plantCustomer } from '#test/delivery/order-fixture.ts';
import { seededRandom } from '#test/seeded.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';

/** `npm run sim:double-spend` plays a thousand. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

test(`${ROUNDS} rounds of ${PARALLEL_ORDERS} orders at once never spend more than there is`, async () => {
  const random = seededRandom(7);
  for (let round = 0; round < ROUNDS; round += 1) {
    const affordable = 1 + Math.floor(random() * (PARALLEL_ORDERS - 1));
    expect([round, await spendAtOnce(deps, round, affordable)]).toEqual([
      round,
      { accepted: affordable, balance: 0, ordered: affordable * LIKES_EACH },
    ]);
  }
  expect(await checkLedger(deps.database.db)).toEqual([]);
});

test('a spend that forgets to ask for the balance is stopped by the database, and found', async () => {
  const { workspaceId } = await plantCustomer(deps, { igId: '1', igUsername: 'naive' });
  await giveCredits(deps, workspaceId, 10 * LIKES_EACH);
  const spend = () =>
    deps.database.db
      .updateTable('credit_balance')
      .set((eb) => ({ balance: eb('balance', '-', LIKES_EACH) }))
      .where('workspace_id', '=', workspaceId)
      .execute();
  const ends = await Promise.allSettled(Array.from({ length: PARALLEL_ORDERS }, spend));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(await checkLedger(deps.database.db)).toMatchObject([
    { invariant: 'I1', subject: `workspace ${workspaceId}` },
  ]);
});
