import { createSubmits } from '#server/http/submit.service.ts';
import { changePlan } from '#server/features/subscriptions/change-plan.service.ts';
import { quotePlan } from '#server/features/subscriptions/quote.service.ts';
import type { Shopper } from './checkout-fixture.ts';
import { nameOf, subscriptionOf } from './subscription-fixture.ts';
import type { TestDeps } from './test-deps.ts';

type Changed = Awaited<ReturnType<typeof changePlan>>;

/** Changes plans as the pages do: a quote, then a submit with a key of its own. */
export function createPlanChanger(deps: TestDeps) {
  const submits = createSubmits(deps);
  const quote = (shopper: Shopper, packageNumber: number) =>
    quotePlan(deps, nameOf(shopper), packageNumber);
  const change = (
    { session }: Shopper,
    quoteId: string,
    idempotencyKey = quoteId,
  ): Promise<Changed> =>
    changePlan(deps, submits, { session, quoteId, idempotencyKey, address: session.workspaceId });
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
