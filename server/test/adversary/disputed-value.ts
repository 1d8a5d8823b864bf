import { sql } from 'kysely';
import type { Player } from './game.ts';
import { CREDIT_CENTS, likeCents } from './wealth.ts';
import type { World } from './world.ts';

/** A payment that its bank took back for good, and what the product knows of it. */
export interface LostPayment {
  amountCents: number;
  /** null: it was for a pack. */
  subscriptionId: string | null;
  /** Of a pack: credits that were used before they could be taken. */
  usedCredits: number;
}

/**
 * What players had of payments before their banks took them back, in cents by the player: nothing can bring
 * that back.
 */
export async function listDisputedValue(world: World): Promise<Map<Player, number>> {
  const { rows } = await sql<{ charge: string; subscriptionId: string | null; used: number }>`
    select c.gateway_charge_id as charge, i.subscription_id as "subscriptionId",
      (coalesce((i.checkout ->> 'credits')::int, 0) - d.taken_credits)::int as used
    from dispute d
    join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where d.state = 'lost'`.execute(world.deps.database.db);
  const byCharge = new Map(rows.map((row) => [row.charge, row]));
  const lost = new Map<Player, LostPayment[]>();
  for (const { player, state, gatewayChargeId, amountCents } of world.disputes) {
    const heard = byCharge.get(gatewayChargeId);
    if (state !== 'lost' || !heard) continue;
    const { subscriptionId, used: usedCredits } = heard;
    const payment = { amountCents, subscriptionId, usedCredits };
    lost.set(player, [...(lost.get(player) ?? []), payment]);
  }
  const credits = await listChargedCredits(world);
  const valueOf = (id: string): number => planValue(world, id) + (credits.get(id) ?? 0);
  const granted = [...lost].map(
    ([player, payments]) => [player, hadBefore(payments, valueOf)] as const,
  );
  return new Map(granted);
}

/** A plan's likes are had once, however many of its payments were taken back; never more than was taken. */
export function hadBefore(
  payments: readonly LostPayment[],
  valueOfPlan: (subscriptionId: string) => number,
): number {
  let cents = 0;
  const byPlan = Map.groupBy(payments, ({ subscriptionId }) => subscriptionId);
  for (const [subscriptionId, own] of byPlan) {
    if (subscriptionId === null) {
      cents += own.reduce((total, { usedCredits }) => total + usedCredits * CREDIT_CENTS, 0);
      continue;
    }
    const takenCents = own.reduce((total, { amountCents }) => total + amountCents, 0);
    cents += Math.min(takenCents, valueOfPlan(subscriptionId));
  }
  return cents;
}

/** Cents that money back has kept for credits that were used, by the plan: a bank may take them as well. */
async function listChargedCredits({ deps }: World): Promise<Map<string, number>> {
  const { rows } = await sql<{ subscriptionId: string; used: number }>`
    select subscription_id as "subscriptionId",
      order_credits + bonus_credits - taken_credits as used
    from refund_request`.execute(deps.database.db);
  return new Map(rows.map(({ subscriptionId, used }) => [subscriptionId, used * CREDIT_CENTS]));
}

function planValue({ book }: World, subscriptionId: string): number {
  let cents = 0;
  for (const { plan, ordered, delivered } of book.values()) {
    if (plan?.subscriptionId !== subscriptionId) continue;
    cents += Math.max(ordered, delivered) * likeCents(plan);
  }
  return cents;
}
