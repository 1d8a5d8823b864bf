import type { Budget as BudgetView, Budgets } from '#shared/contract/money/budget.ts';
import type { BudgetOf } from '#shared/domain/money/budget-of.ts';
import {
  BUDGET_PARTS,
  budgetMonth,
  type BudgetMonth,
  budgetRefusal,
  budgetTooLow,
  type Commitments,
  partSpent,
} from '#shared/domain/money/budget.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { asLead } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { getAccountByUsername } from '#server/network/accounts/account.repository.ts';
import { getClient } from '#server/network/clients/clients.service.ts';
import {
  type Budget,
  type BudgetKey,
  findBudget,
  findBudgetZone,
  insertNotice,
  listAccountBudgets,
  listBudgetsOf,
  listClientBudgets,
  NO_COMMITMENTS,
  noticeOf,
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
 * go on, none may be bought or resumed beyond it, and no account becomes a client's beyond it: renewals always fit,
 * and none is ever stopped.
 */

type BudgetDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** Names one account or one client; neither: the workspace. */
interface BudgetName {
  igUsername?: string | undefined;
  clientId?: string | undefined;
}

/** The workspace's budget, whether there is one or not, and those of clients and accounts; or the one that is named. */
export async function findBudgets(
  { clock, database: { db } }: BudgetDeps,
  workspaceId: WorkspaceId,
  name: BudgetName = {},
): Promise<Budgets> {
  const month = await budgetMonthOf(db, workspaceId, clock.now());
  const subject = await getSubject(db, workspaceId, name);
  const own = await viewOne(db, month, subject);
  const of = {
    from: new Date(month.fromMs).toISOString(),
    until: new Date(month.untilMs).toISOString(),
    timeZone: month.timeZone,
  };
  if (subject.accountId !== null || subject.clientId !== null) return { ...of, budgets: [own] };
  const budgets = [own, ...(await viewAccounts(db, workspaceId, month))];
  return { ...of, budgets, clients: await viewClients(db, workspaceId, month) };
}

interface Subject extends BudgetKey, BudgetOf {}

/** @throws ApiError `not_found` */
async function getSubject(
  db: Db,
  workspaceId: WorkspaceId,
  { igUsername, clientId }: BudgetName,
): Promise<Subject> {
  const all = { workspaceId, accountId: null, clientId: null, igUsername: null, clientName: null };
  if (igUsername !== undefined) {
    const { id: accountId } = await getAccountByUsername(db, workspaceId, igUsername);
    return { ...all, accountId, igUsername };
  }
  if (clientId === undefined) return all;
  const client = await getClient(db, workspaceId, clientId);
  return { ...all, clientId: client.id, clientName: client.name };
}

export async function budgetMonthOf(
  db: Db,
  workspaceId: WorkspaceId,
  nowMs: number,
): Promise<BudgetMonth> {
  return budgetMonth(nowMs, await findBudgetZone(db, workspaceId));
}

export const spanOf = ({ fromMs, untilMs }: BudgetMonth): { from: Date; until: Date } => ({
  from: new Date(fromMs),
  until: new Date(untilMs),
});

async function viewOne(db: Db, month: BudgetMonth, subject: Subject): Promise<BudgetView> {
  const budget = await findBudget(db, subject);
  return viewOf(subject, budget?.limit_cents ?? null, await commitmentsOf(db, subject, month));
}

async function viewAccounts(
  db: Db,
  workspaceId: WorkspaceId,
  month: BudgetMonth,
): Promise<BudgetView[]> {
  const budgets = await listAccountBudgets(db, workspaceId);
  const by = { accountIds: budgets.flatMap(({ account_id: id }) => id ?? []) };
  const sums = await readCommitments(db, workspaceId, { ...spanOf(month), by });
  return budgets.map((row) => viewOf(subjectOf(row), row.limit_cents, sums.get(row.id)));
}

async function viewClients(
  db: Db,
  workspaceId: WorkspaceId,
  month: BudgetMonth,
): Promise<BudgetView[]> {
  const budgets = await listClientBudgets(db, workspaceId);
  const by = { clientIds: budgets.flatMap(({ client_id: id }) => id ?? []) };
  const sums = await readCommitments(db, workspaceId, { ...spanOf(month), by });
  return budgets.map((row) => viewOf(subjectOf(row), row.limit_cents, sums.get(row.id)));
}

export const subjectOf = (row: Budget): Subject => ({
  workspaceId: row.workspace_id,
  accountId: row.account_id,
  clientId: row.client_id,
  igUsername: row.ig_username,
  clientName: row.client_name,
});

function viewOf(
  { igUsername, clientId, clientName }: Subject,
  limitCents: number | null,
  { spentCents, dueCents, monthlyCents }: Commitments = NO_COMMITMENTS,
): BudgetView {
  return {
    igUsername,
    ...(clientId !== null && clientName !== null && { client: { id: clientId, name: clientName } }),
    limit: limitCents === null ? null : dollarsFromCents(limitCents),
    spent: dollarsFromCents(spentCents),
    due: dollarsFromCents(dueCents),
    monthly: dollarsFromCents(monthlyCents),
  };
}

export async function commitmentsOf(
  db: Db,
  { workspaceId, accountId, clientId }: BudgetKey,
  month: BudgetMonth,
): Promise<Commitments> {
  const ofClient = clientId === null ? {} : { by: { clientIds: [clientId] } };
  const of = accountId === null ? ofClient : { by: { accountIds: [accountId] } };
  const sums = await readCommitments(db, workspaceId, { ...spanOf(month), ...of });
  return sums.get(accountId ?? clientId) ?? NO_COMMITMENTS;
}

/**
 * Sets the budget of the workspace, of one client or of one account, or takes it back.
 * @throws ApiError `not_allowed`, `not_found`, `budget_reached`: plans cost more
 */
export async function saveBudget(
  deps: BudgetDeps,
  session: Session,
  { limit, ...name }: BudgetName & { limit: number | null },
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    const subject = await getSubject(tx, workspaceId, name);
    const limitCents = limit === null ? null : limit * 100;
    const month = await budgetMonthOf(tx, workspaceId, now.getTime());
    const sums = await commitmentsOf(tx, subject, month);
    if (limitCents !== null) {
      const tooLow = budgetTooLow(limitCents, subject, sums);
      if (tooLow !== undefined) throw new ApiError('budget_reached', tooLow);
    }
    await putBudget(tx, subject, { limitCents, now });
    const id = subject.accountId ?? subject.clientId ?? workspaceId;
    // Whoever set it knows; the others are told by an alert.
    if (limitCents !== null && partSpent(limitCents, sums.spentCents) === 100) {
      const budget = { workspace_id: workspaceId, id, limit_cents: limitCents };
      await insertNotice(tx, noticeOf(budget, { percent: 100, month, now }));
    }
    const action = 'budget_changed';
    const detail = { cents: limitCents };
    await appendAudit(tx, { workspaceId, actor, action, subject: id, detail, now });
  });
}

