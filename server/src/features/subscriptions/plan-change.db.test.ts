import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSubmits } from '#server/http/submit.service.ts';
import {
  DAY_MS,
  endAll,
  gatewayBook,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/subscription-fixture.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { changePlan } from './change-plan.service.ts';
import { stopNow } from './exits.service.ts';
import { splitPrice } from './price-split.ts';
import { quotePlan } from './quote.service.ts';

let deps: TestDeps;
let submits: ReturnType<typeof createSubmits>;
beforeAll(async () => {
  deps = await createTestDeps();
  submits = createSubmits(deps);
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const quote = (shopper: Shopper, packageNumber: number) =>
  quotePlan(deps, nameOf(shopper), packageNumber);
const change = (shopper: Shopper, quoteId: string, idempotencyKey = quoteId) =>
  changePlan(deps, submits, {
    session: shopper.session,
    quoteId,
    idempotencyKey,
    address: shopper.session.workspaceId,
  });

test('price, balance and card always add up; under 50 cents nothing is charged', () => {
  for (let price = -200; price <= 300; price += 7) {
    for (let balance = -49; balance <= 400; balance += 11) {
      const { amountCents, balanceUsedCents, balanceAfterCents } = splitPrice(price, balance);
      expect(amountCents + balanceUsedCents).toBe(price);
      expect(balanceAfterCents).toBe(balance - balanceUsedCents);
      expect(amountCents === 0 || amountCents >= 50).toBe(true);
      expect(balanceAfterCents).toBeGreaterThan(-50);
      expect(amountCents === 0 || balanceAfterCents === 0).toBe(true);
    }
  }
});

test('a bigger plan costs its price less what is unused, and starts a month of its own', async () => {
  deps.clock.set('2027-04-01T00:00:00Z');
  const shopper = await newSubscriber(deps, 'bigger');
  await live(deps, 15 * DAY_MS);
  const offer = await quote(shopper, 4);
  expect(offer).toMatchObject({ price: 48, unused: 8.5, totalToday: 39.5, balanceAfter: 0 });
  const { data } = await change(shopper, offer.quoteId);
  expect(data.connectedAccounts[0]?.accountPackageId).toBe(4);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    era: 1,
    period: 0,
    anchor_at: new Date('2027-04-16T00:00:00Z'),
    next_billing_at: new Date('2027-05-16T00:00:00Z'),
  });
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 3950]);
  await change(shopper, offer.quoteId);
  await live(deps, 31 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 3950, 4800]);
});

test('a smaller plan leaves a balance that pays the next invoices and comes back at the end', async () => {
  const shopper = await newSubscriber(deps, 'smaller', { packageIndex: 4 });
  const offer = await quote(shopper, 1);
  expect(offer).toMatchObject({ unused: 48, totalToday: 0, balanceAfter: 38.01 });
  await change(shopper, offer.quoteId);
  await live(deps, 63 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([4800]);
  await stopNow(deps, nameOf(shopper));
  await live(deps, DAY_MS);
  expect(await gatewayBook(deps, shopper)).toEqual({
    chargedCents: [4800],
    refundedCents: 4800 - 3 * 999,
  });
});

test('a quote that no longer holds changes and charges nothing', async () => {
  const shopper = await newSubscriber(deps, 'stale');
  const late = await quote(shopper, 3);
  deps.clock.advance(15 * 60_000);
  await expect(change(shopper, late.quoteId)).rejects.toMatchObject({ code: 'price_changed' });
  const [first, second] = [await quote(shopper, 3), await quote(shopper, 4)];
  await change(shopper, first.quoteId);
  await expect(change(shopper, second.quoteId)).rejects.toMatchObject({ code: 'price_changed' });
  await expect(change(shopper, first.quoteId, 'twice')).rejects.toMatchObject({
    code: 'price_changed',
  });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ package: 3, era: 1 });
  const other = await newSubscriber(deps, 'other');
  const theirs = await quote(other, 3);
  await expect(change(shopper, theirs.quoteId)).rejects.toMatchObject({ code: 'not_found' });
});

test('a declined change keeps the old plan, and another quote can be paid', async () => {
  const shopper = await newSubscriber(deps, 'declined');
  const offer = await quote(shopper, 4);
  deps.gateway.queueFailure({ kind: 'declined', code: 'card_declined' });
  await expect(change(shopper, offer.quoteId)).rejects.toMatchObject({ code: 'card_declined' });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ package: 2, era: 0 });
  await change(shopper, (await quote(shopper, 4)).quoteId);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ package: 4, era: 2 });
});

test('a change whose answer is lost charges once; stopped meanwhile, its money goes back', async () => {
  const [kept, gone] = [await newSubscriber(deps, 'kept'), await newSubscriber(deps, 'gone')];
  for (const shopper of [kept, gone]) {
    const offer = await quote(shopper, 4);
    deps.gateway.loseAnswers(1);
    await expect(change(shopper, offer.quoteId)).rejects.toMatchObject({
      code: 'payment_unknown',
    });
  }
  await stopNow(deps, nameOf(gone));
  await live(deps, 120_000, 5000);
  expect(await subscriptionOf(deps, kept)).toMatchObject({ package: 4, state: 'Active' });
  expect((await gatewayBook(deps, kept)).refundedCents).toBe(0);
  const { chargedCents, refundedCents } = await gatewayBook(deps, gone);
  expect(refundedCents).toBe(chargedCents[1]);
});
