import type { MoneyBack } from '#shared/contract/subscription.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import type { Deps } from '../../deps.ts';
import { listMoneyBacks } from './money-back.repository.ts';

/** The requests for money back of a workspace as its customer sees them, newest first. */
export async function viewMoneyBacks(
  deps: Pick<Deps, 'database'>,
  workspaceId: string,
): Promise<MoneyBack[]> {
  const rows = await listMoneyBacks(deps.database.db, workspaceId);
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
