import type { Updateable } from 'kysely';
import type { Deps } from '../deps.ts';
import { type AuditAction, appendAudit } from '../features/audit/audit.repository.ts';
import type { RefundTable } from '../features/billing/refund.table.ts';

const SHOWN_MOST = 100;

/** A refund the gateway refused: it waits for an operator. */
export interface RejectedRefund {
  refundId: string;
  workspaceId: string;
  chargeId: string;
  /** What the gateway calls the charge. */
  gatewayChargeId: string | null;
  why: RefundTable['reason'];
  amountCents: number;
  rejectedAt: Date | null;
  /** The gateway's code. */
  rejected: string | null;
}

/** Those nobody has decided yet, oldest first, at most 100. */
export function listRejectedRefunds({
  database,
}: Pick<Deps, 'database'>): Promise<RejectedRefund[]> {
  return database.db
    .selectFrom('refund as r')
    .innerJoin('charge as c', (join) =>
      join.onRef('c.workspace_id', '=', 'r.workspace_id').onRef('c.id', '=', 'r.charge_id'),
    )
    .select([
      'r.id as refundId',
      'r.workspace_id as workspaceId',
      'r.charge_id as chargeId',
      'c.gateway_charge_id as gatewayChargeId',
      'r.reason as why',
      'r.amount_cents as amountCents',
      'r.rejected_at as rejectedAt',
      'r.rejected_reason as rejected',
    ])
    .where('r.state', '=', 'rejected')
    .orderBy('r.rejected_at')
    .limit(SHOWN_MOST)
    .execute();
}

/**
 * Owes a rejected refund again, due now. Under a new key, because the gateway repeats its refusal for the
 * old one; it is looked up first, so what has gone back meanwhile goes back no second time.
 * @returns false when there is no such rejected refund
 */
export function sendRefundAgain(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  refundId: string,
): Promise<boolean> {
  const change = (now: Date): Updateable<RefundTable> => ({
    state: 'owed',
    gateway_key: `${refundId}:refund:${deps.ids.uuid()}`,
    next_attempt_at: now,
  });
  return decide(deps, refundId, 'refund_sent_again', change);
}

/** Writes down that the money was given back by other means than this product. False as above. */
export function settleRefund(
  deps: Pick<Deps, 'clock' | 'database'>,
  refundId: string,
): Promise<boolean> {
  const change = (now: Date): Updateable<RefundTable> => ({ state: 'settled', refunded_at: now });
  return decide(deps, refundId, 'refund_settled', change);
}

async function decide(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  refundId: string,
  action: AuditAction,
  change: (now: Date) => Updateable<RefundTable>,
): Promise<boolean> {
  const now = new Date(clock.now());
  return database.transaction(async (tx) => {
    const refund = await tx
      .updateTable('refund')
      .set({ ...change(now), rejected_at: null, rejected_reason: null })
      .where('id', '=', refundId)
      .where('state', '=', 'rejected')
      .returning('workspace_id')
      .executeTakeFirst();
    if (!refund) return false;
    const entry = { workspaceId: refund.workspace_id, actor: 'operator', subject: refundId };
    await appendAudit(tx, { ...entry, action, now });
    return true;
  });
}
