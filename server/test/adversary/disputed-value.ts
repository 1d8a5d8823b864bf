import { sql } from 'kysely';
import type { Player } from './game.ts';
import { CREDIT_CENTS, likeCents } from './wealth.ts';
import type { World } from './world.ts';

/**
 * What players had of payments before their banks took them back, in cents by the number of the game: nothing
 * can bring that back. Never more than was taken.
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
  const values = new Map<Player, number>();
  for (const { player, state, gatewayChargeId, amountCents } of world.disputes) {
    const heard = byCharge.get(gatewayChargeId);
    if (state !== 'lost' || !heard) continue;
    const had =
      heard.subscriptionId === null
        ? heard.used * CREDIT_CENTS
        : planValue(world, heard.subscriptionId);
    values.set(player, (values.get(player) ?? 0) + Math.min(amountCents, had));
  }
  return values;
}

function planValue({ book }: World, subscriptionId: string): number {
  let cents = 0;
  for (const { plan, ordered, delivered } of book.values()) {
    if (plan?.subscriptionId !== subscriptionId) continue;
    cents += Math.max(ordered, delivered) * likeCents(plan);
  }
  return cents;
}
