import type { Budget as BudgetView, Budgets } from '#shared/contract/budget.ts';
import {
  BUDGET_PARTS,
  type BudgetMonth,
  budgetMonth,
  budgetRefusal,
  budgetTooLow,
  type Commitments,
  partSpent,
} from '#shared/domain/budget.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { BudgetNoticeTable } from '#server/kit/db/tables/budget.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { asLead } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { getAccountByUsername } from '#server/network/accounts/account.repository.ts';
import {
  type Budget,
  findBudgetZone,
  insertNotice,
  listAccountBudgets,
  listBudgetsOf,
  NO_COMMITMENTS,
  putBudget,
  readCommitments,
} from './budget.repository.ts';

/*
 * Budgets (docs/decisions/0042), off until an owner sets one.
 *
 *   none ──an owner sets it──> within ──80 % spent──> told ──100 % spent──> told, each once a month
 *     ^───────────── an owner takes it back, whenever they like ─────────────┘
 *
 * Invariants: whatever is bought is checked in the transaction that writes its charge and holds the workspace, so
 * two purchases that fit alone and not together never both pass. A budget can't be set below what plans cost that
 * go on, and none may be bought or resumed beyond it: renewals always fit, and none is ever stopped.
 */

type BudgetDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** The workspace's budget, whether there is one or not, and those of accounts; or one account's. */
export async function findBudgets(
  { clock, database: { db } }: BudgetDeps,
  workspaceId: WorkspaceId,
  igUsername?: string,
): Promise<Budgets> {
  const month = await monthOf(db, workspaceId, clock.now());
  const budgets =
    igUsername === undefined
      ? [
          ...(await viewWorkspace(db, workspaceId, month)),
          ...(await viewAccounts(db, workspaceId, month)),
        ]
      : [await viewAccount(db, workspaceId, month, igUsername)];
  return {
    from: new Date(month.fromMs).toISOString(),
    until: new Date(month.untilMs).toISOString(),
    timeZone: month.timeZone,
    budgets,
  };
}

async function monthOf(db: Db, workspaceId: WorkspaceId, nowMs: number): Promise<BudgetMonth> {
  return budgetMonth(nowMs, await findBudgetZone(db, workspaceId));
}

const spanOf = ({ fromMs, untilMs }: BudgetMonth): { from: Date; until: Date } => ({
  from: new Date(fromMs),
  until: new Date(untilMs),
});

async function viewWorkspace(
  db: Db,
  workspaceId: WorkspaceId,
  month: BudgetMonth,
): Promise<BudgetView[]> {
  const [budget] = await listBudgetsOf(db, workspaceId, null);
  const sums = await commitmentsOf(db, { workspaceId, accountId: null }, month);
  return [viewOf(null, budget?.limit_cents ?? null, sums)];
}

async function viewAccounts(
  db: Db,
  workspaceId: WorkspaceId,
  month: BudgetMonth,
): Promise<BudgetView[]> {
  const budgets = await listAccountBudgets(db, workspaceId);
  const accountIds = budgets.flatMap(({ account_id: id }) => id ?? []);
  const sums = await readCommitments(db, workspaceId, { ...spanOf(month), accountIds });
  return budgets.map(({ id, ig_username: name, limit_cents: limit }) =>
    viewOf(name, limit, sums.get(id) ?? NO_COMMITMENTS),
  );
}

async function viewAccount(
  db: Db,
  workspaceId: WorkspaceId,
  month: BudgetMonth,
  igUsername: string,
): Promise<BudgetView> {
  const { id: accountId } = await getAccountByUsername(db, workspaceId, igUsername);
  const budgets = await listBudgetsOf(db, workspaceId, accountId);
  const own = budgets.find(({ account_id: id }) => id === accountId);
  const sums = await commitmentsOf(db, { workspaceId, accountId }, month);
  return viewOf(igUsername, own?.limit_cents ?? null, sums);
}

function viewOf(
  igUsername: string | null,
  limitCents: number | null,
  { spentCents, dueCents, monthlyCents }: Commitments,
): BudgetView {
  return {
    igUsername,
    limit: limitCents === null ? null : dollarsFromCents(limitCents),
    spent: dollarsFromCents(spentCents),
    due: dollarsFromCents(dueCents),
    monthly: dollarsFromCents(monthlyCents),
  };
}

interface BudgetKey {
  workspaceId: WorkspaceId;
  /** Null: the whole workspace. */
  accountId: AccountId | null;
}

async function commitmentsOf(
  db: Db,
  { workspaceId, accountId }: BudgetKey,
  month: BudgetMonth,
): Promise<Commitments> {
  const of = accountId === null ? {} : { accountIds: [accountId] };
  const sums = await readCommitments(db, workspaceId, { ...spanOf(month), ...of });
  return sums.get(accountId) ?? NO_COMMITMENTS;
}

/**
 * Sets the budget of the workspace, or of one account, or takes it back.
 * @throws ApiError `not_allowed`, `not_found`, `budget_reached`: plans cost more
 */
