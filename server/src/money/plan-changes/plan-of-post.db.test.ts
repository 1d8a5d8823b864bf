import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { payerOf, type Shopper } from '#test/checkout-fixture.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import { Posting } from '#test/delivery/posting.ts';
import { servedTime } from '#test/delivery/served-time.ts';
import {
  endAll,
  newSubscriber,
  nameOf,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { updateUsername } from '#server/use-cases/accounts/update-username.service.ts';
import { checkAutomaticOrders } from '#server/ops/invariants/automatic-orders.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { paymentBeingChecked } from '../charges/payment-error.ts';
import { confirmRenewal } from '../renewals/confirm-renewal.service.ts';
import { stopNow } from '../cancellation/cancellation.service.ts';

let deps: TestDeps;
let plans: ReturnType<typeof createPlanChanger>;
let posting: Posting;
const time = servedTime(() => deps);
beforeAll(async () => {
  deps = await createTestDeps();
  plans = createPlanChanger(deps);
  posting = new Posting(deps);
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

/** The terms of a shopper's automatic orders, by when their posts were taken. */
async function termsOf({ session }: Shopper): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('like_order')
    .select(['local_day', 'ordered', 'plan_likes', 'plan_price_cents', 'period_days'])
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('posted_at')
    .orderBy('slot')
    .execute();
  return rows.map(
    (row) =>
      `${row.local_day}: ${row.ordered} of ${row.plan_likes} for ${row.plan_price_cents}/${row.period_days}`,
  );
}

async function wrongPlans(shopper: Shopper): Promise<string[]> {
  const until = new Date(deps.clock.now());
  const found = await checkAutomaticOrders(deps.database.db, { since: new Date(0), until });
  const orders = await deps.database.db
    .selectFrom('like_order')
    .select('id')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  const subjects = new Set(orders.map(({ id }) => `order ${id}`));
  return found.flatMap(({ subject, problem }) => (subjects.has(subject) ? [problem] : []));
}

const four = (line: string): string[] => Array<string>(4).fill(line);

test('posts of the days of a cheap plan, read after an upgrade, get the likes of the cheap plan', async () => {
  deps.clock.set('2027-03-01T09:00:00Z');
  const shopper = await newSubscriber(deps, 'brand', { packageIndex: 1 });
  await posting.poll(shopper);
  deps.network.rename('brand', 'brand.official');
  for (let day = 0; day < 2; day += 1) {
    posting.post({ igUsername: 'brand.official' }, 4);
    deps.clock.advance(DAY_MS);
    await posting.poll(shopper);
  }
  await plans.changeTo(shopper, 9);
  const renamed = { oldIgUsername: 'brand', igUsername: 'brand.official' };
  await updateUsername(deps, { ...shopper.session, address: '203.0.113.7', ...renamed });
  deps.clock.advance(60_000);
  posting.post({ igUsername: 'brand.official' });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await termsOf(shopper)).toEqual([
    ...four('2027-03-01: 50 of 50 for 999/31'),
    ...four('2027-03-02: 50 of 50 for 999/31'),
    '2027-03-03: 10000 of 10000 for 45000/31',
  ]);
  expect(await wrongPlans(shopper)).toEqual([]);
});

test('posts that waited for a payment get the plan that was paid, though a dearer one follows at once', async () => {
  deps.clock.set('2028-03-01T09:00:00Z');
  const shopper = await newSubscriber(deps, 'racer', { packageIndex: 1 });
  await posting.poll(shopper);
  deps.clock.set((await subscriptionOf(deps, shopper)).next_billing_at.toISOString());
  const declined = { kind: 'declined', code: 'insufficient_funds' } as const;
  deps.gateway.queueFailure(declined, declined);
  await runDue(deps);
  deps.clock.advance(DAY_MS);
  await runDue(deps);
  posting.post(shopper, 4);
  deps.clock.advance(DAY_MS);
  await posting.poll(shopper);
  await confirmRenewal(deps, createAttempts(deps, paymentBeingChecked), {
    ...payerOf(deps, shopper.session),
    accountId: shopper.accountId,
    idempotencyKey: 'confirms',
  });
  await plans.changeTo(shopper, 9);
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await termsOf(shopper)).toEqual(four('2028-04-02: 50 of 50 for 999/30'));
});

