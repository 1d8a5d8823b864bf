import { DAY_MS } from '#shared/domain/durations.ts';
import { likeCents } from './wealth.ts';
import type { BookedOrder } from './world.ts';

type AdvanceOrder = Omit<BookedOrder, 'id' | 'player'>;

const ADVANCE_AGAIN_MS = 365 * DAY_MS;

/** Of one plan, four posts served before a payment that never came. */
interface Advance {
  atMs: number;
  cents: number;
}

/**
 * What is given of posts before payments that never came: once for a network account in 365 days.
 * @param paidUntil when each plan was paid last
 */
export function advanceCents(
  orders: readonly AdvanceOrder[],
  paidUntil: ReadonlyMap<string, number>,
): number {
  const unpaid = orders.filter(
    ({ plan, isInAdvance, orderedAtMs }) =>
      plan && isInAdvance && orderedAtMs > (paidUntil.get(plan.subscriptionId) ?? 0),
  );
  const byAccount = Map.groupBy(unpaid, ({ igId }) => igId);
  let cents = 0;
  for (const own of byAccount.values()) {
    const byPlan = Map.groupBy(own, ({ plan }) => plan?.subscriptionId);
    const advances = [...byPlan.values()].flatMap(advanceOf);
    cents += grantOnceAYear(advances.toSorted((a, b) => a.atMs - b.atMs));
  }
  return cents;
}

function advanceOf(orders: readonly AdvanceOrder[]): Advance[] {
  const [first] = orders;
  if (!first?.plan) return [];
  const { priceCents, days } = first.plan;
  const usedCents = orders.reduce(
    (total, { plan, ordered, delivered }) =>
      total + (plan ? Math.min(ordered, delivered) * likeCents(plan) : 0),
    0,
  );
  return [{ atMs: first.orderedAtMs, cents: Math.min(usedCents, priceCents / days) }];
}

function grantOnceAYear(advances: readonly Advance[]): number {
  let from = -Infinity;
  let cents = 0;
  for (const advance of advances) {
    if (advance.atMs < from) continue;
    from = advance.atMs + ADVANCE_AGAIN_MS;
    cents += advance.cents;
  }
  return cents;
}
