import type { Updateable } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type AuditAction, appendAudit } from '#server/audit/audit.repository.ts';
import { decideRejectedRefund } from '#server/money/charges/owed-refund.repository.ts';
import { issueDocuments } from '#server/money/documents/issue-documents.service.ts';
import type { RefundTable } from '#server/kit/db/tables/refund.table.ts';

const SHOWN_LIMIT = 100;

/** A refund the gateway refused: it waits for an operator. */
interface RejectedRefund {
  refundId: string;
  workspaceId: WorkspaceId;
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
    .limit(SHOWN_LIMIT)
    .execute();
}

/** A dispute that the bank hasn't decided, or an inquiry that may become one. */
interface OpenDispute {
  /** The gateway's. */
  disputeId: string;
  gatewayChargeId: string | null;
  workspaceId: WorkspaceId;
  chargeId: string;
  state: string;
  amountCents: number;
  openedAt: Date;
}

/** Oldest first, at most 100. */
export function listOpenDisputes({ database }: Pick<Deps, 'database'>): Promise<OpenDispute[]> {
  return database.db
    .selectFrom('dispute as d')
    .innerJoin('charge as c', (join) =>
      join.onRef('c.workspace_id', '=', 'd.workspace_id').onRef('c.id', '=', 'd.charge_id'),
    )
    .select([
      'd.id as disputeId',
      'c.gateway_charge_id as gatewayChargeId',
      'd.workspace_id as workspaceId',
      'd.charge_id as chargeId',
      'd.state',
      'd.amount_cents as amountCents',
      'd.opened_at as openedAt',
    ])
    .where('d.state', 'in', ['inquiry', 'open'])
    .orderBy('d.opened_at')
    .limit(SHOWN_LIMIT)
    .execute();
}

/**
 * Owes a rejected refund again, due now. Under a new key, because the gateway repeats its refusal for the
 * old one; it is looked up first, so what has gone back meanwhile goes back no second time.
 * @returns false when there is no such rejected refund
 */
export function sendRefundAgain(deps: DecideDeps, refundId: string): Promise<boolean> {
  const change = (now: Date): Updateable<RefundTable> => ({
    state: 'owed',
    gateway_key: `${refundId}:refund:${deps.ids.uuid()}`,
    next_attempt_at: now,
  });
  return decide(deps, refundId, 'refund_sent_again', change);
}

/** Writes down that the money was given back by other means than this product. False as above. */
export function settleRefund(deps: DecideDeps, refundId: string): Promise<boolean> {
  const change = (now: Date): Updateable<RefundTable> => ({ state: 'settled', refunded_at: now });
  return decide(deps, refundId, 'refund_settled', change);
}

type DecideDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;

async function decide(
  deps: DecideDeps,
  refundId: string,
  action: AuditAction,
  change: (now: Date) => Updateable<RefundTable>,
): Promise<boolean> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const refund = await decideRejectedRefund(tx, refundId, change(now));
    if (!refund) return false;
    const entry = { workspaceId: refund.workspaceId, actor: 'operator', subject: refundId };
    await appendAudit(tx, { ...entry, action, now });
    await issueDocuments(tx, deps, refund, { reason: 'refund', now });
    return true;
  });
}
