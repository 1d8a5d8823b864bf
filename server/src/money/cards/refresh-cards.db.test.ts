import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { runSubscriptions } from '#server/money/renewals/subscriptions.job.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { gatewayEvent, sendEvent } from '#test/money/gateway-events.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { refreshDueCards } from './refresh-cards.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const RENEWED = { number: '4242424242421881', month: 3, year: 2033 };

/** A customer with a saved card, and what the gateway calls that. */
async function withCard(name: string): Promise<{ customer: Customer; methodId: string }> {
  const customer = await registerCustomer(app, deps, name);
  const plan = { userId: customer.user.id, igUsername: name, packageIndex: 2 };
  await customer.client.call(CALLS.addSubscription, { ...plan, ...CARD_FORM });
  const methodId = deps.gateway.charges.at(-1)?.request.paymentMethodId ?? '';
  return { customer, methodId };
}

async function shownCard({ client, user }: Customer): Promise<string> {
  const { body } = await client.call(CALLS.findUser, { userId: user.id });
  const card = body.data?.billingInfo;
  return `${card?.ccNum.slice(-3)} ${card?.ccMonth}/${card?.ccYear}`;
}

const tell = (id: string, type = 'payment_method.automatically_updated') =>
  sendEvent(app, gatewayEvent(type, { id }), { nowMs: deps.clock.now() });

const rowOf = (methodId: string) =>
  deps.database.db
    .selectFrom('card')
    .select(['last_digits', 'fingerprint', 'refresh_at'])
    .where('payment_method_id', '=', methodId)
    .executeTakeFirstOrThrow();

test('a card that its bank renewed is shown with its new digits and date, and stays the same card', async () => {
  const { customer, methodId } = await withCard('renewed');
  const before = await rowOf(methodId);
  const shown = await shownCard(customer);
  deps.gateway.renewCard(methodId, RENEWED);
  await refreshDueCards(deps);
  expect(await shownCard(customer)).toBe(shown);
  expect((await tell(methodId)).status).toBe(200);
  await refreshDueCards(deps);
  expect(await shownCard(customer)).toBe('881 03/2033');
  const after = await rowOf(methodId);
  expect(after).toMatchObject({ last_digits: '1881', refresh_at: null });
  expect(after.fingerprint).toBe(before.fingerprint);
});

test('without any event a renewed card is read when its next charge is near', async () => {
  const { customer, methodId } = await withCard('unheard');
  deps.gateway.renewCard(methodId, RENEWED);
  deps.clock.advance(29 * 86_400_000);
  await runSubscriptions(deps);
  await refreshDueCards(deps);
  const login = { email: customer.user.email, password: PASSWORD };
  await customer.client.call(CALLS.login, login);
  expect(await shownCard(customer)).toBe('881 03/2033');
});

test('what an event tells of a card isn’t believed: the gateway is asked', async () => {
  const { customer, methodId } = await withCard('believed');
  const shown = await shownCard(customer);
  const lie = { id: methodId, card: { last4: '9999', exp_month: 1, exp_year: 2040 } };
  const body = gatewayEvent('payment_method.automatically_updated', lie);
  await sendEvent(app, body, { nowMs: deps.clock.now() });
  await refreshDueCards(deps);
  expect(await shownCard(customer)).toBe(shown);
});

test('a gateway that doesn’t answer is asked again, and news that comes meanwhile isn’t lost', async () => {
  const { customer, methodId } = await withCard('later');
  deps.gateway.renewCard(methodId, RENEWED);
  await tell(methodId);
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
  await refreshDueCards(deps);
  expect((await rowOf(methodId)).last_digits).toBe('4242');
  deps.clock.advance(61_000);
  const slow = {
    ...deps,
    gateway: {
      ...deps.gateway,
      findCard: async (request: Parameters<typeof deps.gateway.findCard>[0]) => {
        const found = await deps.gateway.findCard(request);
        deps.gateway.renewCard(methodId, { number: '4242424242420042' });
        await tell(methodId);
        return found;
      },
    },
  };
  await refreshDueCards(slow);
  await refreshDueCards(deps);
  expect(await shownCard(customer)).toBe('042 03/2033');
});

test('a card that the gateway no longer has stays as it is, and one that isn’t ours is nobody’s', async () => {
  const { customer, methodId } = await withCard('gone');
  const shown = await shownCard(customer);
  const { customerId = '' } = deps.gateway.charges.at(-1)?.request ?? {};
  await deps.gateway.detachCards({ customerId });
  await tell(methodId);
  await tell('pm_of_nobody');
  await refreshDueCards(deps);
  expect(await shownCard(customer)).toBe(shown);
  expect((await rowOf(methodId)).refresh_at).toBeNull();
});

test('a card that the gateway names is found by an index, not by reading all of them', async () => {
  const plan = await deps.database.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await sql<object>`explain update card set refresh_at = now()
      where payment_method_id = 'pm_1' returning id`.execute(tx);
    return JSON.stringify(rows);
  });
  expect(plan).toContain('card_by_method');
});
