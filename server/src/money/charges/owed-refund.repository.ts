import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { GatewayRefund } from '#server/adapters/stripe/card-gateway.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import {
  PROMISED_STATES,
  type RefundState,
  type RefundTable,
} from '#server/kit/db/tables/refund.table.ts';
import type { ChargeKey } from './charge.repository.ts';
import type { RefundKey } from './refund.repository.ts';

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
    .where('state', 'in', PROMISED_STATES)
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

/** What our books say of refunds of the gateway, by our id or by theirs. */
export async function listKnownRefunds(
  db: Db,
  refunds: readonly GatewayRefund[],
): Promise<Array<{ ours: string; theirs: string | null; state: RefundState }>> {
  const { rows } = await sql<{ ours: string; theirs: string | null; state: RefundState }>`
    select id::text as ours, gateway_refund_id as theirs, state from refund
    where id::text = any(${refunds.map(({ refundId }) => refundId ?? '')}::text[])
      or gateway_refund_id = any(${refunds.map((each) => each.gatewayRefundId)}::text[])`.execute(
    db,
  );
  return rows;
}

/** The one of a locked payment that the gateway tells of. */
export async function findBooked(
  tx: Tx,
  { workspaceId }: ChargeKey,
  { refundId, gatewayRefundId }: GatewayRefund,
): Promise<RefundKey | undefined> {
  return tx
    .selectFrom('refund')
    .select(['workspace_id as workspaceId', 'id'])
    .where('workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`(gateway_refund_id = ${gatewayRefundId}
        or gateway_refund_id is null and id::text = ${refundId ?? ''})`,
    )
    .limit(1)
    .executeTakeFirst();
}

/** What neither has gone back of a payment nor is owed. */
export async function readSpareCents(
  tx: Tx,
  { workspaceId, chargeId }: ChargeKey,
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select greatest(0, c.amount_cents - coalesce((select sum(r.amount_cents) from refund r
      where r.workspace_id = c.workspace_id and r.charge_id = c.id), 0))::int as cents
    from charge c where c.workspace_id = ${workspaceId} and c.id = ${chargeId}`.execute(tx);
  return rows[0]?.cents ?? 0;
}

/** What was given back at the gateway itself. */
export async function insertRefunded(
  tx: Tx,
  refund: Omit<Insertable<RefundTable>, 'gateway_key' | 'state' | 'next_attempt_at'>,
): Promise<void> {
  await tx
    .insertInto('refund')
    .values({
      ...refund,
      gateway_key: `${refund.id}:refund`,
      state: 'refunded',
      next_attempt_at: null,
    })
    .execute();
}

/**
 * The money came back to us: it waits for an operator.
 * @returns what it was given back for; undefined when it didn't count as given back
 */
export async function markRefundFailed(
  tx: Tx,
  { workspaceId, id }: RefundKey,
  now: Date,
): Promise<RefundTable['reason'] | undefined> {
  const failed = await tx
    .updateTable('refund')
    .set({
      state: 'rejected',
      refunded_at: null,
      rejected_at: now,
      rejected_reason: 'refund_failed',
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'refunded')
    .returning('reason')
    .executeTakeFirst();
  return failed?.reason;
}

/**
 * Writes what an operator decided about a refund that the gateway rejected.
 * @returns its charge; undefined when there is no such rejected refund
 */
export function decideRejectedRefund(
  tx: Tx,
  refundId: string,
  change: Updateable<RefundTable>,
): Promise<ChargeKey | undefined> {
  return tx
    .updateTable('refund')
    .set({ ...change, rejected_at: null, rejected_reason: null })
    .where('id', '=', refundId)
    .where('state', '=', 'rejected')
    .returning(['workspace_id as workspaceId', 'charge_id as chargeId'])
    .executeTakeFirst();
}