/** What is bought, or goes on again, and for which account; null: credits, which are the workspace's. */
interface Spending extends Pick<BudgetKey, 'workspaceId' | 'accountId'> {
  amountCents: number;
  /** What plans cost more from now on. */
  addedMonthlyCents: number;
  /** When that is charged for the first time; null: with this purchase, or nothing is added. */
  addedFrom: Date | null;
  /** The plan comes from another account, of this client: the workspace's budget has it already, and that client's. */
  movedFrom?: { clientId: string | null };
  now: Date;
}

/**
 * Refuses what would go beyond a budget, in the transaction that has written it and holds the workspace.
 * @throws ApiError `budget_reached`
 */
export async function checkBudgets(tx: Tx, spending: Spending): Promise<void> {
  const { workspaceId, accountId, amountCents, addedMonthlyCents, addedFrom, movedFrom, now } =
    spending;
  const all = await listBudgetsOf(tx, workspaceId, accountId);
  const budgets = movedFrom
    ? all.filter(({ account_id: account, client_id: client }) =>
        account === null ? client !== null && client !== movedFrom.clientId : true,
      )
    : all;
  if (budgets.length === 0) return;
  const month = await budgetMonthOf(tx, workspaceId, now.getTime());
  // What is past due stays what it was.
  const isDue = addedFrom !== null && addedFrom > now && addedFrom.getTime() < month.untilMs;
  const addedDueCents = isDue ? addedMonthlyCents : 0;
  for (const row of budgets) {
    const subject = subjectOf(row);
    const sums = await commitmentsOf(tx, subject, month);
    const before = {
      spentCents: sums.spentCents - amountCents,
      dueCents: sums.dueCents - addedDueCents,
      monthlyCents: sums.monthlyCents - addedMonthlyCents,
    };
    const added = { amountCents, addedDueCents, addedMonthlyCents };
    const question = { ...before, ...added, ...subject, limitCents: row.limit_cents };
    const refusal = budgetRefusal(question, month);
    if (refusal !== undefined) throw new ApiError('budget_reached', refusal);
  }
}

/** Owes the owner a mail when a payment brings a budget to 80 or 100 percent, each once a month. */
export async function tellBudgets(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  { workspaceId, accountId, now }: Pick<Spending, 'workspaceId' | 'accountId' | 'now'>,
): Promise<void> {
  const budgets = await listBudgetsOf(tx, workspaceId, accountId);
  if (budgets.length === 0) return;
  const month = await budgetMonthOf(tx, workspaceId, now.getTime());
  for (const budget of budgets) {
    const { spentCents } = await commitmentsOf(tx, subjectOf(budget), month);
    if (await isNews(tx, budget, { spentCents, month, now })) {
      const payload = {
        kind: 'budget_spent',
        igUsername: budget.ig_username,
        ...(budget.client_name !== null && { clientName: budget.client_name }),
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
