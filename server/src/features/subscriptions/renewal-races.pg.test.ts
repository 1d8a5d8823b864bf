import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectCharge } from '#server/features/billing/collect-charge.service.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { runInterleaved } from '#test/interleave.ts';
import {
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { Database } from '../../db/database.ts';
import { openChange } from './change-plan.service.ts';
import { cancelSubscription, stopNow } from './exits.service.ts';
import { quotePlan } from './quote.service.ts';
import { runSubscriptions } from './subscriptions.job.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const renewOn = (database: Database) => runSubscriptions({ ...deps, database });
const MOST_STATEMENTS = 60;

/** Plays both orders at every statement of whoever goes first. */
async function everyInterleaving(
  round: (name: string, stopAfter: number, isRenewalFirst: boolean) => Promise<boolean>,
): Promise<number> {
  let rounds = 0;
  for (const isRenewalFirst of [true, false]) {
    for (let stopAfter = 1; stopAfter < MOST_STATEMENTS; stopAfter += 1) {
      rounds += 1;
      const name = `${isRenewalFirst ? 'renewal' : 'other'}_${stopAfter}_${rounds}`;
      if (!(await round(name, stopAfter, isRenewalFirst))) break;
    }
  }
  return rounds;
}

test('cancel and renewal, stopped after each of their statements: paid for is what was begun', async () => {
  const rounds = await everyInterleaving(async (name, stopAfter, isRenewalFirst) => {
    const shopper = await newSubscriber(deps, `cancel_${name}`);
    const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
    deps.clock.advance(due - deps.clock.now());
    const cancel = (database: Database) =>
      cancelSubscription({ ...deps, database }, nameOf(shopper));
    const [first, second] = isRenewalFirst ? [renewOn, cancel] : [cancel, renewOn];
    const hasStopped = await runInterleaved(deps.database, stopAfter, first, second);
    await live(deps, 10_000, 10_000);
    const row = await subscriptionOf(deps, shopper);
    const { chargedCents, refundedCents } = await gatewayBook(deps, shopper);
    const kept = chargedCents.reduce((sum, cents) => sum + cents, 0) - refundedCents;
    // Either the new period was paid and ends when it is over, or nothing new was kept.
    expect(kept).toBe(1700 * (row.period + 1));
    expect(row.ends_at).not.toBeNull();
    expect(row.state).toBe(row.period === 0 ? 'Canceled' : 'Active');
    if (row.state === 'Active') await stopNow(deps, nameOf(shopper));
    return hasStopped;
  });
  expect(rounds).toBeGreaterThan(15);
});

test('plan change and renewal, stopped after each of their statements: one of them is paid', async () => {
  deps.clock.set('2027-01-01T00:00:00Z');
  const rounds = await everyInterleaving(async (name, stopAfter, isRenewalFirst) => {
    const shopper = await newSubscriber(deps, `change_${name}`);
    const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
    deps.clock.advance(due - 60_000 - deps.clock.now());
    const { quoteId } = await quotePlan(deps, nameOf(shopper), 4);
    // The node that changes the plan is a second behind: for it the period isn't over.
    const behind = new FakeClock(new Date(due - 1000).toISOString());
    deps.clock.advance(60_000);
    const { workspaceId } = shopper.session;
    const change = async (database: Database): Promise<void> => {
      const node = { ...deps, database, clock: behind };
      const attemptId = deps.ids.uuid();
      const claim = await openChange(node, { workspaceId, quoteId, attemptId });
      if (claim) await collectCharge(node, claim);
    };
    const [first, second] = isRenewalFirst ? [renewOn, change] : [change, renewOn];
    const hasStopped = await runInterleaved(deps.database, stopAfter, first, second);
    await live(deps, 10_000, 10_000);
    const row = await subscriptionOf(deps, shopper);
    const { chargedCents, refundedCents } = await gatewayBook(deps, shopper);
    expect([row.package, row.era, row.period]).toEqual(row.era === 1 ? [4, 1, 0] : [2, 0, 1]);
    expect(chargedCents).toHaveLength(2);
    expect(refundedCents).toBe(0);
    await stopNow(deps, nameOf(shopper));
    return hasStopped;
  });
  expect(rounds).toBeGreaterThan(15);
});
