import { sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { RefundTable } from './refund.table.ts';

/** What is left of a charge `c`: less what goes back, or is disputed and not won. */
export const keptOfCharge = sql`(c.amount_cents
  - coalesce((select sum(r.amount_cents) from refund r
      where r.workspace_id = c.workspace_id and r.charge_id = c.id), 0)
  - coalesce((select sum(d.amount_cents) from dispute d where d.workspace_id = c.workspace_id
      and d.charge_id = c.id and d.state in ('open', 'lost')), 0))`;

/** A charge of a plan with what has not gone back of it. */
export interface Refundable {
  workspaceId: string;
  chargeId: string;
  leftCents: number;
}

/**
 * Successful charges of a subscription with something that can go back, newest first, held until the end of the transaction:
 * meanwhile neither a bank nor the gateway's desk is heard of.
 */
export async function lockRefundable(
  tx: Tx,
  of: { workspaceId: string; subscriptionId: string },
): Promise<Refundable[]> {
  await sql`select c.id from charge c
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where c.workspace_id = ${of.workspaceId} and i.subscription_id = ${of.subscriptionId}
    order by c.id for no key update of c`.execute(tx);
  // A statement of its own: behind the lock it sees what was booked meanwhile.
  const { rows } = await sql<Refundable>`
    select c.workspace_id as "workspaceId", c.id as "chargeId", kept.cents::int as "leftCents"
    from charge c
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    cross join lateral (select ${keptOfCharge} as cents) kept
    where c.workspace_id = ${of.workspaceId} and c.state = 'succeeded'
      and i.subscription_id = ${of.subscriptionId} and kept.cents > 0
    order by c.settled_at desc, c.id desc
  `.execute(tx);
  return rows;
}

/** Writes refunds of `cents` in all, from the newest charge back. */
export async function planRefunds(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  charges: readonly Refundable[],
  refund: { reason: RefundTable['reason']; cents: number; now: Date; dueAt: Date },
): Promise<Array<{ id: string; amountCents: number }>> {
  const planned: Array<{ id: string; amountCents: number }> = [];
  let restCents = refund.cents;
  for (const { workspaceId, chargeId, leftCents } of charges) {
    const amountCents = Math.min(leftCents, restCents);
    if (amountCents <= 0) break;
    restCents -= amountCents;
    const id = ids.uuid();
    await tx
      .insertInto('refund')
      .values({
        workspace_id: workspaceId,
        id,
        charge_id: chargeId,
        reason: refund.reason,
        gateway_key: `${id}:refund`,
        amount_cents: amountCents,
        created_at: refund.now,
        next_attempt_at: refund.dueAt,
      })
      .execute();
    planned.push({ id, amountCents });
  }
  return planned;
}

export interface RefundKey {
  workspaceId: string;
  id: string;
}

/** A refund that this worker is to bring to the gateway. */
export interface DueRefund extends RefundKey {
  chargeId: string;
  reason: RefundTable['reason'];
  gatewayKey: string;
  gatewayChargeId: string;
  amountCents: number;
  /** When the gateway was first asked; null: never. */
  sentAt: Date | null;
  fence: number;
}

/** Those that may be sent: while a payment is disputed no money goes back to its workspace. */
export async function claimDueRefunds(
  db: Db,
  claim: { now: Date; leaseUntil: Date; most: number },
): Promise<DueRefund[]> {
  const { rows } = await sql<DueRefund>`
    with due as (
      select workspace_id, id from refund where next_attempt_at <= ${claim.now}
        and not exists (select from dispute d
          where d.workspace_id = refund.workspace_id and d.state = 'open')
      order by next_attempt_at limit ${claim.most} for update skip locked
    )
    update refund r set fence = r.fence + 1, next_attempt_at = ${claim.leaseUntil}
    from due, charge c
    where r.workspace_id = due.workspace_id and r.id = due.id
      and c.workspace_id = r.workspace_id and c.id = r.charge_id
    returning r.workspace_id as "workspaceId", r.id, r.charge_id as "chargeId", r.reason,
      r.gateway_key as "gatewayKey", c.gateway_charge_id as "gatewayChargeId",
      r.amount_cents as "amountCents", r.sent_at as "sentAt", r.fence
  `.execute(db);
  return rows;
}

/**
 * Writes what became of a claimed refund while it is still owed.
 * @returns false when somebody else has had it since
 */
export async function changeClaimedRefund(
  db: Db,
  { workspaceId, id, fence }: Pick<DueRefund, 'workspaceId' | 'id' | 'fence'>,
  change: Updateable<RefundTable>,
): Promise<boolean> {
  const row = await db
    .updateTable('refund')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'owed')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Not fenced: money that has gone back is a fact, whoever brings the news.
 * @returns false when it was written down before
 */
export async function markRefunded(
  tx: Tx,
  { workspaceId, id }: RefundKey,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('refund')
    .set({
      state: 'refunded',
      refunded_at: now,
      next_attempt_at: null,
      rejected_at: null,
      rejected_reason: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', ['owed', 'rejected'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
