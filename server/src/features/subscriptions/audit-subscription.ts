import type { Tx } from '../../db/database.ts';
import { type AuditAction, appendAudit } from '../audit/audit.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';

/** Writes down what was done to a subscription; without an `actor` the product did it by itself. */
export function auditSubscription(
  tx: Tx,
  row: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
  { action, actor = 'system', now }: { action: AuditAction; actor?: string | undefined; now: Date },
): Promise<void> {
  return appendAudit(tx, { workspaceId: row.workspace_id, actor, action, subject: row.id, now });
}