test('posts from before midnight get the plan of before the upgrade after midnight', async () => {
  deps.clock.set('2029-03-01T09:00:00Z');
  const shopper = await newSubscriber(deps, 'midnight', { packageIndex: 1 });
  await posting.poll(shopper);
  deps.clock.set('2029-03-15T23:59:50Z');
  posting.post(shopper, 4);
  deps.clock.set('2029-03-16T00:00:04Z');
  await plans.changeTo(shopper, 9);
  deps.clock.advance(10_000);
  posting.post(shopper, 4);
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await termsOf(shopper)).toEqual([
    ...four('2029-03-15: 50 of 50 for 999/31'),
    ...four('2029-03-16: 10000 of 10000 for 45000/31'),
  ]);
});

test('posts of the last days of a dear plan, read after a downgrade, get the likes that were paid', async () => {
  deps.clock.set('2030-03-01T10:00:00Z');
  const shopper = await newSubscriber(deps, 'mirror', { packageIndex: 9 });
  await posting.poll(shopper);
  await plans.changeTo(shopper, 1);
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  deps.network.hideAccount('mirror');
  deps.clock.set(new Date(due.getTime() - DAY_MS).toISOString());
  posting.post(shopper, 4);
  deps.clock.advance(DAY_MS + 3_600_000);
  await runDue(deps);
  posting.post(shopper);
  deps.network.showAccount('mirror');
  deps.clock.advance(3_600_000);
  await posting.poll(shopper);
  expect(await termsOf(shopper)).toEqual([
    ...four('2030-03-31: 10000 of 10000 for 45000/31'),
    '2030-04-01: 50 of 50 for 999/30',
  ]);
  await stopNow(deps, nameOf(shopper));
  expect(await wrongPlans(shopper)).toEqual([]);
});

test('a post of the due day gets the plan chosen for it before the renewal is charged', async () => {
  deps.clock.set('2031-03-01T10:00:00Z');
  const shopper = await newSubscriber(deps, 'early', { packageIndex: 9 });
  await posting.poll(shopper);
  await plans.changeTo(shopper, 1);
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  const dueDay = due.toISOString().slice(0, 10);
  deps.clock.set(new Date(Date.parse(dueDay) - 60_000).toISOString());
  posting.post(shopper);
  deps.clock.advance(120_000);
  posting.post(shopper);
  deps.clock.advance(10_000);
  await posting.poll(shopper);
  const likes = (await termsOf(shopper)).map((line) => line.slice(0, line.indexOf(' for')));
  expect(likes).toEqual(['2031-03-31: 10000 of 10000', '2031-04-01: 50 of 50']);
  expect(await wrongPlans(shopper)).toEqual([]);
  await runDue(deps);
  expect(await wrongPlans(shopper)).toEqual([]);
});

test('unserved days of a cheap plan do not lengthen the dear one after them', async () => {
  deps.clock.set('2032-03-01T09:00:00Z');
  const shopper = await newSubscriber(deps, 'shifter', { packageIndex: 1 });
  await posting.poll(shopper);
  await time.jumpTo(new Date(deps.clock.now() + 60_000));
  await time.hide(shopper, 'unreadable');
  for (let day = 0; day < 4; day += 1) await time.work(24);
  await plans.changeTo(shopper, 9);
  const before = await subscriptionOf(deps, shopper);
  await time.hide(shopper, null);
  await time.readAll();
  const { next_billing_at: due, shift_days: shift } = await subscriptionOf(deps, shopper);
  expect({ due, shift }).toEqual({ due: before.next_billing_at, shift: 0 });
});
