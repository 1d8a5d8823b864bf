import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { booksOf, chargesOf, PAID_ONCE, SLOW_CARD } from '#test/money/checkout-books.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { gatewayEvent, postEvent, sendEvent, signatureOf } from '#test/money/gateway-events.ts';
import { newTopCustomer } from '#test/money/gateway-fixture.ts';
import { endAll, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { keepNotices } from '#server/audit/audit-notices.job.ts';
import { createApp } from '#server/main/app.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import { readGatewayWhenDue } from '#server/money/disputes/read-gateway.service.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';

const [OLD, NEW] = ['whsec_old_secret_of_32_characters_', 'whsec_new_secret_of_32_characters_'];
let deps: TestDeps;
let app: Hono;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps({ settings: { gatewayEventSecrets: [OLD, NEW] } });
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  // Every test has the counts of its own.
  deps.clock.advance(2 * 3_600_000);
  await deps.database.db.deleteFrom('rate_limit').execute();
  await keepNotices(deps);
  await readGatewayWhenDue(deps);
  await endAll(deps);
});

const send = (body: string, secret = OLD) =>
  sendEvent(app, body, { secret, nowMs: deps.clock.now() });

/** A shopper whose payment took effect at the gateway, but whose answer was lost. */
async function slowShopper(): Promise<{ shopper: Shopper; gatewayId: string; chargeId: string }> {
  const shopper = await newShopper(deps, `slow${(made += 1)}`);
  await createNode(deps)(shopper, 'form', SLOW_CARD);
  const [charge] = await chargesOf(deps, shopper);
  const booked = deps.gateway.charges.find(({ request }) => request.chargeId === charge?.id);
  expect(charge?.state).toBe('unknown');
  return { shopper, gatewayId: booked?.gatewayChargeId ?? '', chargeId: charge?.id ?? '' };
}

const intentEvent = (
  type: string,
  { gatewayId, chargeId }: { gatewayId: string; chargeId: string },
  more: object = {},
) => gatewayEvent(type, { id: gatewayId, metadata: { chargeId } }, more);

async function audited(): Promise<string[]> {
  await keepNotices(deps);
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select(['action', 'subject', 'at'])
    .where('workspace_id', '=', OPERATOR_WORKSPACE_ID)
    .where('at', '=', new Date(deps.clock.now()))
    .orderBy('seq')
    .execute();
  return rows.map(({ action, subject }) => `${action} ${subject}`);
}

test('a payment whose answer was lost is settled as soon as the gateway tells of it', async () => {
  const slow = await slowShopper();
  await settleDueCharges(deps);
  expect(await booksOf(deps, slow.shopper)).toMatchObject({ subscriptions: 0 });
  const answer = await send(intentEvent('payment_intent.succeeded', slow));
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'success' }]);
  await settleDueCharges(deps);
  expect(await booksOf(deps, slow.shopper)).toEqual(PAID_ONCE);
});

test('events that come twice, late, in another order, or tell what isn’t so change nothing', async () => {
  const slow = await slowShopper();
  const told = ['succeeded', 'payment_failed', 'canceled', 'created', 'succeeded'];
  for (const word of told) {
    expect((await send(intentEvent(`payment_intent.${word}`, slow))).status).toBe(200);
    await settleDueCharges(deps);
  }
  deps.clock.advance(24 * 3_600_000);
  for (const word of told) await send(intentEvent(`payment_intent.${word}`, slow));
  await settleDueCharges(deps);
  expect(await booksOf(deps, slow.shopper)).toEqual(PAID_ONCE);
});

test('a payment that is being asked for is left to whoever asks', async () => {
  const { chargeId, gatewayId, shopper } = await slowShopper();
  const leaseUntil = new Date(deps.clock.now() + MINUTE_MS);
  for (const state of ['created', 'sent'] as const) {
    const change = { state, next_check_at: leaseUntil };
    await deps.database.db.updateTable('charge').set(change).where('id', '=', chargeId).execute();
    await send(intentEvent('payment_intent.succeeded', { gatewayId, chargeId }));
    expect(await chargesOf(deps, shopper)).toMatchObject([change]);
  }
});

