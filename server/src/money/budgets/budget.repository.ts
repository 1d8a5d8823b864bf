import { type Selectable, sql } from 'kysely';
import type { BudgetMonth, Commitments } from '#shared/domain/money/budget.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { ofFirstOwner } from '#server/kit/db/people.ts';
import type { BudgetNoticeTable, BudgetTable } from '#server/kit/db/tables/budget.table.ts';
import { OPEN_STATES } from '#server/kit/db/tables/charge.table.ts';
import { DAY_MS } from '#shared/domain/durations.ts';

/** A budget with the name of its account or client; with neither it is the workspace's. */
export interface Budget extends Selectable<BudgetTable> {
  ig_username: string | null;
  client_name: string | null;
}

/** What a budget is for: one account, one client or, with neither, the whole workspace. */
export interface BudgetKey {
  workspaceId: WorkspaceId;
  accountId: AccountId | null;
  clientId: string | null;
}

const idOf = ({ workspaceId, accountId, clientId }: BudgetKey): string =>
  accountId ?? clientId ?? workspaceId;

function selectBudgets(db: Db, workspaceId: WorkspaceId) {
  return db
    .selectFrom('budget')
    .leftJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'budget.workspace_id')
        .onRef('account.id', '=', 'budget.account_id'),
    )
    .leftJoin('client', (join) =>
      join
        .onRef('client.workspace_id', '=', 'budget.workspace_id')
        .onRef('client.id', '=', 'budget.client_id'),
    )
    .selectAll('budget')
    .select(['account.ig_username', 'client.name as client_name'])
    .where('budget.workspace_id', '=', workspaceId)
    .where('account.removed_at', 'is', null);
}

/** Those a charge counts in: the workspace's, its account's, and that of the client the account belongs to now. */
export function listBudgetsOf(
  db: Db,
  workspaceId: WorkspaceId,
  accountId: AccountId | null,
): Promise<Budget[]> {
  return selectBudgets(db, workspaceId)
    .where((where) =>
      where.or([
        where('budget.id', 'in', accountId === null ? [workspaceId] : [workspaceId, accountId]),
        where(
          'budget.client_id',
          '=',
          where
            .selectFrom('account')
            .select('client_id')
            .where('workspace_id', '=', workspaceId)
            .where('id', '=', accountId),
        ),
      ]),
    )
    .orderBy('budget.id')
    .execute();
}

/** Those of any of these accounts and clients, and the workspace's. */
export function listBudgetsOfAny(
  db: Db,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<Budget[]> {
  return selectBudgets(db, workspaceId)
    .where('budget.id', '=', sql<string>`any(${[workspaceId, ...ids]}::uuid[])`)
    .execute();
}

export function findBudget(db: Db, key: BudgetKey): Promise<Budget | undefined> {
  return selectBudgets(db, key.workspaceId).where('budget.id', '=', idOf(key)).executeTakeFirst();
}

/** So many accounts' budgets are listed. */
const LISTED_LIMIT = 500;

/** Those of accounts, by their names. */
export function listAccountBudgets(db: Db, workspaceId: WorkspaceId): Promise<Budget[]> {
  return selectBudgets(db, workspaceId)
    .where('budget.account_id', 'is not', null)
    .orderBy('account.ig_username')
    .limit(LISTED_LIMIT)
    .execute();
}

/** Those of clients, by their names. */
export function listClientBudgets(db: Db, workspaceId: WorkspaceId): Promise<Budget[]> {
  return selectBudgets(db, workspaceId)
    .where('budget.client_id', 'is not', null)
    .orderBy(sql`lower(client.name)`)
    .execute();
}

/** Where the workspace's months begin: the zone of its first owner. */
export async function findBudgetZone(db: Db, workspaceId: WorkspaceId): Promise<string> {
  const { rows } = await sql<{ zone: string | null }>`
    select ${ofFirstOwner('time_zone', sql`${workspaceId}`)} as zone`.execute(db);
  return rows[0]?.zone ?? 'UTC';
}

export async function putBudget(
  tx: Tx,
  key: BudgetKey,
  { limitCents, now }: { limitCents: number | null; now: Date },
): Promise<void> {
  const { workspaceId, accountId, clientId } = key;
  const id = idOf(key);
  if (limitCents === null) {
    await tx
      .deleteFrom('budget')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    return;
  }
  const change = { limit_cents: limitCents, changed_at: now };
  await tx
    .insertInto('budget')
    .values({
      workspace_id: workspaceId,
      id,
      account_id: accountId,
      client_id: clientId,
      ...change,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet(change))
    .execute();
}

/** A higher limit that is reached in the same month is reached anew. @returns whether none of that month was written before */
export async function insertNotice(tx: Tx, notice: BudgetNoticeTable): Promise<boolean> {
  const { limit_cents, at } = notice;
  const written = await tx
    .insertInto('budget_notice')
    .values(notice)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'budget_id', 'month', 'percent'])
        .doUpdateSet({ limit_cents, at })
        .where('budget_notice.limit_cents', '<', limit_cents),
    )
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirst();
  return written?.is_new === true;
}

/** A budget of which all is spent, or was in an earlier month, at a limit that still holds. */
interface ReachedBudget {
  accountId: AccountId | null;
  client: { id: string; name: string } | null;
  limitCents: number;
  month: string;
  reachedAt: Date;
  until: Date;
}

