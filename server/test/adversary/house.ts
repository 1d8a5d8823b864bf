import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import { readGatewayWhenDue } from '#server/money/disputes/read-gateway.service.ts';
import { settleEndedOrders } from '#server/money/credits/settle-orders.job.ts';
import { giveServiceCredit } from '#server/money/service-credit/service-credit.job.ts';
import { stopNow } from '#server/money/cancellation/cancellation.service.ts';
import { runSubscriptions } from '#server/money/renewals/subscriptions.job.ts';
import type { TestDeps } from '../test-deps.ts';

/**
 * The product as the games meet it, where a planted leak may put something else in its place. Everything
 * else of the product is called directly.
 */
export interface House {
  stopNow: typeof stopNow;
  settleEndedOrders: (deps: TestDeps) => Promise<void>;
  /** Hears of disputes and of refunds made at the gateway. */
  readGateway: (deps: TestDeps) => Promise<void>;
}

export const REAL_HOUSE: House = {
  stopNow,
  readGateway: readGatewayWhenDue,
  async settleEndedOrders(deps) {
    while ((await settleEndedOrders(deps)) === 'again') continue;
  },
};

/** What worker processes would have done by now. */
export async function runJobs(deps: TestDeps, house: House): Promise<void> {
  while ((await runSubscriptions(deps)) === 'again') continue;
  while ((await settleDueCharges(deps)) === 'again') continue;
  await house.readGateway(deps);
  await giveServiceCredit(deps);
  await house.settleEndedOrders(deps);
}