test('a dispute is heard of at once', async () => {
  const { shopper, charge } = await newTopCustomer(deps, `disputed${(made += 1)}`);
  await readGatewayWhenDue(deps);
  deps.gateway.openDispute(charge);
  await readGatewayWhenDue(deps);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Active');
  const event = gatewayEvent('charge.dispute.created', { id: 'dp_1', payment_intent: charge });
  expect((await send(event)).status).toBe(200);
  await readGatewayWhenDue(deps);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Canceled');
});

test('both secrets hold while one is replaced', async () => {
  for (const secret of [OLD, NEW]) {
    expect((await send(gatewayEvent('ping', {}), secret)).status).toBe(200);
  }
});

test('forged events are refused, audited, and change nothing', async () => {
  const slow = await slowShopper();
  const body = intentEvent('payment_intent.succeeded', slow);
  const now = { secret: OLD, nowMs: deps.clock.now() };
  const signature = signatureOf(body, now);
  const forged: Array<[body: string, signature: string | undefined]> = [
    [body, undefined],
    [body, ''],
    [body, 'nonsense'],
    [body, 't=1,v0=aa'],
    [body, signatureOf(body, { ...now, secret: 'whsec_of_somebody_else_32_letters_' })],
    [body.replace('succeeded', 'canceled'), signature],
    [`${body} `, signature],
    [body, signatureOf(body, { ...now, nowMs: now.nowMs - 301_000 })],
  ];
  for (const [sent, proof] of forged) {
    const answer = await postEvent(app, sent, proof);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'bad_signature' }]);
  }
  expect(await chargesOf(deps, slow.shopper)).toMatchObject([{ state: 'unknown' }]);
  await settleDueCharges(deps);
  expect(await booksOf(deps, slow.shopper)).toMatchObject({ subscriptions: 0 });
  expect(await audited()).toEqual([
    ...Array.from({ length: 2 }, () => 'gateway_event_refused signature_missing'),
    ...Array.from({ length: 5 }, () => 'gateway_event_refused signature_wrong'),
    'gateway_event_refused signature_old',
  ]);
});

test('a signature is good for five minutes', async () => {
  const body = gatewayEvent('ping', {});
  const signature = signatureOf(body, { secret: OLD, nowMs: deps.clock.now() });
  deps.clock.advance(299_000);
  expect((await postEvent(app, body, signature)).status).toBe(200);
});

test('whoever forges many is turned away for a while, and the gateway isn’t', async () => {
  for (let n = 0; n < 30; n += 1) await postEvent(app, '{}', 'nonsense');
  const refused = await postEvent(app, '{}', 'nonsense');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(gatewayEvent('ping', {}))).status).toBe(200);
});

test('events of another account, of the other mode, and of payments that aren’t ours do nothing', async () => {
  const slow = await slowShopper();
  const nobodys = { gatewayId: 'pi_of_nobody', chargeId: deps.ids.uuid() };
  const strange = [
    intentEvent('payment_intent.succeeded', slow, { id: 'evt_1', account: 'acct_other' }),
    intentEvent('payment_intent.succeeded', slow, { id: 'evt_2', livemode: true }),
    intentEvent('payment_intent.succeeded', nobodys, { id: 'evt_3' }),
    gatewayEvent('charge.refunded', { payment_intent: 'pi_of_nobody' }, { id: 'evt_4' }),
    intentEvent('payment_intent.succeeded', { ...nobodys, chargeId: 'x' }, { id: 'evt_5' }),
  ];
  for (const body of strange) expect((await send(body)).status).toBe(200);
  await settleDueCharges(deps);
  expect(await booksOf(deps, slow.shopper)).toMatchObject({ subscriptions: 0 });
  expect(await audited()).toEqual(
    strange.map((_body, index) => `gateway_event_ignored evt_${index + 1}`),
  );
});

