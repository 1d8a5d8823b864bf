import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { collectCharge } from '../settlement/collect-charge.service.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import { checkDueDates } from '#server/ops/invariants/due-dates.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import {
  endAll,
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { Database } from '#server/kit/db/database.ts';
import { advanceSubscription } from './advance-subscription.service.ts';
import { openChange } from '../plan-changes/change-plan.service.ts';
import { cancelSubscription, stopNow } from '../cancellation/cancellation.service.ts';
import { quotePlan } from '../plan-changes/quote.service.ts';
import { claimDueSubscriptions } from '../subscriptions/subscription-work.repository.ts';
import { runSubscriptions } from './subscriptions.job.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const BEGIN = '2027-01-01T12:00:00Z';

interface Scene {
  shopper: Shopper;
  quoteId: string;
}

const renew = (database: Database) => runSubscriptions({ ...deps, database });

/** A subscription whose next period begins now, and what another plan would cost. */
async function dueNow(name: string): Promise<Scene> {
  deps.clock.set(BEGIN);
  const shopper = await newSubscriber(deps, name);
  const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
  deps.clock.advance(due - 60_000 - deps.clock.now());
  const { quoteId } = await quotePlan(deps, nameOf(shopper), 4);
  deps.clock.advance(60_000);
  return { shopper, quoteId };
}

/** Where all of it has ended, once the jobs have had their turn: I5 and I8 hold. */
async function outcome({ shopper }: Scene) {
  await live(deps, 10_000, 10_000);
  const { db } = deps.database;
  expect(await checkCharges(db, deps.gateway, new Date(BEGIN))).toEqual([]);
  expect(await checkDueDates(db)).toEqual([]);
  const row = await subscriptionOf(deps, shopper);
  const book = await gatewayBook(deps, shopper);
  const reservations = await db
    .selectFrom('network_subscription')
    .selectAll()
    .where('subscription_id', '=', row.id)
    .execute();
  // The account is kept for who pays for it, and for nobody else.
  expect(reservations).toHaveLength(row.state === 'Active' ? 1 : 0);
  if (row.state === 'Active') await stopNow(deps, nameOf(shopper));
  const charged = book.chargedCents.reduce((sum, cents) => sum + cents, 0);
  return { row, ...book, keptCents: charged - book.refundedCents };
}

const cancelRace = (name: string): Race<Scene> => ({
  scene: (played) => dueNow(`${name}_${played}`),
  sides: [
    renew,
    (database, { shopper }) => cancelSubscription({ ...deps, database }, nameOf(shopper)),
  ],
  check: async (scene) => {
    const { row, keptCents } = await outcome(scene);
    // Either the new period was paid and ends when it is over, or nothing new was kept.
    expect(keptCents).toBe(1700 * (row.period + 1));
    expect(row.state).toBe(row.period === 0 ? 'Canceled' : 'Active');
    expect(row.ends_at).toEqual(
      row.period === 0 ? new Date(deps.clock.now() - 10_000) : row.next_billing_at,
    );
  },
});

/** Without the refunds the job looks for afterwards, which don't meet a plan change. */
async function renewOnly(database: Database): Promise<void> {
  const nowMs = deps.clock.now();
  const [now, leaseUntil] = [new Date(nowMs), new Date(nowMs + 120_000)];
  const claims = await claimDueSubscriptions(database.db, { now, leaseUntil, limit: 10 });
  for (const claim of claims) await advanceSubscription({ ...deps, database }, claim);
}

const changeRace = (name: string): Race<Scene> => ({
  scene: (played) => dueNow(`${name}_${played}`),
  sides: [
    renewOnly,
    async (database, { shopper, quoteId }) => {
      // The node that changes the plan is a second behind: for it the period isn't over.
      const behind = new FakeClock(new Date(deps.clock.now() - 1000).toISOString());
      const node = { ...deps, database, clock: behind };
      const { workspaceId } = shopper.session;
      const attemptId = deps.ids.uuid();
      const claim = await openChange(node, { workspaceId, quoteId, attemptId }).catch(() => null);
      if (claim) await collectCharge(node, claim);
    },
  ],
  check: async (scene) => {
    const { row, chargedCents, refundedCents } = await outcome(scene);
    expect([row.package, row.subscription_version, row.period]).toEqual(
      row.subscription_version === 1 ? [4, 1, 0] : [2, 0, 1],
    );
    expect(chargedCents).toHaveLength(2);
    expect(refundedCents).toBe(0);
  },
});

/** The planted bug: the renewal reads its subscription without holding it. */
const withoutLock = (text: string): string => text.replace(/ for no key update$/, '');

test('cancel and renewal in every order of their statements: paid for is what was begun', async () => {
  const played = await playAllOrders(deps.database, cancelRace('cancel'));
  process.stdout.write(describePlayed('renew and cancel', played));
  expect(played.schedules).toBeGreaterThan(10);
});

test('a renewal that holds nothing is caught by playing it against a cancel', async () => {
  const race = { ...cancelRace('unheld_cancel'), rewriteFirst: withoutLock };
  await expect(playAllOrders(deps.database, race)).rejects.toThrow('After schedule');
});

test('stopping now and renewal in every order: a charge that comes after the stop goes back', async () => {
  let returned = 0;
  const played = await playAllOrders(deps.database, {
    ...cancelRace('stop'),
    sides: [renew, (database, { shopper }) => stopNow({ ...deps, database }, nameOf(shopper))],
    check: async (scene) => {
      const { row, keptCents, refundedCents } = await outcome(scene);
      expect(row.state).toBe('Canceled');
      expect(keptCents).toBe(1700 * (row.period + 1));
      if (refundedCents > 0) returned += 1;
    },
  });
  process.stdout.write(describePlayed('renew and stop now', played));
  expect(returned).toBeGreaterThan(0);
});

test('plan change and renewal in every order of their statements: one of them is paid', async () => {
  const played = await playAllOrders(deps.database, changeRace('change'));
  process.stdout.write(describePlayed('renew and change', played));
  expect(played.schedules).toBeGreaterThan(10);
});

test('a renewal that holds nothing is caught by playing it against a plan change', async () => {
  const race = { ...changeRace('unheld_change'), rewriteFirst: withoutLock };
  await expect(playAllOrders(deps.database, race)).rejects.toThrow('After schedule');
});
