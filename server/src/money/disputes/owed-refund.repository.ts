import { type Selectable, sql } from 'kysely';
import type { Tx } from '#server/kit/db/database.ts';
import type { ChargeKey, PaidCharge } from '../charges/charge.repository.ts';
import type { RefundTable } from '#server/kit/db/tables/refund.table.ts';

export type OwedRefund = Selectable<RefundTable>;

/** What still has to go back of a locked payment, held: what the gateway refused first, what was sent last. */
export function lockOwedRefunds(
  tx: Tx,
  { workspaceId, chargeId }: ChargeKey,
): Promise<OwedRefund[]> {
  return tx
    .selectFrom('refund')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('charge_id', '=', chargeId)
    .where('state', 'in', ['owed', 'rejected'])
    .orderBy('state', 'desc')
    .orderBy(sql`sent_at is not null`)
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Takes cents off a locked refund that is owed. What is left has a new key, because the gateway remembers
 * the old one with another amount; whoever is about to send it is overtaken.
 */
export async function lowerRefund(
  tx: Tx,
  refund: OwedRefund,
  { cents, key }: { cents: number; key: string },
): Promise<void> {
  const { workspace_id: workspaceId, id, amount_cents: amountCents } = refund;
  if (cents >= amountCents) {
    await tx
      .deleteFrom('refund')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    return;
  }
  await tx
    .updateTable('refund')
    .set((eb) => ({
      amount_cents: eb('amount_cents', '-', cents),
      gateway_key: `${id}:refund:${key}`,
      fence: eb('fence', '+', 1),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/**
 * The bank has taken money of a locked payment: what can't go back a second time is owed no more.
 * @returns how many cents of that were no money back
 */
export async function cutOwedRefunds(tx: Tx, payment: PaidCharge): Promise<number> {
  const { workspaceId, chargeId, subscriptionId } = payment;
  const owed = await lockOwedRefunds(tx, payment);
  const owedCents = owed.reduce((sum, refund) => sum + refund.amount_cents, 0);
  const { rows } = await sql<{ cents: number }>`
    select (c.amount_cents
      - coalesce((select sum(r.amount_cents) from refund r where r.workspace_id = c.workspace_id
          and r.charge_id = c.id and r.state in ('refunded', 'settled')), 0)
      - coalesce((select sum(d.amount_cents) from dispute d where d.workspace_id = c.workspace_id
          and d.charge_id = c.id and d.state = 'lost'), 0))::int as cents
    from charge c where c.workspace_id = ${workspaceId} and c.id = ${chargeId}`.execute(tx);
  let tooMuch = owedCents - Math.max(0, rows[0]?.cents ?? 0);
  let ofMoneyBack = 0;
  let ofOthers = 0;
  for (const refund of owed) {
    const cents = Math.min(tooMuch, refund.amount_cents);
    if (cents <= 0) break;
    tooMuch -= cents;
    if (refund.reason === 'money_back') ofMoneyBack += cents;
    else ofOthers += cents;
    await lowerRefund(tx, refund, { cents, key: `cut:${refund.amount_cents - cents}` });
  }
  if (ofMoneyBack === 0 || subscriptionId === null) return ofOthers;
  await tx
    .updateTable('refund_request')
    .set((eb) => ({
      amount_cents: eb('amount_cents', '-', ofMoneyBack),
      most_cents: eb('most_cents', '-', ofMoneyBack),
      charged_cents: eb('charged_cents', '-', ofMoneyBack),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .execute();
  return ofOthers;
}
