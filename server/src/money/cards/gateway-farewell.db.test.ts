import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { filledForm } from '#test/checkout-fixture.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { auditOf, type Payer, payer as payingCustomer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { readStatus } from '#server/ops/operator/status.repository.ts';
import { checkOverdue } from '#server/ops/invariants/overdue.ts';
import { detachDueCards } from './detach-cards.job.ts';

const FAREWELL = ['account_deleted', 'cards_detached', 'gateway_customer_deleted'];
let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const payer = (name: string): Promise<Payer> => payingCustomer(app, deps, name);
const farewellOf = (gone: Payer): Promise<string[]> => auditOf(deps, gone, /deleted|detached/);
const cardsOf = ({ customerId }: Payer): number => deps.gateway.countCards(customerId);
const isAtGateway = ({ customerId }: Payer): boolean => deps.gateway.customers.has(customerId);
const detachments = async (): Promise<number> =>
  (await deps.database.db.selectFrom('card_detachment').select('workspace_id').execute()).length;

const remove = async ({ client, user }: Customer) => {
  const input = { userId: user.id, password: PASSWORD };
  expect((await client.call(CALLS.deleteAccount, input)).httpStatus).toBe(200);
};

/** At once, and when no checkout can have saved one more. */
async function untilCardsAreOff(): Promise<void> {
  await detachDueCards(deps);
  deps.clock.advance(2 * MINUTE_MS);
  await detachDueCards(deps);
}

test('once no card can come any more the gateway forgets the customer with the address', async () => {
  const ada = await payer('ada.too');
  const address = ada.user.email;
  await remove(ada);
  await detachDueCards(deps);
  expect(deps.gateway.customers.get(ada.customerId)).toBe(address);
  await untilCardsAreOff();
  await detachDueCards(deps);
  expect([...deps.gateway.customers.values()]).not.toContain(address);
  expect(await farewellOf(ada)).toEqual(FAREWELL);
  // Nothing is left that names the customer at the gateway.
  expect(await detachments()).toBe(0);
});

test('a customer the gateway did not forget is asked for again, and told when it takes too long', async () => {
  const cai = await payer('cai');
  await remove(cai);
  await untilCardsAreOff();
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'not_allowed' });
  await detachDueCards(deps);
  expect(isAtGateway(cai)).toBe(true);
  expect(await farewellOf(cai)).toEqual(['account_deleted', 'cards_detached']);
  const late = () => checkOverdue(deps.database.db, new Date(deps.clock.now() + 9 * 24 * HOUR_MS));
  const told = (await late()).filter(({ problem }) => problem.startsWith('deleted customer'));
  expect(told.map(({ subject }) => subject)).toEqual([cai.workspaceId]);
  deps.clock.advance(5 * MINUTE_MS);
  deps.gateway.loseAnswers(1);
  await detachDueCards(deps);
  expect(await farewellOf(cai)).toEqual(['account_deleted', 'cards_detached']);
  deps.clock.advance(HOUR_MS);
  await detachDueCards(deps);
  expect(isAtGateway(cai)).toBe(false);
  expect(await farewellOf(cai)).toEqual(FAREWELL);
});

test('a refund the gateway refuses keeps the customer there until an operator has settled it', async () => {
  const ivy = await payer('ivy');
  const { db } = deps.database;
  const charge = await db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', ivy.workspaceId)
    .executeTakeFirstOrThrow();
  const now = new Date(deps.clock.now());
  await db
    .insertInto('refund')
    .values({
      workspace_id: ivy.workspaceId,
      id: deps.ids.uuid(),
      charge_id: charge.id,
      reason: 'balance',
      gateway_key: 'ivy',
      amount_cents: 100,
      created_at: now,
      state: 'rejected',
      sent_at: now,
      refunded_at: null,
      rejected_at: now,
      rejected_reason: 'refused',
      next_attempt_at: null,
    })
    .execute();
  await remove(ivy);
  await untilCardsAreOff();
  deps.clock.advance(30 * 24 * HOUR_MS);
  await detachDueCards(deps);
  expect([cardsOf(ivy), isAtGateway(ivy)]).toEqual([0, true]);
  // Nothing is due meanwhile: an operator who watches the queues is not told of a delay.
  const later = new Date(deps.clock.now());
  const { queues } = await readStatus(deps.database.db, { now: later, detectedAfter: later });
  expect(queues.find(({ queue }) => queue === 'cards')).toMatchObject({ due: 0, ageSeconds: 0 });
  const settled = { state: 'settled', refunded_at: now, rejected_at: null } as const;
  await db
    .updateTable('refund')
    .set({ ...settled, rejected_reason: null })
    .where('workspace_id', '=', ivy.workspaceId)
    .execute();
  await detachDueCards(deps);
  expect(isAtGateway(ivy)).toBe(false);
});

test('a customer that is made at the gateway while the account is deleted goes too', async () => {
  const jan = await registerCustomer(app, deps, 'jan');
  const gateway = {
    ...deps.gateway,
    createCustomer: async (request: Parameters<typeof deps.gateway.createCustomer>[0]) => {
      await remove(jan);
      return deps.gateway.createCustomer(request);
    },
  };
  const buying = { ...jan, client: new ApiClient(createApp({ ...deps, gateway })) };
  await buying.client.call(CALLS.login, {
    email: jan.user.email,
    password: PASSWORD,
    keepSignedIn: false,
  });
  const had = new Set(deps.gateway.customers.keys());
  const form = { userId: jan.user.id, igUsername: 'jan', packageIndex: 2, ...CARD_FORM };
  expect((await buying.client.call(CALLS.addSubscription, form)).httpStatus).toBe(401);
  expect(new Set(deps.gateway.customers.keys())).toEqual(had);
  expect(await detachments()).toBe(0);
});

test('of two customers that two first checkouts make at once the gateway keeps one', async () => {
  const kim = await registerCustomer(app, deps, 'kim');
  const bothAsked = Promise.withResolvers<void>();
  let asked = 0;
  const createCustomer: typeof deps.gateway.createCustomer = async (request) => {
    asked += 1;
    if (asked === 2) bothAsked.resolve();
    await bothAsked.promise;
    return deps.gateway.createCustomer(request);
  };
  const both = new ApiClient(createApp({ ...deps, gateway: { ...deps.gateway, createCustomer } }));
  both.setCookie('ovation', kim.client.cookie('ovation') ?? '');
  const {
    igUsername: _name,
    packageIndex: _plan,
    ...card
  } = filledForm({
    userId: kim.user.id,
    igUsername: 'kim',
  });
  const replace = (key: string) =>
    both.call(CALLS.replaceBillingInfo, card, { 'idempotency-key': key });
  const statuses = (await Promise.all(['one', 'two'].map(replace))).map((one) => one.httpStatus);
  // Which one is first, nobody says; the other one comes after it, or waits until it is known and asks again.
  expect(statuses).toContain(200);
  expect([200, 503]).toEqual(expect.arrayContaining(statuses));
  const again = await replace(statuses[0] === 200 ? 'two' : 'one');
  expect(again.httpStatus).toBe(200);
  const made = Array.from(deps.gateway.customers).filter(([, email]) => email === kim.user.email);
  expect([asked, made.length]).toEqual([2, 1]);
  expect(deps.gateway.countCards(made[0]?.[0] ?? '')).toBe(2);
});
