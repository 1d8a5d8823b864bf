import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { approveRefundRequest } from '#server/money/refunds/refund-request.service.ts';

interface MoneyBackRequest {
  subscriptionId: string;
  workspaceId: WorkspaceId;
  amountCents: number;
  requestedAt: Date;
  /** Approved by itself then. */
  approveBy: Date;
}

/** Money-back requests nobody has approved yet, the most urgent first. */
export function listMoneyBackRequests({
  database,
}: Pick<Deps, 'database'>): Promise<MoneyBackRequest[]> {
  return database.db
    .selectFrom('refund_request')
    .select([
      'subscription_id as subscriptionId',
      'workspace_id as workspaceId',
      'amount_cents as amountCents',
      'requested_at as requestedAt',
      'approve_by as approveBy',
    ])
    .where('state', '=', 'Requested')
    .orderBy('approve_by')
    .execute();
}

/** Approves a request now instead of on its third day; false when there is none open. */
export async function approveRequest(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  subscriptionId: string,
): Promise<boolean> {
  const requests = await listMoneyBackRequests(deps);
  const request = requests.find((each) => each.subscriptionId === subscriptionId);
  if (!request) return false;
  const { workspaceId } = request;
  return approveRefundRequest(deps, { workspaceId, subscriptionId }, 'operator');
}
