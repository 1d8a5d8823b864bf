import { createApp } from '#server/main/app.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { Db } from '#server/kit/db/database.ts';
import { PASSWORD } from '#test/people/customers.ts';
import { plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import { MIGRATIONS } from '#server/kit/db/migrate.ts';
import { checkLeftBehind, KEPT } from './left-behind.ts';

let deps: TestDeps;
let gone: Payer;
/** A customer who had a plan, a card and an order, deleted; and one who stays. */
beforeAll(async () => {
  deps = await createTestDeps();
  const app = createApp(deps);
  await payer(app, deps, 'stays');
  gone = await payer(app, deps, 'gone');
  const subscription = await deps.database.db
    .selectFrom('subscription')
    .select(['id', 'account_id', 'ig_id'])
    .where('workspace_id', '=', gone.workspaceId)
    .executeTakeFirstOrThrow();
  const customer = {
    workspaceId: gone.workspaceId,
    accountId: subscription.account_id,
    igId: subscription.ig_id,
    igUsername: 'gone',
    subscriptionId: subscription.id,
  };
  await plantPost(deps, customer, { id: '101' });
  await plantOrder(deps, customer, { post_id: '101', slot: 1 });
  const input = { userId: gone.user.id, password: PASSWORD };
  const { httpStatus } = await gone.client.call(CALLS.deleteAccount, input);
  if (httpStatus !== 200) throw new Error(`The customer was not deleted: ${httpStatus}`);
});
afterAll(() => deps.database.close());

/** For each thing that could be left, how it comes to be. A new one fails below. */
const PLANTED: Record<string, string> = {
  'a saved card': `update card set holder_name = 'Ada' where $GONE`,
  'a customer at the gateway': `insert into gateway_customer
    select workspace_id, 'cus_left' from account where $GONE`,
  'a network account reserved': `insert into network_subscription
    select '17841400000000001', workspace_id, id from subscription where $GONE`,
  'a network account of its own': `insert into network_owner
    select 'hash', workspace_id, now() from subscription where $GONE`,
  'an unended subscription': `update subscription set state = 'Active', ends_at = null where $GONE`,
  'a charge that is not settled': `update charge set state = 'created' where $GONE`,
  'a connected account': `update account set ig_username = 'gone' where $GONE`,
  'an account being polled': `insert into poll_schedule
    (workspace_id, account_id, ig_username, is_active, next_poll_at)
    select workspace_id, id, 'gone', true, now() from account where $GONE`,
  'a document in its name': `insert into billing_document
    select workspace_id, gen_random_uuid(), 'X', 1, 'credit_note', id, 1, now(), '{"buyer": {}}'
    from charge where $GONE`,
  'a tax id': `insert into customer_tax_id select workspace_id, 'DE1', now() from charge where $GONE`,
  'a client': `insert into client select workspace_id, id, 'Bakery', null, now() from charge where $GONE`,
  'a saved view': `insert into account_view
    select workspace_id, id, null, 'Mornings', '' from charge where $GONE`,
  'an order that goes on': `update like_order set cancel_requested = false,
    next_attempt_at = now() where $GONE`,
};

const plant = (db: Db, what: string): Promise<unknown> =>
  sql
    .raw((PLANTED[what] ?? '').replace('$GONE', `workspace_id = '${gone.workspaceId}'`))
    .execute(db);

class Undo extends Error {}

/** Runs in a transaction that is undone. */
async function undone<T>(work: (db: Db) => Promise<T>): Promise<T> {
  let seen: { value: T } | undefined;
  await deps.database
    .transaction(async (tx) => {
      seen = { value: await work(tx) };
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (!seen) throw new Error('The work has not run');
  return seen.value;
}

test('a deleted customer leaves nothing behind', async () => {
  expect(await checkLeftBehind(deps.database.db)).toEqual([]);
  expect(KEPT.map(({ what }) => what).filter((what) => !(what in PLANTED))).toEqual([]);
});

test.each(KEPT)('I12 catches $what without its customer', async ({ what }) => {
  const found = await undone(async (db) => {
    await plant(db, what);
    return checkLeftBehind(db);
  });
  expect(found).toMatchObject([{ invariant: 'I12', subject: `workspace ${gone.workspaceId}` }]);
  expect(found[0]?.problem).toContain(`has ${what} (`);
});

test('clients and views that deletions before left behind go with a migration', async () => {
  const found = await undone(async (db) => {
    await plant(db, 'a client');
    await plant(db, 'a saved view');
    const { account_id: accountId, id } = await db
      .selectFrom('subscription')
      .innerJoin('client', 'client.workspace_id', 'subscription.workspace_id')
      .select(['subscription.account_id', 'client.id'])
      .executeTakeFirstOrThrow();
    await db.updateTable('account').set({ client_id: id }).where('id', '=', accountId).execute();
    const before = await checkLeftBehind(db);
    await MIGRATIONS['0074-left-clients']?.up(db);
    return { before, after: await checkLeftBehind(db) };
  });
  expect(found).toMatchObject({ before: [{ invariant: 'I12' }, { invariant: 'I12' }], after: [] });
});

test('an open charge that has lost its customer is given up, and one paid after all goes back', async () => {
  const { db } = deps.database;
  const chargeOf = () =>
    db
      .selectFrom('charge')
      .select(['state', 'decline_code', 'is_returned'])
      .where('workspace_id', '=', gone.workspaceId)
      .executeTakeFirstOrThrow();
  const reopen = (state: 'created' | 'sent') =>
    db
      .updateTable('charge')
      .set({ state, next_check_at: new Date(deps.clock.now()), settled_at: null })
      .where('workspace_id', '=', gone.workspaceId)
      .execute();
  const asked = deps.gateway.calls.length;
  await reopen('created');
  await settleDueCharges(deps);
  expect(await chargeOf()).toMatchObject({ state: 'declined', decline_code: 'abandoned' });
  expect(deps.gateway.calls.slice(asked).map(({ call }) => call)).toEqual([]);

  await reopen('sent');
  await settleDueCharges(deps);
  expect(await chargeOf()).toMatchObject({ state: 'succeeded', is_returned: true });
  expect(await checkLeftBehind(db)).toEqual([]);
});
