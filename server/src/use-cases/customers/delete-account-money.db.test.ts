import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import {
  auditOf,
  type Payer,
  payer as payingCustomer,
  payPlan,
} from '#test/money/paying-customer.ts';
import { runDue } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { detachDueCards } from '#server/money/cards/detach-cards.job.ts';
import { checkOverdue } from '#server/ops/invariants/overdue.ts';
import { composeMail } from '#server/mail/compose-mail.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const remove = async ({ client, user }: Customer) => {
  const input = { userId: user.id, password: PASSWORD };
  expect((await client.call(CALLS.deleteAccount, input)).httpStatus).toBe(200);
};

const payer = (name: string): Promise<Payer> => payingCustomer(app, deps, name);
const farewellOf = (payer: Payer): Promise<string[]> => auditOf(deps, payer, /deleted|detached/);
const cardsOf = ({ customerId }: Payer): number => deps.gateway.countCards(customerId);

const detachments = async (): Promise<number> =>
  (await deps.database.db.selectFrom('card_detachment').select('workspace_id').execute()).length;

const isAtGateway = ({ customerId }: Payer): boolean => deps.gateway.customers.has(customerId);

test('the saved cards are taken off the gateway soon after, once, and the audit log says so', async () => {
  const ada = await payer('ada');
  expect(cardsOf(ada)).toBe(1);
  await remove(ada);
  await detachDueCards(deps);
  expect(cardsOf(ada)).toBe(0);
  expect(await farewellOf(ada)).toEqual(['account_deleted', 'cards_detached']);
  deps.clock.advance(2 * MINUTE_MS);
  await detachDueCards(deps);
  expect(await farewellOf(ada)).toEqual(['account_deleted', 'cards_detached']);
});

test('while the gateway is down it is asked again, ever more rarely, and the deletion stands', async () => {
  const bo = await payer('bo');
  await remove(bo);
  let asked = 0;
  const down = {
    ...deps.gateway,
    detachCards: () => {
      asked += 1;
      return Promise.resolve({ kind: 'unknown' as const, reason: 'down' });
    },
  };
  for (let minute = 0; minute < 12 * 60; minute += 10) {
    await detachDueCards({ ...deps, gateway: down });
    deps.clock.advance(10 * MINUTE_MS);
  }
  expect(asked).toBeGreaterThan(10);
  expect(asked).toBeLessThan(30);
  expect(cardsOf(bo)).toBe(1);
  expect(await farewellOf(bo)).toEqual(['account_deleted']);
  const late = () => checkOverdue(deps.database.db, new Date(deps.clock.now() + 20 * HOUR_MS));
  const told = (await late()).filter(({ problem }) => problem.startsWith('cards of'));
  expect(told.map(({ subject }) => subject)).toEqual([bo.workspaceId]);
  deps.clock.advance(HOUR_MS);
  await detachDueCards(deps);
  expect(cardsOf(bo)).toBe(0);
  expect(await farewellOf(bo)).toEqual(['account_deleted', 'cards_detached']);
  await detachDueCards(deps);
  expect(await detachments()).toBe(0);
});

test('an answer that was lost is asked for again', async () => {
  const eve = await payer('eve');
  await remove(eve);
  deps.gateway.loseAnswers(1);
  await detachDueCards(deps);
  expect(await farewellOf(eve)).toEqual(['account_deleted']);
  deps.clock.advance(5 * MINUTE_MS);
  await detachDueCards(deps);
  expect(await farewellOf(eve)).toEqual(['account_deleted', 'cards_detached']);
  await detachDueCards(deps);
  expect(await detachments()).toBe(0);
});

test('a card that a checkout under way saved after the deletion is taken off too', async () => {
  const cem = await payer('cem');
  await remove(cem);
  await detachDueCards(deps);
  const address = { line1: 'x', line2: '', city: 'x', state: '', zip: '10115', country: 'DE' };
  const person = { name: 'Cem', phone: '', address };
  const card = { number: '4242424242424242', month: 1, year: 2034, cvv: '123', ...person };
  const { customerId } = cem;
  await deps.gateway.saveCard({ key: 'late', customerId, card });
  expect(cardsOf(cem)).toBe(1);
  deps.clock.advance(2 * MINUTE_MS);
  await detachDueCards(deps);
  expect(cardsOf(cem)).toBe(0);
  await detachDueCards(deps);
  expect(await detachments()).toBe(0);
});

