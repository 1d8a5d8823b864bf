import type { CreditsTransaction } from '#shared/contract/people/user.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { WalletChange } from '#shared/sync/entities.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { listReachedBudgets } from '#server/money/budgets/budget.repository.ts';
import { findCard, viewCard } from '#server/money/cards/card.repository.ts';
import {
  type CreditsTransactionRow,
  listCreditsTransactions,
} from '#server/money/charges/payment.repository.ts';
import { type CreditStatus, readCreditStatus } from '#server/money/credits/ledger.repository.ts';
import type { MoneyBack } from '#shared/contract/money/returned-money.ts';
import { listRefundRequests } from '#server/money/refunds/refund-request.repository.ts';
import { usedCreditsOf } from '#server/money/refunds/refund-request.service.ts';

type WalletDeps = Pick<Deps, 'database'>;

/** What a workspace can spend and pays with, and whether its credits count as paid for. */
export async function readWallet(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<WalletChange & Pick<CreditStatus, 'hasPaid'>> {
  const [{ balance, lockedBonus, hasPaid }, card] = await Promise.all([
    readCreditStatus(db, workspaceId),
    findCard(db, workspaceId),
  ]);
  return { credits: balance, lockedBonus, hasPaid, billingInfo: card ? viewCard(card) : null };
}

/** A payment as customers see it (S§3). */
function viewTransaction(row: CreditsTransactionRow): CreditsTransaction {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    ...(row.ig_username === null ? {} : { igUsername: row.ig_username }),
    description: row.description,
    price: dollarsFromCents(row.amount_cents),
    billingInfoId: viewCard(row),
  };
}

/** The payments of a workspace, newest first. */
export async function findTransactions(
  { database }: WalletDeps,
  workspaceId: WorkspaceId,
): Promise<CreditsTransaction[]> {
  const rows = await listCreditsTransactions(database.db, workspaceId);
  return rows.map(viewTransaction);
}

/** A workspace has one wallet, under its own id. */
export async function projectWallet(
  { database }: WalletDeps,
  { workspaceId }: { workspaceId: WorkspaceId },
): Promise<Array<[id: string, row: WalletChange]>> {
  const { hasPaid: _seenAsLocked, ...wallet } = await readWallet(database.db, workspaceId);
  const reached = await listReachedBudgets(database.db, workspaceId);
  const reachedBudgets = reached.map(({ limitCents, reachedAt, until, ...of }) => ({
    ...of,
    limit: dollarsFromCents(limitCents),
    reachedAt: reachedAt.toISOString(),
    until: until.toISOString(),
  }));
  return [[workspaceId, { ...wallet, reachedBudgets }]];
}

export async function projectTransactions(
  { database }: WalletDeps,
  { workspaceId }: { workspaceId: WorkspaceId },
  ids: readonly string[],
): Promise<Array<[id: string, row: CreditsTransaction]>> {
  const rows = await listCreditsTransactions(database.db, workspaceId, ids);
  return rows.map((row) => [row.id, viewTransaction(row)]);
}

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
    usedCredits: usedCreditsOf(row),
    creditsCost: dollarsFromCents(row.credits_cents),
    requestedAt: row.requested_at.toISOString(),
    approvedBy: (row.approved_at ?? row.approve_by).toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
  }));
}
