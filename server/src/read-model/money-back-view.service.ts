import type { MoneyBack } from '#shared/contract/returned-money.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { listRefundRequests } from '#server/money/refunds/refund-request.repository.ts';

/** The requests for money back of a workspace as its customer sees them, newest first. */
export async function viewRefundRequests(
  deps: Pick<Deps, 'database'>,
  workspaceId: WorkspaceId,
): Promise<MoneyBack[]> {
  const rows = await listRefundRequests(deps.database.db, workspaceId);
  return rows.map((row) => ({
    id: row.subscription_id,
    igUsername: row.ig_username,
    state: row.state,
    amount: dollarsFromCents(row.amount_cents),
    most: dollarsFromCents(row.most_cents),
    charged: dollarsFromCents(row.charged_cents),
    hasFreeLikes: row.has_free_likes,
    paidLikes: row.paid_likes,
    likesCost: dollarsFromCents(row.likes_cents),
    takenCredits: row.taken_credits,
    usedCredits: row.order_credits + row.bonus_credits - row.taken_credits,
    creditsCost: dollarsFromCents(row.credits_cents),
    requestedAt: row.requested_at.toISOString(),
    approvedBy: (row.approved_at ?? row.approve_by).toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
  }));
}
