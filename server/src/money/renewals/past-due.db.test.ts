import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { Posting } from '#test/delivery/posting.ts';
import {
  endAll,
  gatewayBook,
  mailPayloadsOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewAccounts } from '#server/read-model/accounts.service.ts';
import { addPendingDays } from '../service-credit/service-credit.job.ts';
import { checkAutomaticOrders } from '#server/ops/invariants/automatic-orders.ts';
import { checkDueDates } from '#server/ops/invariants/due-dates.ts';

const declined = { kind: 'declined', code: 'insufficient_funds' } as const;
let deps: TestDeps;
let posting: Posting;
beforeAll(async () => {
  deps = await createTestDeps();
  posting = new Posting(deps);
});
beforeEach(() => deps.clock.set('2027-03-01T09:00:00Z'));
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

/** Lets the clock run to the due date, whose charge and `more` are declined. */
async function fallDue(shopper: Shopper, more: number): Promise<Date> {
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  deps.clock.set(due.toISOString());
  deps.gateway.queueFailure(...Array.from({ length: more + 1 }, () => declined));
  await runDue(deps);
  return due;
}

async function passDay(shopper: Shopper, posts: number): Promise<void> {
  posting.post(shopper, posts);
  await posting.poll(shopper);
  deps.clock.advance(DAY_MS);
  await runDue(deps);
}

const viewOf = async ({ session }: Shopper) =>
  (await viewAccounts(deps, session.workspaceId))[0]?.view;

async function accountVersion({ session }: Shopper): Promise<number> {
  const row = await deps.database.db
    .selectFrom('sync_row')
    .select('v')
    .where('workspace_id', '=', session.workspaceId)
    .where('scope', 'like', 'w:%')
    .where('entity', '=', 'account')
    .executeTakeFirstOrThrow();
  return row.v;
}

test('posts are served until the first retry, then wait, and are ordered when it is paid', async () => {
  const shopper = await newSubscriber(deps, 'late');
  const due = await fallDue(shopper, 1);
  const first = new Date(due.getTime() + DAY_MS);
  expect(await viewOf(shopper)).toMatchObject({
    subscriptionState: 'Past due',
    postsWaitSince: first.toISOString(),
  });
  posting.post(shopper);
  await posting.poll(shopper);
  deps.clock.advance(DAY_MS);
  const before = await accountVersion(shopper);
  await runDue(deps);
  // Replicas hear that posts wait from now on with the account, on which it is shown.
  expect(await accountVersion(shopper)).toBeGreaterThan(before);
  expect(await posting.orderedDays(shopper)).toEqual(['2027-04-01']);
  // 2 April: five posts wait; 3 April has none; the retry of 4 April is paid.
  await passDay(shopper, 5);
  await passDay(shopper, 0);
  expect(await posting.orderedDays(shopper)).toEqual(['2027-04-01']);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Active',
    shift_days: 0,
    posts_wait_since: null,
  });
  await addPendingDays(deps);
  expect((await subscriptionOf(deps, shopper)).shift_days).toBe(0);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toEqual([
    '2027-04-01',
    ...Array.from({ length: 4 }, () => '2027-04-02'),
  ]);
  // Due since they were made, not since their posts were seen.
  const late = await deps.database.db
    .selectFrom('like_order')
    .select('next_attempt_at')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .where('local_day', '=', '2027-04-02')
    .execute();
  const now = new Date(deps.clock.now());
  expect(late).toEqual(Array.from({ length: 4 }, () => ({ next_attempt_at: now })));
  deps.clock.advance(3_600_000);
  await posting.poll(shopper);
  await addPendingDays(deps);
  // The whole day without an order moves the next date.
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ shift_days: 1, period: 1 });
  expect(await checkDueDates(deps.database.db)).toEqual([]);
  const until = new Date(deps.clock.now());
  expect(await checkAutomaticOrders(deps.database.db, { since: new Date(0), until })).toEqual([]);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('once in 365 days for a network account: the second time posts wait from the start', async () => {
  const shopper = await newSubscriber(deps, 'again');
  await fallDue(shopper, 0);
  deps.clock.advance(DAY_MS);
  await runDue(deps);
  const due = await fallDue(shopper, 0);
  expect((await subscriptionOf(deps, shopper)).posts_wait_since).toEqual(due);
  expect((await mailPayloadsOf(deps, shopper)).at(-1)).toMatchObject({
    kind: 'payment_declined',
    postsWaitSince: due.toISOString(),
    nextTryAt: new Date(due.getTime() + DAY_MS).toISOString(),
  });
  posting.post(shopper);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toEqual([]);
  deps.clock.advance(DAY_MS);
  await runDue(deps);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toHaveLength(1);
});

test('unpaid after the last retry, the plan expires and waiting posts get nothing, ever', async () => {
  const shopper = await newSubscriber(deps, 'never');
  await fallDue(shopper, 3);
  for (let day = 0; day < 7; day += 1) await passDay(shopper, day === 0 ? 0 : 1);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Expired');
  expect(await posting.orderedDays(shopper)).toEqual([]);
  await addPendingDays(deps);
  expect((await subscriptionOf(deps, shopper)).shift_days).toBe(0);
});
