import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentState } from '#shared/contract/money/payment.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { ASKING_CARD, chargesOf, runJanitor } from '#test/money/checkout-books.ts';
import { payerOf, type Shopper } from '#test/checkout-fixture.ts';
import { dieEverywhere } from '#test/processes/dying-process.ts';
import { leftAfterCrashes } from '#test/money/gateway-fixture.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import { gatewayBook, newSubscriber, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';
import { findPaymentState, listWaitingPayments } from '../payments/payment-state.service.ts';

/** Server and workers die between each two steps of a plan change that its bank asks about. */
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

interface Change {
  shopper: Shopper;
  quoteId: string;
  totalCents: number;
}

/** A customer with a plan on a card that its bank always asks about, and a quote for a dearer one. */
async function quoted(name: string): Promise<Change> {
  const shopper = await newSubscriber(deps, name, ASKING_CARD);
  deps.clock.advance(MINUTE_MS);
  const { quoteId, totalToday } = await createPlanChanger(deps).quote(shopper, 4);
  return { shopper, quoteId, totalCents: Math.round(totalToday * 100) };
}

async function asked(name: string): Promise<Change> {
  const one = await quoted(name);
  expect(await change(deps, one)).toBe('payment_needs_action');
  return one;
}

const codeOf = (error: unknown): string => {
  if (error instanceof ApiError) return error.code;
  throw error;
};

/** @returns "changed", or the error's code */
const change = (by: TestDeps, { shopper, quoteId }: Change): Promise<string> =>
  createPlanChanger(by)
    .change(shopper, quoteId)
    .then(() => 'changed', codeOf);

/** The customer's yes to all that the bank asks them. @returns whether it asks anything */
async function sayYes(shopper: Shopper): Promise<boolean> {
  const ours = new Set((await chargesOf(deps, shopper)).map(({ id }) => id));
  const waiting = deps.gateway.charges.filter(
    ({ state, request }) => state === 'needs_action' && ours.has(request.chargeId),
  );
  for (const { gatewayChargeId } of waiting) deps.gateway.confirmAtBank(gatewayChargeId);
  return waiting.length > 0;
}

const look = (
  by: TestDeps,
  { session }: Shopper,
  paymentId: string,
  giveUp?: 'given_up',
): Promise<PaymentState> => findPaymentState(by, payerOf(by, session), paymentId, giveUp);

async function newestCharge(shopper: Shopper): Promise<{ id: string; state: string }> {
  const charges = await chargesOf(deps, shopper);
  const newest = charges.toSorted((a, b) => Number(b.created_at) - Number(a.created_at))[0];
  return newest ?? { id: '', state: 'none' };
}

/** Both books and the plan: changed for one charge, or as before for none. */
async function endOf({ shopper, totalCents }: Change): Promise<'changed' | 'as before'> {
  const { package: plan } = await subscriptionOf(deps, shopper);
  const end = plan === 4 ? 'changed' : 'as before';
  const charged = end === 'changed' ? [1700, totalCents] : [1700];
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual(charged);
  expect(await listWaitingPayments(deps, shopper.session.workspaceId)).toEqual([]);
  const { subscription_version: version } = await subscriptionOf(deps, shopper);
  expect(version).toBe(end === 'changed' ? 1 : 0);
  return end;
}

test('the server dies after any step: the page that sends it again changes the plan once', async () => {
  const died = await dieEverywhere(
    deps,
    (n) => quoted(`repeats_${n}`),
    change,
    async (one, n) => {
      deps.clock.advance(2 * MINUTE_MS);
      expect([n, await change(deps, one)]).toEqual([n, 'payment_needs_action']);
      expect([n, await sayYes(one.shopper)]).toEqual([n, true]);
      expect([n, await change(deps, one)]).toEqual([n, 'changed']);
      expect([n, await endOf(one)]).toEqual([n, 'changed']);
    },
  );
  expect(died).toBeGreaterThan(10);
});