export async function saveBudget(
  deps: BudgetDeps,
  session: Session,
  { igUsername, limit }: { igUsername?: string | undefined; limit: number | null },
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    const account =
      igUsername === undefined ? null : await getAccountByUsername(tx, workspaceId, igUsername);
    const key = { workspaceId, accountId: account?.id ?? null };
    const limitCents = limit === null ? null : limit * 100;
    const month = await monthOf(tx, workspaceId, now.getTime());
    const sums = await commitmentsOf(tx, key, month);
    if (limitCents !== null) {
      const tooLow = budgetTooLow(limitCents, igUsername ?? null, sums);
      if (tooLow !== undefined) throw new ApiError('budget_reached', tooLow);
    }
    await putBudget(tx, key, { limitCents, now });
    // Whoever set it knows; the others are told by an alert.
    if (limitCents !== null && partSpent(limitCents, sums.spentCents) === 100) {
      const id = key.accountId ?? workspaceId;
      const budget = { workspace_id: workspaceId, id, limit_cents: limitCents };
      await insertNotice(tx, noticeOf(budget, { percent: 100, month, now }));
    }
    const subject = key.accountId ?? workspaceId;
    await appendAudit(tx, { workspaceId, actor, action: 'budget_changed', subject, now });
  });
}

/** What is bought, or goes on again, and for which account; null: credits, which are the workspace's. */
interface Spending extends BudgetKey {
  amountCents: number;
  /** What plans cost more from now on. */
  addedMonthlyCents: number;
  /** When that is charged for the first time; null: with this purchase, or nothing is added. */
  addedFrom: Date | null;
  /** A plan comes from another account: the workspace's budget has it already. */
  isMoved?: boolean;
  now: Date;
}

/**
 * Refuses what would go beyond a budget, in the transaction that has written it and holds the workspace.
 * @throws ApiError `budget_reached`
 */
export async function checkBudgets(tx: Tx, spending: Spending): Promise<void> {
  const { workspaceId, accountId, amountCents, addedMonthlyCents, addedFrom, now } = spending;
  const all = await listBudgetsOf(tx, workspaceId, accountId);
  const budgets = spending.isMoved ? all.filter(({ account_id: id }) => id !== null) : all;
  if (budgets.length === 0) return;
  const month = await monthOf(tx, workspaceId, now.getTime());
  // What is past due stays what it was.
  const isDue = addedFrom !== null && addedFrom > now && addedFrom.getTime() < month.untilMs;
  const addedDueCents = isDue ? addedMonthlyCents : 0;
  for (const { account_id: id, ig_username: igUsername, limit_cents: limitCents } of budgets) {
    const sums = await commitmentsOf(tx, { workspaceId, accountId: id }, month);
    const before = {
      spentCents: sums.spentCents - amountCents,
      dueCents: sums.dueCents - addedDueCents,
      monthlyCents: sums.monthlyCents - addedMonthlyCents,
    };
    const added = { amountCents, addedDueCents, addedMonthlyCents };
    const refusal = budgetRefusal({ ...before, ...added, limitCents, igUsername }, month);
    if (refusal !== undefined) throw new ApiError('budget_reached', refusal);
  }
}

/** Owes the owner a mail when a payment brings a budget to 80 or 100 percent, each once a month. */
export async function tellBudgets(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  { workspaceId, accountId, now }: BudgetKey & { now: Date },
): Promise<void> {
  const budgets = await listBudgetsOf(tx, workspaceId, accountId);
  if (budgets.length === 0) return;
  const month = await monthOf(tx, workspaceId, now.getTime());
  for (const budget of budgets) {
    const { spentCents } = await commitmentsOf(
      tx,
      { workspaceId, accountId: budget.account_id },
      month,
    );
    if (await isNews(tx, budget, { spentCents, month, now })) {
      const payload = {
        kind: 'budget_spent',
        igUsername: budget.ig_username,
        limitCents: budget.limit_cents,
        spentCents,
        until: new Date(month.untilMs).toISOString(),
        timeZone: month.timeZone,
      } as const;
      await insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
    }
  }
}

/** Whether a part of the budget is spent of which nobody was told this month; they are now. */
async function isNews(
  tx: Tx,
  budget: Budget,
  { spentCents, month, now }: { spentCents: number; month: BudgetMonth; now: Date },
): Promise<boolean> {
  const spent = partSpent(budget.limit_cents, spentCents);
  if (spent === undefined) return false;
  let isNew = false;
  for (const percent of BUDGET_PARTS.filter((part) => part <= spent)) {
    isNew = (await insertNotice(tx, noticeOf(budget, { percent, month, now }))) || isNew;
  }
  return isNew;
}

function noticeOf(
  { workspace_id, id, limit_cents }: Pick<Budget, 'workspace_id' | 'id' | 'limit_cents'>,
  { percent, month, now }: { percent: 80 | 100; month: BudgetMonth; now: Date },
): BudgetNoticeTable {
  const name = new Date(month.fromMs + DAY_MS).toISOString().slice(0, 7);
  const until = new Date(month.untilMs);
  const first = `${name}-01`;
  return { workspace_id, budget_id: id, month: first, percent, at: now, limit_cents, until };
}

/** So far into a month it is the same one in every zone. */
const DAY_MS = 86_400_000;
