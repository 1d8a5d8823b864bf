import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { changePlan } from '#server/money/plan-changes/change-plan.service.ts';
import { quotePlan } from '#server/money/plan-changes/quote.service.ts';
import { payerOf, type Shopper, type View } from '../checkout-fixture.ts';
import { nameOf, subscriptionOf } from './subscription-fixture.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { TestDeps } from '../test-deps.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';

type Changed = Awaited<ReturnType<typeof changePlan>>;

/** Changes plans as the pages do: a quote, then an attempt with a key of its own. */
export function createPlanChanger(deps: Deps, view?: View) {
  const attempts = createAttempts(deps, paymentBeingChecked);
  const quote = (shopper: Shopper, packageNumber: number) =>
    quotePlan(deps, nameOf(shopper), packageNumber);
  const change = (
    { session }: Shopper,
    quoteId: string,
    idempotencyKey = quoteId,
  ): Promise<Changed> =>
    changePlan(deps, attempts, { ...payerOf(deps, session, view), quoteId, idempotencyKey });
  return {
    quote,
    change,
    changeTo: async (shopper: Shopper, packageNumber: number): Promise<Changed> =>
      change(shopper, (await quote(shopper, packageNumber)).quoteId),
  };
}

/** Lets time pass until the next charge is due, the jobs not running. */
export async function untilDue(deps: TestDeps, shopper: Shopper): Promise<void> {
  const { next_billing_at: dueAt } = await subscriptionOf(deps, shopper);
  deps.clock.advance(dueAt.getTime() - deps.clock.now());
}