test('a set-up whose row is gone is ours by its mark, and one without it is audited', async () => {
  const told = { id: 'seti_gone', metadata: { setUpId: deps.ids.uuid() } };
  for (const type of ['setup_intent.succeeded', 'checkout.session.expired']) {
    expect((await send(gatewayEvent(type, told))).status).toBe(200);
  }
  expect(await audited()).toEqual([]);
  const foreign = { id: 'seti_foreign', metadata: { setUpId: 'of another shop' } };
  for (const object of [foreign, { id: 'seti_foreign' }]) {
    await send(gatewayEvent('setup_intent.succeeded', object, { id: 'evt_foreign' }));
  }
  expect(await audited()).toEqual([
    'gateway_event_ignored evt_foreign',
    'gateway_event_ignored evt_foreign',
  ]);
});

test('a payment that its bank refuses is ours: nothing is audited', async () => {
  const shopper = await newShopper(deps, `refused${(made += 1)}`);
  await createNode(deps)(shopper, 'form', { ccNum: '4000000000000341' });
  const [charge] = await chargesOf(deps, shopper);
  expect(charge).toMatchObject({ state: 'declined', gateway_charge_id: null });
  const told = { gatewayId: 'pi_refused', chargeId: charge?.id ?? '' };
  for (const word of ['created', 'payment_failed']) {
    expect((await send(intentEvent(`payment_intent.${word}`, told))).status).toBe(200);
  }
  expect(await audited()).toEqual([]);
});

test('an event of a refused payment that comes after more than a week is nobody’s: the gateway gives up after three days', async () => {
  const shopper = await newShopper(deps, `refused${(made += 1)}`);
  await createNode(deps)(shopper, 'form', { ccNum: '4000000000000341' });
  const [charge] = await chargesOf(deps, shopper);
  const told = { gatewayId: 'pi_late', chargeId: charge?.id ?? '' };
  const hear = () => send(intentEvent('payment_intent.payment_failed', told, { id: 'evt_late' }));
  deps.clock.advance(6 * DAY_MS);
  await hear();
  expect(await audited()).toEqual([]);
  deps.clock.advance(DAY_MS + MINUTE_MS);
  await hear();
  expect(await audited()).toEqual(['gateway_event_ignored evt_late']);
});

test('of many events about nothing of ours a few are audited', async () => {
  for (let n = 0; n < 25; n += 1) {
    const body = gatewayEvent('charge.refunded', { payment_intent: 'pi_of_nobody' });
    expect((await send(body)).status).toBe(200);
  }
  const entries = await audited();
  expect(entries.filter((entry) => entry.startsWith('gateway_event_ignored'))).toHaveLength(20);
  expect(entries.filter((entry) => entry.startsWith('limit_reached'))).toHaveLength(1);
});

test.each([
  ['nothing', ''],
  ['no JSON', '{"id":'],
  ['a number', '5'],
  ['no event', '{"id":"evt_1"}'],
  ['a thin event', '{"id":"evt_1","object":"v2.core.event","type":"v1.ping","data":null}'],
])('signed, but not an event: %s', async (_name, body) => {
  const answer = await send(body);
  expect(answer.status).toBe(body === '' ? 403 : 400);
});

test('an event larger than 1 MB is refused while it arrives', async () => {
  const body = gatewayEvent('ping', { text: 'x'.repeat(1024 * 1024) });
  expect((await send(body)).status).toBe(413);
  const fitting = gatewayEvent('ping', { text: 'x'.repeat(1000 * 1024) });
  expect((await send(fitting)).status).toBe(200);
});

test('what the database doesn’t take is answered so that the gateway comes again', async () => {
  const slow = await slowShopper();
  const { db } = deps.database;
  await sql`alter table charge rename to charge_away`.execute(db);
  const answer = await send(intentEvent('payment_intent.succeeded', slow));
  await sql`alter table charge_away rename to charge`.execute(db);
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'internal' }]);
  expect((await send(intentEvent('payment_intent.succeeded', slow))).status).toBe(200);
  await settleDueCharges(deps);
  expect(await booksOf(deps, slow.shopper)).toEqual(PAID_ONCE);
});

test('a browser’s page can send none, and the address shows none', async () => {
  expect((await app.request('/stripe/events')).status).toBe(404);
  const answer = await app.request('/stripe/events', {
    method: 'POST',
    body: '{}',
    headers: { origin: 'https://evil.example' },
  });
  expect(answer.status).toBe(403);
});
