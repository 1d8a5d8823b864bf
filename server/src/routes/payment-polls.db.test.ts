import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { keepNotices, NOTICES_EACH } from '#server/audit/audit-notices.job.ts';
import { createApp } from '#server/main/app.ts';
import { isWithinLimit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { auditOf, type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** Whatever asks about a payment that waits polls the gateway: no oftener than polls may. */
let deps: TestDeps;
let ada: Payer;
let keys = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  ada = await payer(createApp(deps), deps, 'ada');
});
afterAll(() => deps.database.close());

const newKey = () => ({ 'idempotency-key': `key-${(keys += 1)}` });

async function useUpPolls(): Promise<void> {
  const use = { ...LIMITS.payment, key: ada.workspaceId };
  for (let used = 0; used < use.uses; used += 1) await isWithinLimit(deps, use);
}

const polls = (call: 'findCharge' | 'findSetUp'): number =>
  deps.gateway.calls.filter((made) => made.call === call).length;

test.each([
  ['a purchase', CALLS.buyCredits, { amount: 10, credits: 2500 }, 'findCharge'],
  ['a new card', CALLS.replaceBillingInfo, {}, 'findSetUp'],
] as const)('repeats of %s are told what is known', async (_, call, wanted, poll) => {
  const { client, user } = ada;
  const form = { ...CARD_FORM, ...ASKING_CARD, userId: user.id, ...wanted };
  const key = newKey();
  const asked = await client.call(call, form, key);
  expect(asked.body.code).toBe('payment_needs_action');
  await useUpPolls();
  const before = polls(poll);
  const again = await client.call(call, form, key);
  expect(again.body.action).toEqual(asked.body.action);
  expect(polls(poll)).toBe(before);
  deps.clock.advance(LIMITS.payment.perMs);
  await client.call(call, form, key);
  expect(polls(poll)).toBe(before + 1);
  const paymentId = asked.body.action?.paymentId ?? '';
  await client.call(CALLS.giveUpPayment, { userId: user.id, paymentId });
});

test('the gateway’s page isn’t opened over and over', async () => {
  const { client, user } = ada;
  const open = () => client.call(CALLS.enterCardElsewhere, { userId: user.id });
  expect((await open()).body.data?.url).toBeDefined();
  await useUpPolls();
  const before = polls('findSetUp');
  expect((await open()).body.code).toBe('rate_limited');
  expect(polls('findSetUp')).toBe(before);
});

test('ids that are made up fill the audit log with a few lines only', async () => {
  const { client, user } = ada;
  deps.clock.advance(LIMITS.payment.perMs);
  for (let asked = 0; asked < NOTICES_EACH + 10; asked += 1) {
    const input = { userId: user.id, paymentId: deps.ids.uuid() };
    expect((await client.call(CALLS.findPaymentState, input)).body.code).toBe('not_found');
  }
  await keepNotices(deps);
  const lines = await auditOf(deps, ada, /^unknown_payment/);
  expect(lines.length).toBeLessThanOrEqual(NOTICES_EACH + 1);
});
