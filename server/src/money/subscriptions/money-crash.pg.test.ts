import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { payerOf, type Shopper } from '#test/checkout-fixture.ts';
import { dieEverywhere } from '#test/processes/dying-process.ts';
import {
  endAll,
  gatewayBook,
  mailsOf,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { checkOnce } from '#server/ops/invariants/check-all.ts';
import { replaceBillingInfo } from '../payments/billing-info.service.ts';
import { changePlan } from '../plan-changes/change-plan.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';
import { quotePlan } from '../plan-changes/quote.service.ts';
import { runSubscriptions } from '../renewals/subscriptions.job.ts';
import { paymentBeingChecked } from '../charges/payment-error.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** Each one leaves nothing to do to the next. @returns after how many steps one lived */
const dieInTurn = <One>(
  prepare: (n: number) => Promise<One>,
  work: (dying: TestDeps, one: One) => Promise<unknown>,
  check: (one: One, n: number) => Promise<void>,
): Promise<number> =>
  dieEverywhere(deps, prepare, work, async (one, n) => {
    await check(one, n);
    await endAll(deps);
  });

/** The jobs of another process, while leases end and pauses before the next try pass. */
async function recover(): Promise<void> {
  for (const minutes of [12, 45]) {
    deps.clock.advance(minutes * MINUTE_MS);
    await runDue(deps);
  }
}

const paid = async (shopper: Shopper) => (await gatewayBook(deps, shopper)).chargedCents;

test('a renewal whose process dies after any step is charged once', async () => {
  const died = await dieInTurn(
    async (n) => {
      const shopper = await newSubscriber(deps, `renews_${n}`);
      deps.clock.advance(31 * DAY_MS);
      return shopper;
    },
    (dying) => runSubscriptions(dying),
    async (shopper, n) => {
      await recover();
      expect([n, await paid(shopper)]).toEqual([n, [1700, 1700]]);
      expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 1 });
    },
  );
  expect(died).toBeGreaterThan(5);
});

interface Change {
  shopper: Shopper;
  quoteId: string;
  totalCents: number;
}

async function quoted(n: number): Promise<Change> {
  const shopper = await newSubscriber(deps, `changes_${n}`);
  const { quoteId, totalToday } = await quotePlan(deps, nameOf(shopper), 4);
  return { shopper, quoteId, totalCents: Math.round(totalToday * 100) };
}

const change = (by: TestDeps, { shopper: { session }, quoteId }: Change) =>
  changePlan(by, createAttempts(by, paymentBeingChecked), {
    ...payerOf(by, session),
    quoteId,
    idempotencyKey: 'form',
  });

test('a plan change whose process dies after any step is charged and in force, or neither, and once when sent again', async () => {
  const ends = new Set<string>();
  const died = await dieInTurn(quoted, change, async (one, n) => {
    const { shopper, totalCents } = one;
    deps.clock.advance(3 * MINUTE_MS);
    await runDue(deps);
    const { package: plan } = await subscriptionOf(deps, shopper);
    expect([n, await paid(shopper)]).toEqual([n, plan === 4 ? [1700, totalCents] : [1700]]);
    ends.add(String(plan));
    await change(deps, one);
    await recover();
    expect([n, await paid(shopper)]).toEqual([n, [1700, totalCents]]);
    expect(await subscriptionOf(deps, shopper)).toMatchObject({
      package: 4,
      subscription_version: 1,
    });
  });
  expect(died).toBeGreaterThan(5);
  expect(ends).toEqual(new Set(['2', '4']));
});

test('money back whose process dies after any step is paid once, and each step is mailed once', async () => {
  const died = await dieInTurn(
    async (n) => {
      const shopper = await newSubscriber(deps, `returns_${n}`);
      await requestRefund(deps, nameOf(shopper));
      deps.clock.advance(4 * DAY_MS);
      return shopper;
    },
    (dying) => runSubscriptions(dying),
    async (shopper, n) => {
      await recover();
      const book = { chargedCents: [1700], refundedCents: 1700 };
      expect([n, await gatewayBook(deps, shopper)]).toEqual([n, book]);
      const steps = (await mailsOf(deps, shopper)).filter((mail) => /^[A-Z]/.test(mail));
      expect(steps).toEqual(['Requested', 'Approved', 'Paid']);
    },
  );
  expect(died).toBeGreaterThan(4);
});

test('a new card whose process dies after any step pays what is due once', async () => {
  const replace = (by: TestDeps, { session, form }: Shopper) =>
    replaceBillingInfo(by, createAttempts(by, paymentBeingChecked), {
      ...payerOf(by, session),
      form: { ...form, ccNum: '5555555555554444', ccYear: 2034 },
      idempotencyKey: 'card',
    });
  const died = await dieInTurn(
    async (n) => {
      const shopper = await newSubscriber(deps, `owes_${n}`);
      deps.clock.advance(31 * DAY_MS);
      deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
      await runDue(deps);
      return shopper;
    },
    replace,
    async (shopper, n) => {
      deps.clock.advance(2 * MINUTE_MS);
      await replace(deps, shopper);
      await recover();
      expect([n, await paid(shopper)]).toEqual([n, [1700, 1700]]);
      expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 1 });
    },
  );
  expect(died).toBeGreaterThan(8);
});

test('after all these deaths both books are equal and every balance has its source', async () => {
  const found = await checkOnce(deps, new Date(0));
  const ofMoney = new Set<string>(['I1', 'I2', 'I5', 'I6', 'I10']);
  expect(found.filter(({ invariant }) => ofMoney.has(invariant))).toEqual([]);
});
