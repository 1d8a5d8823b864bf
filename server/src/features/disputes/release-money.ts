import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { planRefunds } from '../billing/refund.repository.ts';
import { reviseMoneyBack } from '../subscriptions/money-back.service.ts';
import { moneyBackUntil } from '../subscriptions/subscription-clock.ts';
import type { DisputeRow, PaidCharge } from './dispute.repository.ts';

/**
 * A lost dispute was won by an appeal: what it made us owe no more is owed again.
 * @returns whether the money back of its plan has counted its credits
 */
export async function owePaymentAgain(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, chargeId, subscriptionId }: PaidCharge,
  { cut_cents: cents }: Pick<DisputeRow, 'cut_cents'>,
  now: Date,
): Promise<boolean> {
  const charge = { workspaceId, chargeId, leftCents: cents };
  await planRefunds(tx, deps, [charge], { reason: 'returned', cents, now, dueAt: now });
  if (subscriptionId === null) return false;
  return reviseMoneyBack(tx, deps, { workspaceId, subscriptionId }, now);
}

/**
 * Money back can be asked for again, as many days longer as disputes kept the workspace from it: where the
 * dispute that was just decided for the first time began within its days.
 */
export async function addDisputedDays(tx: Tx, dispute: DisputeRow): Promise<void> {
  const { workspace_id: workspaceId, heard_at: heardAt } = dispute;
  const rows = await tx
    .selectFrom('subscription')
    .select(['id', 'created_at', 'time_zone', 'disputed_days'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  for (const row of rows) {
    if (heardAt > moneyBackUntil(row)) continue;
    await sql`
      update subscription set disputed_days = (
        select coalesce(ceil(sum(extract(epoch from upper(held) - lower(held))) / 86400), 0)
        from unnest((select range_agg(tstzrange(greatest(heard_at, ${row.created_at}), released_at))
          from dispute where workspace_id = ${workspaceId}
            and released_at > greatest(heard_at, ${row.created_at}))) held)
      where workspace_id = ${workspaceId} and id = ${row.id}`.execute(tx);
  }
}