/** Of each its newest month. Nothing here depends on the time, so that a row of a replica doesn't change by itself. */
export async function listReachedBudgets(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<ReachedBudget[]> {
  const { rows } = await sql<ReachedBudget>`
    select distinct on (b.id) b.account_id as "accountId", b.limit_cents as "limitCents",
      case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name) end as client,
      to_char(n.month, 'YYYY-MM') as month, n.at as "reachedAt", n.until
    from budget b join budget_notice n on n.workspace_id = b.workspace_id and n.budget_id = b.id
    left join account a on a.workspace_id = b.workspace_id and a.id = b.account_id
    left join client k on k.workspace_id = b.workspace_id and k.id = b.client_id
    where b.workspace_id = ${workspaceId} and n.percent = 100 and n.limit_cents >= b.limit_cents
      and a.removed_at is null
    order by b.id, n.month desc`.execute(db);
  return rows;
}

interface Counted {
  of: string | null;
  spent: string;
  /** Plans by what they cost a month, and by what is due this month. */
  package: number | null;
  due_package: number | null;
  /** Of that, counted as spent while an upgrade waits, which ends what is due. */
  waiting_cents: number;
  plans: number;
}

export const NO_COMMITMENTS: Commitments = { spentCents: 0, dueCents: 0, monthlyCents: 0 };

interface CommitmentsWanted {
  from: Date;
  until: Date;
  /** By each of these accounts, or clients; undefined: of the whole workspace, under null. */
  by?: { accountIds: readonly AccountId[] } | { clientIds: readonly string[] };
}

/** By what the sums are told apart, and those that are wanted. */
function groupsOf(workspaceId: WorkspaceId, by: CommitmentsWanted['by']) {
  if (by === undefined) return { of: sql`null::text`, within: sql`` };
  if ('accountIds' in by) {
    return { of: sql`account`, within: sql`where account = any(${by.accountIds}::text[])` };
  }
  // What an account has cost moves along to the client that it belongs to now.
  const within = sql`join account a on a.workspace_id = ${workspaceId} and a.id = account::uuid
    where a.client_id = any(${by.clientIds}::uuid[])`;
  return { of: sql`a.client_id::text`, within };
}

/**
 * What a month costs, by account or client. One statement, so that a renewal which is charged meanwhile counts once:
 * as due, or as spent. Of an upgrade that waits and the renewal that is due if it isn't paid, the dearer counts.
 */
export async function readCommitments(
  db: Db,
  workspaceId: WorkspaceId,
  { from, until, by }: CommitmentsWanted,
): Promise<ReadonlyMap<string | null, Commitments>> {
  const { of, within } = groupsOf(workspaceId, by);
  const { rows } = await sql<Counted>`
    with open as materialized (
      select i.subscription_id, i.checkout,
        case when c.created_at >= ${from} then c.amount_cents else 0 end as spent_cents from charge c
        join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
        where c.workspace_id = ${workspaceId} and c.state = any(${OPEN_STATES}::text[])),
    charged as (
      select i.checkout->>'accountId' as account, c.amount_cents from charge c
        join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
        where c.workspace_id = ${workspaceId} and c.created_at >= ${from} and c.created_at < ${until}
          and c.state <> 'declined' and not c.is_returned),
    plan as (
      select s.account_id::text as account,
        coalesce((o.checkout->>'package')::int, s.next_package, s.package) as package,
        case when o.checkout->>'kind' is distinct from 'renewal'
            and greatest(s.next_billing_at, s.resumes_at) < ${until} then
          case when s.state = 'Past due' then s.package else coalesce(s.next_package, s.package) end
        end as due_package,
        coalesce(o.spent_cents, 0) as waiting_cents
      from subscription s
        left join open o on o.subscription_id = s.id and o.checkout->>'kind' in ('plan_change', 'renewal')
        where s.workspace_id = ${workspaceId} and s.ends_at is null
          and s.state in (${sql.join(UNENDED_STATES)})
      union all
      select o.checkout->>'accountId', (o.checkout->>'package')::int, null, 0 from open o
        where o.checkout->>'kind' = 'subscription')
    select ${of} as of, sum(amount_cents) as spent, null::int as package,
      null::int as due_package, 0 as waiting_cents, 0 as plans from charged ${within} group by 1
    union all
    select ${of}, 0, package, due_package, waiting_cents, count(*)::int from plan ${within}
      group by 1, 3, 4, 5`.execute(db);
  const sums = new Map<string | null, Commitments>();
  const priceOf = (row: Counted, number: number | null, lessCents = 0): number =>
    number === null ? 0 : row.plans * Math.max(0, getPlan(number).priceCents - lessCents);
  for (const row of rows) {
    const before = sums.get(row.of) ?? NO_COMMITMENTS;
    sums.set(row.of, {
      spentCents: before.spentCents + Number(row.spent),
      dueCents: before.dueCents + priceOf(row, row.due_package, row.waiting_cents),
      monthlyCents: before.monthlyCents + priceOf(row, row.package),
    });
  }
  return sums;
}

/** That a part of a budget was reached, as it is kept: once a month. */
export function noticeOf(
  { workspace_id, id, limit_cents }: Pick<Budget, 'workspace_id' | 'id' | 'limit_cents'>,
  { percent, month, now }: { percent: 80 | 100; month: BudgetMonth; now: Date },
): BudgetNoticeTable {
  // A day into a month it is the same one in every zone.
  const name = new Date(month.fromMs + DAY_MS).toISOString().slice(0, 7);
  const until = new Date(month.untilMs);
  const first = `${name}-01`;
  return { workspace_id, budget_id: id, month: first, percent, at: now, limit_cents, until };
}
