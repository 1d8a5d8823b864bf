import { budgetRefusal, type Commitments } from '#shared/domain/money/budget.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import {
  type Budget,
  listBudgetsOfAny,
  NO_COMMITMENTS,
  readCommitments,
} from './budget.repository.ts';
import { budgetMonthOf, spanOf, subjectOf } from './budgets.service.ts';

/** A first month that is to be bought, of an account and its client. */
interface PlannedPurchase {
  accountId: AccountId;
  clientId: string | null;
  amountCents: number;
}

/**
 * Tells, one purchase after another, which budget has no room for it beside those before it; undefined: all have. Those
 * that come already are counted first. It is what is seen now: each purchase is checked again.
 */
export async function openBudgets(
  tx: Tx,
  page: {
    workspaceId: WorkspaceId;
    coming: readonly PlannedPurchase[];
    accounts: ReadonlyArray<Pick<PlannedPurchase, 'accountId' | 'clientId'>>;
    now: Date;
  },
): Promise<(purchase: PlannedPurchase) => string | undefined> {
  const { workspaceId, coming, accounts, now } = page;
  const ids = [...coming, ...accounts].flatMap((each) => [each.accountId, each.clientId ?? []]);
  const budgets = await listBudgetsOfAny(tx, workspaceId, ids.flat());
  if (budgets.length === 0) return () => undefined;
  const month = await budgetMonthOf(tx, workspaceId, now.getTime());
  const sums = await readSums(tx, workspaceId, budgets, spanOf(month));
  const of = ({ accountId, clientId }: PlannedPurchase): Budget[] =>
    budgets.filter(
      (row) =>
        (row.account_id ?? accountId) === accountId && (row.client_id ?? clientId) === clientId,
    );
  const add = (purchase: PlannedPurchase): void => {
    for (const { id } of of(purchase)) sums.set(id, beside(sums.get(id), purchase.amountCents));
  };
  coming.forEach(add);
  return (purchase) => {
    const { amountCents } = purchase;
    const added = { amountCents, addedDueCents: 0, addedMonthlyCents: amountCents };
    for (const row of of(purchase)) {
      const before = sums.get(row.id) ?? NO_COMMITMENTS;
      const question = { ...before, ...added, ...subjectOf(row), limitCents: row.limit_cents };
      const refusal = budgetRefusal(question, month);
      if (refusal !== undefined) return refusal;
    }
    add(purchase);
    return undefined;
  };
}

const beside = (
  { spentCents, dueCents, monthlyCents }: Commitments = NO_COMMITMENTS,
  amountCents: number,
): Commitments => ({
  spentCents: spentCents + amountCents,
  dueCents,
  monthlyCents: monthlyCents + amountCents,
});

/** What each budget has to bear already, by its id. */
async function readSums(
  tx: Tx,
  workspaceId: WorkspaceId,
  budgets: readonly Budget[],
  span: { from: Date; until: Date },
): Promise<Map<string, Commitments>> {
  const accountIds = budgets.flatMap(({ account_id: id }) => id ?? []);
  const clientIds = budgets.flatMap(({ client_id: id }) => id ?? []);
  const all = await readCommitments(tx, workspaceId, span);
  const byAccount = await readCommitments(tx, workspaceId, { ...span, by: { accountIds } });
  const byClient = await readCommitments(tx, workspaceId, { ...span, by: { clientIds } });
  return new Map(
    budgets.map(({ id, account_id: accountId, client_id: clientId }) => {
      const isAll = accountId === null && clientId === null;
      const sum = isAll ? all.get(null) : (byAccount.get(accountId) ?? byClient.get(clientId));
      return [id, sum ?? NO_COMMITMENTS];
    }),
  );
}
