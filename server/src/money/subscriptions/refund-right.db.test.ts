import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { endAll, nameOf, newSubscriber, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { updateUsername } from '#server/use-cases/accounts/update-username.service.ts';
import { stopNow } from '../cancellation/cancellation.service.ts';
import { quoteRefund } from '../refunds/refund-quote.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';

let deps: TestDeps;
let count = 0;
/** A customer of plan 9 ($450.00), and the name of the account. */
let victim: Shopper;
let wanted: string;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  await endAll(deps);
  count += 1;
  wanted = `wanted${count}`;
  deps.clock.set(`202${count}-03-01T09:00:00Z`);
  victim = await newSubscriber(deps, wanted, { packageIndex: 9 });
  deps.clock.advance(DAY_MS);
});

/** Somebody else's plan 1 for an account that is on the network already. */
async function newStranger(igUsername: string): Promise<Shopper> {
  const stranger = await newShopper(deps, igUsername, { onNetwork: false });
  const plan = { packageIndex: 1, timeZone: 'UTC', ccYear: 2034 };
  const told = await createNode(deps)(stranger, `stranger${count}`, plan);
  if (told.kind === 'error') throw told.error;
  return stranger;
}

const move = (shopper: Shopper, to: string) =>
  updateUsername(deps, {
    ...shopper.session,
    address: '203.0.113.7',
    oldIgUsername: shopper.igUsername,
    igUsername: to,
  });

const EARLIER =
  'Money back for this account still belongs to an earlier plan, so it isn’t possible for this one yet. You can stop the plan anytime.';

test('nobody takes the money back that a plan stopped before can still ask for', async () => {
  await stopNow(deps, nameOf(victim));
  const stranger = await newStranger(wanted);
  await expect(quoteRefund(deps, nameOf(stranger))).rejects.toThrow(EARLIER);
  await expect(requestRefund(deps, nameOf(stranger))).rejects.toThrow(EARLIER);
  expect(await requestRefund(deps, nameOf(victim))).toMatchObject({ amount_cents: 45_000 });
});

test('nobody takes it by way of the account that a running plan was moved from', async () => {
  const other = `other${count}`;
  deps.network.addAccount(other);
  await move(victim, other);
  const stranger = await newStranger(wanted);
  await expect(requestRefund(deps, nameOf(stranger))).rejects.toThrow(EARLIER);
  const mine = { ...nameOf(victim), igUsername: other };
  expect(await requestRefund(deps, mine)).toMatchObject({ amount_cents: 45_000 });
});

test('an older plan that is moved to the account doesn’t come first', async () => {
  await stopNow(deps, nameOf(victim));
  const plan = await subscriptionOf(deps, victim);
  const stranger = await newSubscriber(deps, `older${count}`, { packageIndex: 1 });
  const older = new Date(plan.created_at.getTime() - DAY_MS);
  await deps.database.db
    .updateTable('subscription')
    .set({ created_at: older })
    .where('workspace_id', '=', stranger.session.workspaceId)
    .execute();
  await move(stranger, wanted);
  const moved = { ...nameOf(stranger), igUsername: wanted };
  await expect(requestRefund(deps, moved)).rejects.toThrow(EARLIER);
  expect(await requestRefund(deps, nameOf(victim))).toMatchObject({ amount_cents: 45_000 });
});

test('once the 30 days of the earlier plan are over, the later one can ask', async () => {
  await stopNow(deps, nameOf(victim));
  deps.clock.advance(DAY_MS);
  const stranger = await newStranger(wanted);
  deps.clock.advance(28 * DAY_MS - 10 * 3_600_000);
  await expect(requestRefund(deps, nameOf(stranger))).rejects.toThrow(EARLIER);
  deps.clock.advance(DAY_MS);
  expect(await requestRefund(deps, nameOf(stranger))).toMatchObject({ amount_cents: 999 });
});
