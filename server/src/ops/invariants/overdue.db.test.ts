import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Db } from '#server/kit/db/database.ts';
import { beat } from '#server/network/detection/service-clock.repository.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { BOUNDS, checkOverdue, findSilence } from './overdue.ts';

let deps: TestDeps;
let shopper: Shopper;
/** A customer with a paid plan, a mail that is owed and an order that is delivered. */
beforeAll(async () => {
  deps = await createTestDeps();
  shopper = await newShopper(deps, 'ada');
  const told = await createNode(deps)(shopper, 'first-try');
  if (told.kind !== 'paid') throw told.error;
  const subscription = await deps.database.db
    .selectFrom('subscription')
    .select(['id', 'ig_id'])
    .executeTakeFirstOrThrow();
  const customer = {
    workspaceId: shopper.session.workspaceId,
    accountId: shopper.accountId,
    igId: subscription.ig_id,
    igUsername: 'ada',
    subscriptionId: subscription.id,
  };
  await plantPost(deps, customer, { id: '101' });
  await plantOrder(deps, customer, { post_id: '101', slot: 1 });
});
afterAll(() => deps.database.close());

const refund = (values: string): string => `
  insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
    state, next_attempt_at, rejected_at, rejected_reason)
  select workspace_id, id, id, ${values} from charge`;
const farewell = (detachedAt: string): string => `
  insert into card_detachment (workspace_id, gateway_customer_id, asked_at, next_attempt_at, detached_at)
  select id, 'cus_gone', $AT, $AT, ${detachedAt} from workspace where id in
    (select workspace_id from charge)`;

/** For each bound what is left undone at `$AT`, and nothing else of its kind. A new bound fails below. */
const PLANTED: Record<string, string> = {
  'order not finished since it was to be': `
    update like_order set finish_by = $AT, next_attempt_at = timestamptz $AT + interval '1 year'`,
  'order due and taken by no worker since': 'update like_order set next_attempt_at = $AT',
  'order ended and what it did not deliver not returned since': `
    update like_order set state = 'Partial', delivered = 5, remains = ordered + bonus - 5,
      started_at = $AT, finished_at = $AT, next_attempt_at = null`,
  'charge unsettled since': `update charge set state = 'unknown', created_at = $AT`,
  'charge waiting for the bank since': `update charge set state = 'needs_action', created_at = $AT`,
  'card waiting for the bank since': `
    insert into card_setup (workspace_id, id, state, created_at)
    select workspace_id, id, 'needs_action', $AT from charge`,
  'refund owed since': refund(`'returned', 'k', 1, $AT, 'owed', $AT, null, null`),
  'money back owed since': refund(`'money_back', 'k', 1, $AT, 'owed', $AT, null, null`),
  'refund rejected and waiting for an operator since': refund(
    `'returned', 'k', 1, $AT, 'rejected', null, $AT, 'no_money'`,
  ),
  'cards of a deleted customer at the gateway since': farewell('null'),
  'deleted customer at the gateway, with no money on its way, since': farewell('$AT'),
  'customer at the gateway, asked for and without an answer, since': `
    insert into customer_request (workspace_id, key, email, asked_at, next_attempt_at)
    select workspace_id, 'k', 'ada@example.test', $AT, $AT from charge`,
  'subscription due and taken by no worker since': 'update subscription set next_action_at = $AT',
  'mail owed and in no queue since': 'update owed_mail set next_attempt_at = $AT',
  'address of a deleted customer kept since': `update owed_mail set created_at = $AT,
    payload = '{"kind": "account_deleted"}'`,
  'account due to be polled since': `
    update poll_schedule set is_active = true, next_poll_at = $AT`,
  'period over and not renewed since': 'update subscription set next_billing_at = $AT',
  'past due since': `update subscription set state = 'Past due', next_billing_at = $AT`,
  'to have ended': 'update subscription set ends_at = $AT',
};

/** Does what would undo itself in no other way, looks, and undoes it. */
async function planted<T>(damage: string, look: (db: Db) => Promise<T>): Promise<T> {
  const seen = Promise.withResolvers<T>();
  const undone = deps.database
    .transaction(async (tx) => {
      await sql.raw(damage).execute(tx);
      seen.resolve(await look(tx));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) seen.reject(error);
    });
  await undone;
  return seen.promise;
}

class Undo extends Error {}

test('each bound has something planted beyond it', () => {
  expect(BOUNDS.map(({ what }) => what).filter((what) => !(what in PLANTED))).toEqual([]);
});

test.each(BOUNDS)(
  'I7 catches, beyond its bound and not before: $what',
  async ({ what, boundMs }) => {
    const now = deps.clock.now();
    const at = `'${new Date(now).toISOString()}'`;
    const damage = (PLANTED[what] ?? '').replaceAll('$AT', at);
    const found = (db: Db, afterMs: number) =>
      checkOverdue(db, new Date(now + boundMs + afterMs)).then((all) =>
        all.filter(({ problem }) => problem.startsWith(`${what} `)),
      );
    const [before, after] = await planted(damage, async (db) => [
      await found(db, -MINUTE_MS),
      await found(db, MINUTE_MS),
    ]);
    expect(before).toEqual([]);
    expect(after).toMatchObject([{ invariant: 'I7' }]);
  },
);

test('what nobody could do while nothing ran is not late, until it had its time again', async () => {
  const { database } = deps;
  const stopped = deps.clock.now();
  const at = (hours: number): Date => new Date(stopped + hours * 60 * MINUTE_MS);
  await beat(database, at(0));
  const due = `update poll_schedule set is_active = true,
    next_poll_at = '${at(-0.25).toISOString()}'`;
  const late = (db: Db, now: Date, silence?: Awaited<ReturnType<typeof findSilence>>) =>
    checkOverdue(db, now, silence).then(
      (all) => all.filter(({ problem }) => problem.startsWith('account due')).length,
    );
  const seen = await planted(due, async (db) => {
    const silence = await findSilence(db, at(30));
    return {
      silence,
      withoutIt: await late(db, at(30)),
      atTheStart: await late(db, at(30), silence),
      inTime: await late(db, at(30.7), silence),
      stillNot: await late(db, at(30.8), silence),
    };
  });
  expect(seen).toEqual({
    silence: { since: at(0), until: at(30) },
    withoutIt: 1,
    atTheStart: 0,
    inTime: 0,
    stillNot: 1,
  });
  expect(await findSilence(database.db, at(0.1))).toBeUndefined();
  // The first sign of life writes the silence down; from then on nobody needs to know of it.
  await beat(database, at(30));
  const after = await planted(due, async (db) => [
    await late(db, at(30.7)),
    await late(db, at(30.8)),
  ]);
  expect(after).toEqual([0, 1]);
});