test('the server dies after any step: billing says at once what is on its way, and it is confirmed from there', async () => {
  const died = await dieEverywhere(
    deps,
    (n) => quoted(`returns_${n}`),
    change,
    async (one, n) => {
      const { shopper } = one;
      const begun = await newestCharge(shopper);
      const isBegun = begun.state !== 'succeeded';
      const waiting = await listWaitingPayments(deps, shopper.session.workspaceId);
      const told = waiting.map(({ paymentId, what }) => ({ paymentId, what }));
      const wanted = isBegun ? [{ paymentId: begun.id, what: 'plan_change' }] : [];
      expect([n, told]).toEqual([n, wanted]);
      if (!isBegun) {
        await endOf(one);
        return;
      }
      const again = await createPlanChanger(deps)
        .changeTo(shopper, 4)
        .then(() => 'changed', codeOf);
      const isAsked = waiting[0]?.url !== null;
      expect([n, again]).toEqual([n, isAsked ? 'payment_needs_action' : 'payment_unknown']);
      deps.clock.advance(2 * MINUTE_MS);
      expect([n, (await look(deps, shopper, begun.id)).kind]).toEqual([n, 'needs_action']);
      expect([n, await sayYes(shopper)]).toEqual([n, true]);
      expect([n, (await look(deps, shopper, begun.id)).kind]).toEqual([n, 'paid']);
      expect([n, await endOf(one)]).toEqual([n, 'changed']);
    },
  );
  expect(died).toBeGreaterThan(10);
});

test.each([true, false])(
  'the server dies after any step and nobody comes back, with a yes at the bank: %s',
  async (isConfirmed) => {
    await dieEverywhere(
      deps,
      (n) => quoted(`leaves_${isConfirmed}_${n}`),
      change,
      async (one, n) => {
        const isPaid = isConfirmed && (await sayYes(one.shopper));
        await runJanitor(deps, 80 * MINUTE_MS, 10 * MINUTE_MS);
        expect([n, await endOf(one)]).toEqual([n, isPaid ? 'changed' : 'as before']);
        if (isPaid) return;
        const next = await createPlanChanger(deps).quote(one.shopper, 4);
        expect([n, await change(deps, { ...one, ...next })]).toEqual([n, 'payment_needs_action']);
      },
    );
  },
);

const HEARING: Readonly<Record<string, (dying: TestDeps, one: Change) => Promise<unknown>>> = {
  server: async (dying, { shopper }) => look(dying, shopper, (await newestCharge(shopper)).id),
  worker: (dying) => settleDueCharges(dying),
};

test.each(Object.entries(HEARING))(
  'a %s dies after any step of hearing the yes: the plan is changed once',
  async (name, hear) => {
    const died = await dieEverywhere(
      deps,
      async (n) => {
        const one = await asked(`hears_${name}_${n}`);
        await sayYes(one.shopper);
        deps.clock.advance(MINUTE_MS);
        return one;
      },
      hear,
      async (one, n) => {
        await runJanitor(deps, 3 * MINUTE_MS);
        expect([n, await endOf(one)]).toEqual([n, 'changed']);
      },
    );
    expect(died).toBeGreaterThan(2);
  },
);

test.each([true, false])(
  'the server dies after any step of giving up, with a yes that was first: %s',
  async (isConfirmed) => {
    const died = await dieEverywhere(
      deps,
      async (n) => {
        const one = await asked(`gives_up_${isConfirmed}_${n}`);
        if (isConfirmed) await sayYes(one.shopper);
        return one;
      },
      async (dying, { shopper }) =>
        look(dying, shopper, (await newestCharge(shopper)).id, 'given_up'),
      async (one, n) => {
        await runJanitor(deps, 80 * MINUTE_MS, 20 * MINUTE_MS);
        expect([n, await endOf(one)]).toEqual([n, isConfirmed ? 'changed' : 'as before']);
      },
    );
    expect(died).toBeGreaterThan(2);
  },
);

test('after all these deaths both books are equal, and nothing is open any more', async () => {
  expect(await leftAfterCrashes(deps)).toEqual([]);
});
