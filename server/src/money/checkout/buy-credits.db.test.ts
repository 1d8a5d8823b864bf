import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { chargesOf, runJanitor, SLOW_CARD } from '#test/money/checkout-books.ts';
import { CANARIES, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { changesOf, createCreditsNode } from '#test/money/credits-fixture.ts';
import { Died, DIES_EVERY, dyingDeps, Lifetime } from '#test/processes/dying-process.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { findCharge } from '../charges/charge.repository.ts';
import { applyVerdict } from '../settlement/collect-charge.service.ts';

let deps: TestDeps;
let buy: ReturnType<typeof createCreditsNode>;
beforeAll(async () => {
  deps = await createTestDeps();
  buy = createCreditsNode(deps, viewUser);
});
afterAll(() => deps.database.close());

const ONE_PACK = { chargedCents: [1000], payments: [1000], changes: ['pack +2500 = 2500'] };
const NOTHING = { chargedCents: [], payments: [], changes: [] };

/** Both books of one shopper: what the gateway took and keeps, our payments, the ledger. */
async function booksOf(shopper: Shopper): Promise<typeof ONE_PACK> {
  const { workspaceId } = shopper.session;
  const ids = new Set((await chargesOf(deps, shopper)).map(({ id }) => id));
  const payments = await deps.database.db
    .selectFrom('credits_transaction')
    .select('amount_cents')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return {
    chargedCents: deps.gateway.charges
      .filter(({ state, request }) => state === 'succeeded' && ids.has(request.chargeId))
      .map(({ request, refundedCents }) => request.amountCents - refundedCents),
    payments: payments.map(({ amount_cents: cents }) => cents),
    changes: await changesOf(deps, workspaceId),
  };
}

/** Lets the node of a purchase die after 0 steps and more until one lives; returns how many it lived. */
async function dyingPurchases(
  afterDeath: (shopper: Shopper, dieAfter: number) => Promise<void>,
): Promise<number> {
  for (let dieAfter = 0; ; dieAfter += DIES_EVERY) {
    const shopper = await newShopper(deps, `dies_${dieAfter}`);
    const node = createCreditsNode(dyingDeps(deps, new Lifetime(dieAfter)));
    const ended: unknown = await node(shopper, 'form').catch((error: unknown) => error);
    if (!(ended instanceof Died)) return dieAfter;
    await afterDeath(shopper, dieAfter);
  }
}

/** One of each brand that the pages show: Visa, Mastercard, Discover, American Express. */
const CARDS = [
  { ccNum: '4242424242424242', cvv: '123' },
  { ccNum: '5555555555554444', cvv: '123' },
  { ccNum: '6011111111111117', cvv: '123' },
  { ccNum: '378282246310005', cvv: '1234' },
];
const PACKS = CREDIT_PACKAGES.map((pack, index) => ({ pack, card: CARDS[index % CARDS.length] }));

// Shows facts 1.22, 9.05, 9.06.
test.each(PACKS)(
  '$pack.credits credits cost $pack.price dollars, with each of the four cards',
  async ({ pack, card }) => {
    const shopper = await newShopper(deps, `pack_${pack.credits}`);
    const bought = { credits: pack.credits, amount: pack.price };
    const told = await buy(shopper, 'form', { ...bought, ...card });
    expect(told).toMatchObject({ kind: 'paid', user: { credits: pack.credits } });
    expect(await booksOf(shopper)).toEqual({
      chargedCents: [pack.priceCents],
      payments: [pack.priceCents],
      changes: [`pack +${pack.credits} = ${pack.credits}`],
    });
  },
);

test('a customer without a plan gets in with credits, the saved card and the payment', async () => {
  const shopper = await newShopper(deps, 'pack_only');
  expect(await buy(shopper, 'form')).toMatchObject({
    user: {
      credits: 2500,
      inSubscription: true,
      billingInfo: { ccName: 'Ada Example' },
      creditsTransactions: [{ description: '2,500 credits', price: 10 }],
    },
  });
});

// Shows fact 9.07.
test.each([
  ['another price', { amount: 9.99 }],
  ['the price of another pack', { amount: 29 }],
  ['a pack that isn’t sold', { credits: 2501 }],
  ['no credits at all', { credits: 0, amount: 0 }],
])('%s is refused without a charge', async (what, changes) => {
  const shopper = await newShopper(deps, `refused_${what.length}`);
  expect(wordOf(await buy(shopper, 'form', changes))).toBe('amount_mismatch');
  expect(await booksOf(shopper)).toEqual(NOTHING);
});

test.each([
  ['4000000000000002', 'card_declined', 'Unable to process payment'],
  ['4000000000009995', 'insufficient_funds', 'Unable to process payment'],
  ['4111111111111111', 'card_invalid', 'Card number is invalid'],
])('the card %s is refused as %s', async (ccNum, code, message) => {
  const shopper = await newShopper(deps, `card_${ccNum}`);
  expect(await buy(shopper, 'form', { ccNum })).toMatchObject({ error: { code, message } });
  expect(await booksOf(shopper)).toEqual(NOTHING);
  expect(wordOf(await buy(shopper, 'again'))).toBe('paid');
});

test('an expired card is refused', async () => {
  const shopper = await newShopper(deps, 'expired');
  expect(await buy(shopper, 'form', { ccMonth: 1, ccYear: 2025 })).toMatchObject({
    error: { code: 'card_invalid', message: 'The selected date must be in the future.' },
  });
});

test.each([
  ['with the form’s key', 'form'],
  ['without a key', undefined],
])('a double click %s charges once and answers twice the same', async (what, key) => {
  const shopper = await newShopper(deps, `double_${what.length}`);
  const [first, second] = await Promise.all([buy(shopper, key), buy(shopper, key)]);
  expect(first.kind).toBe('paid');
  expect(second).toEqual(first);
  expect(await booksOf(shopper)).toEqual(ONE_PACK);
});

test('two forms are two packs, one after the other', async () => {
  const shopper = await newShopper(deps, 'twice');
  await buy(shopper, 'one');
  await buy(shopper, 'two');
  expect((await booksOf(shopper)).changes).toEqual(['pack +2500 = 2500', 'pack +2500 = 5000']);
});

test('a gateway that times out after charging: 503, no second charge, credits once', async () => {
  const shopper = await newShopper(deps, 'slow');
  expect(await buy(shopper, 'form', SLOW_CARD)).toMatchObject({
    error: {
      code: 'payment_unknown',
      message: 'Your payment is being checked. Please do not pay again.',
    },
  });
  expect(wordOf(await buy(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(shopper)).toEqual(ONE_PACK);
  expect(wordOf(await buy(shopper, 'form', SLOW_CARD))).toBe('paid');
  expect(await booksOf(shopper)).toEqual(ONE_PACK);
});

test('another form while a pack is being checked, as after a reload, is told no and doesn’t wait to pay a second one', async () => {
  const shopper = await newShopper(deps, 'reloads');
  expect(wordOf(await buy(shopper, 'left', SLOW_CARD))).toBe('payment_unknown');
  expect(await buy(shopper, 'loaded_again')).toMatchObject({
    error: {
      code: 'payment_unavailable',
      message:
        'Your last payment for credits is still being checked. You were not charged again. You can see how it ended under Billing.',
    },
  });
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(shopper)).toEqual(ONE_PACK);
  expect(wordOf(await buy(shopper, 'left', SLOW_CARD))).toBe('paid');
});

test('a process that dies after any step: the repeat ends in one charge and one pack', async () => {
  const died = await dyingPurchases(async (shopper, dieAfter) => {
    deps.clock.advance(2 * MINUTE_MS);
    expect([dieAfter, wordOf(await buy(shopper, 'form'))]).toEqual([dieAfter, 'paid']);
    expect([dieAfter, await booksOf(shopper)]).toEqual([dieAfter, ONE_PACK]);
  });
  expect(died).toBeGreaterThan(10);
});

test('a payment that succeeds after it was given up goes back, and brings no credits', async () => {
  const shopper = await newShopper(deps, 'late');
  expect(wordOf(await buy(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  // Given up while the gateway hadn't heard of it; the janitor then learns that it has.
  await deps.database.db
    .updateTable('charge')
    .set({ state: 'declined', next_check_at: null, decline_code: 'never_charged' })
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  const [charge] = await chargesOf(deps, shopper);
  const key = { workspaceId: shopper.session.workspaceId, chargeId: charge?.id ?? '' };
  const found = await findCharge(deps.database.db, key);
  if (!found) throw new Error('no charge');
  const taken = deps.gateway.charges.find(({ request }) => request.chargeId === key.chargeId);
  const gatewayChargeId = taken?.gatewayChargeId ?? '';
  const verdict = { kind: 'succeeded', gatewayChargeId, isOtherCard: false } as const;
  const claim = { ...key, fence: charge?.fence ?? 0 };
  expect(await applyVerdict(deps, claim, found, verdict)).toEqual({ kind: 'returned' });
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(shopper)).toEqual({ ...NOTHING, chargedCents: [0] });
});

// Shows fact 3.02.
test('nothing of the card but its mask is kept, and the address for its invoices', async () => {
  const shopper = await newShopper(deps, 'canary');
  await buy(shopper, 'form');
  const { db } = deps.database;
  const kept = JSON.stringify([
    (await db.selectFrom('card').selectAll().execute()).map((card) => ({
      ...card,
      billing_address: Object.keys(card.billing_address ?? {}),
    })),
    await db.selectFrom('invoice').selectAll().execute(),
    await db.selectFrom('charge').selectAll().execute(),
    await db.selectFrom('attempt').selectAll().execute(),
  ]);
  const { cvv, address, phone } = CANARIES;
  for (const canary of ['4242424242424242', `"${cvv}"`, address, phone]) {
    expect(kept).not.toContain(canary);
  }
});
