import { sql } from 'kysely';
import type { Tx } from '#server/kit/db/database.ts';
import type { PaidCharge } from '../charges/charge.repository.ts';
import { lockOwedRefunds, lowerRefund } from '../charges/owed-refund.repository.ts';
import { goneOfCharge } from '../charges/refund.repository.ts';

/**
 * The bank has taken money of a locked payment: what can't go back a second time is owed no more.
 * @returns how many cents of that were no money back
 */
export async function cutOwedRefunds(tx: Tx, payment: PaidCharge): Promise<number> {
  const { workspaceId, chargeId, subscriptionId } = payment;
  const owed = await lockOwedRefunds(tx, payment);
  const owedCents = owed.reduce((sum, refund) => sum + refund.amount_cents, 0);
  const { rows } = await sql<{ cents: number }>`
    select (c.amount_cents - ${goneOfCharge})::int as cents
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
