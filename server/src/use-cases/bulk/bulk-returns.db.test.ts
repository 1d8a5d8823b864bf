import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { ChargeRequest } from '#server/adapters/stripe/card-gateway.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import { countReturned } from '#server/money/charges/return-limits.ts';
import { sendDueRefunds } from '#server/money/refunds/send-refunds.service.ts';
import { BEGIN, newAgency } from '#test/documents/agency-without-plans.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import { newestMany, planMany, reasonsOf, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { type Customer, PASSWORD } from '#test/people/customers.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const TOO_OFTEN = expect.stringContaining('Several of your payments bought nothing');
const DEARER = { kind: 'plan', packageIndex: 4 } as const;

async function payingAgency(name: string, count: number) {
  const owner = await newAgency(app, deps, name, count);
  for (const igUsername of owner.names) await payPlan(deps, owner, igUsername);
  return owner;
}

/** The account whose plan a charge is to change. */
async function accountOf({ chargeId }: ChargeRequest): Promise<string> {
  const { igUsername } = await deps.database.db
    .selectFrom('charge')
    .innerJoin('invoice', 'invoice.id', 'charge.invoice_id')
    .innerJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .select('account.ig_username as igUsername')
    .where('charge.id', '=', chargeId)
    .executeTakeFirstOrThrow();
  return igUsername;
}

/** Stops each plan while the payment of its change is under way. */
function stoppedWhilePaid({ client, user }: Customer): TestDeps {
  const { gateway } = deps;
  const charge = async (request: ChargeRequest) => {
    const asked = { userId: user.id, igUsername: await accountOf(request) };
    await client.call(CALLS.cancelSubscription, asked);
    return gateway.charge(request);
  };
  return { ...deps, gateway: { ...gateway, charge } };
}

/** Logs in again: the clock has moved by a day. */
async function comeBack({ client, user: { email } }: Customer): Promise<void> {
  await client.call(CALLS.login, { email, password: PASSWORD, keepSignedIn: true });
}

test('payments of many accounts that buy nothing count as single ones do, and no more are charged that day', async () => {
  const owner = await payingAgency('ada', 5);
  const sent = deps.gateway.charges.length;
  const shown = await planMany(deps, owner, owner.names, DEARER);
  await startMany(owner, shown);
  await runMany(stoppedWhilePaid(owner));
  expect(deps.gateway.charges).toHaveLength(sent + LIMITS.returned.uses);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 0, failed: 5, today: 0 });
  const goesBack = expect.stringContaining('We’re returning the payment in full');
  expect(await reasonsOf(owner, shown.operationId)).toEqual([
    ['ada.a', goesBack],
    ['ada.b', goesBack],
    ['ada.c', goesBack],
    ['ada.d', TOO_OFTEN],
    ['ada.e', TOO_OFTEN],
  ]);
  // Whoever stopped the plans keeps nobody from buying: a change of one is paid.
  expect(await changePlanTo(owner, 4, 'ada.d')).toMatchObject({ status: 'success' });
  await sendDueRefunds(deps);
  expect(await compareBooks(deps)).toMatchObject({ refunds: 3, violations: [] });

  deps.clock.advance(DAY_MS);
  await comeBack(owner);
  const again = await planMany(deps, owner, ['ada.e'], DEARER);
  await startMany(owner, again);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 1, failed: 0 });
});

test('after three single payments that bought nothing many accounts get no first plans, and none is read for one', async () => {
  const owner = await newAgency(app, deps, 'bea', 3);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  const { membership, id: askedBy } = owner.user;
  for (let paid = 0; paid < LIMITS.returned.uses; paid += 1) {
    await countReturned(deps, {
      workspaceId: membership?.workspaceId ?? '',
      askedBy,
      isPresent: true,
    });
  }
  const { network } = deps;
  const read: string[] = [];
  const readAccount: typeof network.readAccount = (request) => {
    read.push(request.username);
    return network.readAccount(request);
  };
  await runMany({ ...deps, network: { ...network, readAccount } });
  expect(await reasonsOf(owner, shown.operationId)).toEqual(
    owner.names.map((igUsername) => [igUsername, TOO_OFTEN]),
  );
  expect(read).toEqual([]);
});
