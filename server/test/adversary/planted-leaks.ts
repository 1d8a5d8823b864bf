import { withSubscription } from '#server/money/cancellation/cancellation.service.ts';
import { lockRefundable, planRefunds } from '#server/money/charges/refund.repository.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { periodStart } from '#server/money/subscriptions/subscription-clock.ts';
import { correct } from '#server/money/credits/ledger.service.ts';
import type { TestDeps } from '../test-deps.ts';
import { type House, REAL_HOUSE } from './house.ts';

/** Pays back the time that is left of a period when a plan stops, by the millisecond. */
export const PAYS_UNUSED_TIME: House = {
  ...REAL_HOUSE,
  async stopNow(deps, name) {
    await withSubscription(deps, name, async (tx, row, now) => {
      const [fromMs, untilMs] = [periodStart(row, row.period), row.next_billing_at].map(Number);
      const leftShare = (Number(untilMs) - now.getTime()) / (Number(untilMs) - Number(fromMs));
      const cents = Math.floor(getPlan(row.package).priceCents * Math.min(1, leftShare));
      const key = { workspaceId: row.workspace_id, subscriptionId: row.id };
      const charges = await lockRefundable(tx, key);
      await planRefunds(tx, deps, charges, { reason: 'returned', cents, now, dueAt: now });
    });
    return REAL_HOUSE.stopNow(deps, name);
  },
};

/** Gives credits for what a deleted post's order couldn't deliver, one for one, and money back leaves them. */
export const PAYS_FOR_DELETED_POSTS: House = {
  ...REAL_HOUSE,
  async settleEndedOrders(deps) {
    await returnDeleted(deps);
    await REAL_HOUSE.settleEndedOrders(deps);
  },
};

async function returnDeleted(deps: TestDeps): Promise<void> {
  const orders = await deps.database.db
    .selectFrom('like_order')
    .selectAll()
    .where('kind', '=', 'automatic')
    .where('credits_settled_at', 'is', null)
    .where('finished_at', 'is not', null)
    .where('reason', 'in', ['post_deleted', 'media_gone', 'ended_early'])
    .execute();
  for (const order of orders) {
    const now = new Date(deps.clock.now());
    const credits = order.ordered - order.delivered;
    const key = { workspaceId: order.workspace_id, orderId: order.id };
    await deps.database.transaction(async (tx) => {
      if (credits > 0) {
        const gift = { workspaceId: key.workspaceId, reference: order.id, description: 'planted' };
        await correct(tx, deps, { ...gift, credits, now });
      }
      await tx
        .updateTable('like_order')
        .set({ credits_settled_at: now, credits_returned: 0 })
        .where('workspace_id', '=', key.workspaceId)
        .where('id', '=', key.orderId)
        .execute();
    });
  }
}

/** Never asks the gateway what banks have called back. */
export const HEARS_NO_DISPUTES: House = {
  ...REAL_HOUSE,
  readGateway: () => Promise.resolve(),
};

/** By the word of `npm run sim:adversary -- --planted`. */
export const PLANTED: Readonly<Record<string, House>> = {
  time: PAYS_UNUSED_TIME,
  deleted: PAYS_FOR_DELETED_POSTS,
  disputes: HEARS_NO_DISPUTES,
};
/** What a search must find of each without being told how: far more than rounding or luck. */
export const FOUND_CENTS = 1000;
