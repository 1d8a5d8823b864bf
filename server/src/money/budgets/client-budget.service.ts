import { clientBudgetTooLow, type Commitments } from '#shared/domain/money/budget.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { findBudget, NO_COMMITMENTS, readCommitments } from './budget.repository.ts';
import { commitmentsOf, budgetMonthOf, spanOf, subjectOf } from './budgets.service.ts';

interface ClientNow {
  workspaceId: WorkspaceId;
  clientId: string;
  now: Date;
}

/**
 * Moves accounts to a client, unless that goes beyond its budget; in a transaction that holds the workspace.
 * @throws ApiError `budget_reached`
 */
export async function moveWithinBudget(
  tx: Tx,
  { workspaceId, clientId, now }: ClientNow,
  move: () => Promise<void>,
): Promise<void> {
  const budget = await findBudget(tx, { workspaceId, accountId: null, clientId });
  if (!budget) return move();
  const month = await budgetMonthOf(tx, workspaceId, now.getTime());
  const before = await commitmentsOf(tx, subjectOf(budget), month);
  await move();
  const after = await commitmentsOf(tx, subjectOf(budget), month);
  const sums = { before, after };
  const tooLow = clientBudgetTooLow(budget.limit_cents, budget.client_name ?? '', sums);
  if (tooLow !== undefined) throw new ApiError('budget_reached', tooLow);
}

/**
 * Tells, one account after another, why it finds no room in a client's budget beside those before it; undefined: it
 * does. Those that come already are counted first. It is what is seen now: each move is checked again.
 */
export async function openRoom(
  tx: Tx,
  {
    coming,
    accountIds,
    ...client
  }: ClientNow & { coming: readonly AccountId[]; accountIds: readonly AccountId[] },
): Promise<(accountId: AccountId) => string | undefined> {
  const { workspaceId, clientId, now } = client;
  const budget = await findBudget(tx, { workspaceId, accountId: null, clientId });
  if (!budget) return () => undefined;
  const month = await budgetMonthOf(tx, workspaceId, now.getTime());
  const by = { accountIds: [...coming, ...accountIds] };
  const sums = await readCommitments(tx, workspaceId, { ...spanOf(month), by });
  const costOf = (accountId: AccountId): Commitments => sums.get(accountId) ?? NO_COMMITMENTS;
  let before = coming
    .map(costOf)
    .reduce(together, await commitmentsOf(tx, subjectOf(budget), month));
  return (accountId) => {
    const after = together(before, costOf(accountId));
    const name = budget.client_name ?? '';
    const tooLow = clientBudgetTooLow(budget.limit_cents, name, { before, after });
    if (tooLow === undefined) before = after;
    return tooLow;
  };
}

const together = (a: Commitments, b: Commitments): Commitments => ({
  spentCents: a.spentCents + b.spentCents,
  dueCents: a.dueCents + b.dueCents,
  monthlyCents: a.monthlyCents + b.monthlyCents,
});