test('of a customer who never paid the gateway hears nothing', async () => {
  const dee = await registerCustomer(app, deps, 'dee');
  const calls = deps.gateway.calls.length;
  await remove(dee);
  await detachDueCards(deps);
  expect(deps.gateway.calls.length).toBe(calls);
});

test('money on its way back to somebody who has left still arrives', async () => {
  const fay = await payer('fay');
  const input = { userId: fay.user.id, igUsername: 'fay' };
  expect((await fay.client.call(CALLS.moneyBack, input)).httpStatus).toBe(200);
  await remove(fay);
  await detachDueCards(deps);
  deps.clock.advance(2 * MINUTE_MS);
  await detachDueCards(deps);
  deps.clock.advance(2 * 24 * HOUR_MS);
  await detachDueCards(deps);
  // Until the money is through, an operator can see at the gateway whose it is.
  expect([cardsOf(fay), isAtGateway(fay)]).toEqual([0, true]);
  deps.clock.advance(2 * 24 * HOUR_MS);
  await runDue(deps);
  await detachDueCards(deps);
  expect(isAtGateway(fay)).toBe(false);
  const back = deps.gateway.charges.find(({ request }) => request.customerId === fay.customerId);
  expect(back?.refundedCents).toBe(1700);
  const mails = await deps.database.db
    .selectFrom('owed_mail')
    .select(['workspace_id', 'id', 'payload'])
    .where('workspace_id', '=', fay.workspaceId)
    .execute();
  for (const mail of mails) expect(await composeMail(deps, mail)).toBeUndefined();
});

test('money back stays once per network account when its customer leaves and comes back', async () => {
  const gil = await payer('gil');
  const { defaultIgId: igId } = gil.user;
  const input = { userId: gil.user.id, igUsername: 'gil' };
  expect((await gil.client.call(CALLS.moneyBack, input)).httpStatus).toBe(200);
  await remove(gil);
  const { rows } = await sql<{ text: string }>`
    select t::text as text from refund_request_account t
    union all select t::text from refund_request t union all select t::text from subscription t
  `.execute(deps.database.db);
  expect(rows.length).toBeGreaterThan(2);
  for (const { text } of rows) expect(text).not.toContain(igId);

  const again = await registerCustomer(app, deps, 'gil.again');
  deps.network.addAccount('gil', { igId });
  await again.client.call(CALLS.addAccount, { userId: again.user.id, igUsername: 'gil' });
  await payPlan(deps, again, 'gil');
  const { body } = await again.client.call(CALLS.findUser, { userId: again.user.id });
  const account = body.data?.connectedAccounts.find(({ igUsername }) => igUsername === 'gil');
  expect(account).toMatchObject({ moneyBackUntil: null, moneyBackAmount: null });
  const asked = { userId: again.user.id, igUsername: 'gil' };
  const refused = await again.client.call(CALLS.moneyBack, asked);
  expect([refused.httpStatus, refused.body.code]).toEqual([409, 'money_back_over']);
});

test('of two customers who ask at once for the same account’s money back, one gets it', async () => {
  const hal = await payer('hal');
  const { db } = deps.database;
  const igId = hal.user.defaultIgId;
  const other = await payer('hal.other');
  // Both plans serve one network account, as when the first one ended and began again elsewhere.
  await db
    .updateTable('subscription')
    .set({ ig_id: igId })
    .where('workspace_id', '=', other.workspaceId)
    .execute();
  const answers = await Promise.all([
    hal.client.call(CALLS.moneyBack, { userId: hal.user.id, igUsername: 'hal' }),
    other.client.call(CALLS.moneyBack, { userId: other.user.id, igUsername: 'hal.other' }),
  ]);
  expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([200, 409]));
});
