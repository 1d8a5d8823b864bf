import { sql, type Updateable } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import { REVERSING_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { PROMISED_STATES, type RefundTable } from '#server/kit/db/tables/refund.table.ts';

/** What is left of a charge `c`: less what goes back, or is disputed and not won. */
export const keptOfCharge = sql`(c.amount_cents
  - coalesce((select sum(r.amount_cents) from refund r
      where r.workspace_id = c.workspace_id and r.charge_id = c.id), 0)
  - coalesce((select sum(d.amount_cents) from dispute d where d.workspace_id = c.workspace_id
      and d.charge_id = c.id and d.state in (${sql.join(REVERSING_STATES)})), 0))`;

/** What of a charge `c` has gone back for certain, by us, the gateway's dashboard or the bank. */
export const goneOfCharge = sql`(
  coalesce((select sum(r.amount_cents) from refund r where r.workspace_id = c.workspace_id
      and r.charge_id = c.id and r.state in ('refunded', 'settled')), 0)
  + coalesce((select sum(d.amount_cents) from dispute d where d.workspace_id = c.workspace_id
      and d.charge_id = c.id and d.state = 'lost'), 0))`;

/** A charge of a plan with what has not gone back of it. */
interface Refundable {
  workspaceId: WorkspaceId;
  chargeId: string;
  leftCents: number;
}

/**
 * Successful charges of a subscription with something that can go back, newest first, held until the end of the transaction:
 * meanwhile neither a bank nor the gateway's dashboard is heard of.
 */
export async function lockRefundable(
  tx: Tx,
  of: { workspaceId: WorkspaceId; subscriptionId: string },
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
  workspaceId: WorkspaceId;
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
export function claimDueRefunds(db: Db, lease: Lease): Promise<DueRefund[]> {
  const isDisputed = sql`exists (select from dispute d
    where d.workspace_id = t.workspace_id and d.state = 'open')`;
  return claimDue(
    db,
    {
      ...lease,
      table: 'refund',
      due: 'next_attempt_at',
      where: sql`not ${isDisputed}`,
      set: RAISE_FENCE,
    },
    sql<DueRefund>`t.workspace_id as "workspaceId", t.id, t.charge_id as "chargeId", t.reason,
      t.gateway_key as "gatewayKey", t.amount_cents as "amountCents", t.sent_at as "sentAt", t.fence,
      (select c.gateway_charge_id from charge c
        where c.workspace_id = t.workspace_id and c.id = t.charge_id) as "gatewayChargeId"`,
  );
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
    .where('state', 'in', PROMISED_STATES)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
