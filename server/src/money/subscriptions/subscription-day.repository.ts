import { sql } from 'kysely';
import { UNDECIDED } from '#shared/domain/delivery/automatic-likes.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import { type DayNumber, dayName } from '#shared/domain/money/day-use.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';
import { type SubscriptionDayRow } from '#server/kit/db/tables/service-credit.table.ts';
import type { ServiceCreditDay } from '#shared/domain/money/shift-reason.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';

type DayCause = NonNullable<SubscriptionDayRow['cause']>;

/**
 * Gives days of a locked subscription back to its current period, at once; the caller moves the due date.
 * @returns how many: not those with an automatic order, nor those given back already
 */
export async function giveDays(
  tx: Tx,
  row: SubscriptionRow,
  given: { days: readonly DayNumber[]; cause: 'paused'; now: Date },
): Promise<number> {
  if (given.days.length === 0) return 0;
  const inserted = await tx
    .insertInto('subscription_day')
    .values(
      given.days.map((day) => ({
        workspace_id: row.workspace_id,
        subscription_id: row.id,
        local_day: dayName(day),
        state: 'given' as const,
        cause: given.cause,
        found_at: given.now,
        subscription_version: row.subscription_version,
        period: row.period,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('local_day')
    .execute();
  return inserted.length;
}

/** Takes paused days from this one on back, because the pause ends; the caller moves the due date. */
export async function takeBackPausedDays(
  tx: Tx,
  row: SubscriptionRow,
  fromDay: DayNumber,
): Promise<number> {
  const taken = await tx
    .deleteFrom('subscription_day')
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('state', '=', 'given')
    .where('cause', '=', 'paused')
    .where('local_day', '>=', dayName(fromDay))
    .returning('local_day')
    .execute();
  return taken.length;
}

/** Writes days down that may be given back; a day known already stays what it is. */
export async function insertPendingDays(
  db: Db,
  days: ReadonlyArray<SubscriptionKey & { localDay: string; cause: DayCause }>,
  now: Date,
): Promise<void> {
  if (days.length === 0) return;
  await db
    .insertInto('subscription_day')
    .values(
      days.map(({ workspaceId, subscriptionId, localDay, cause }) => ({
        workspace_id: workspaceId,
        subscription_id: subscriptionId,
        local_day: localDay,
        state: 'pending' as const,
        cause,
        found_at: now,
        subscription_version: null,
        period: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Whether every post of the account has been decided that its subscription must see as new; until then a
 * day may still turn out to be used. Those of the due day may wait for its payment. In terms of `s` and `a`.
 */
const ALL_DECIDED = sql`not exists (select from post p
  where p.workspace_id = a.workspace_id and p.account_id = a.id
    and p.automatic_outcome = ${sql.lit(UNDECIDED)} and p.deleted_at is null
    and p.taken_at >= s.baseline_read_at and p.taken_at < least(s.pauses_at,
      date_trunc('day', s.next_billing_at, s.time_zone)))`;

/**
 * A page of the subscriptions with days to judge, in the order of their ids: not while they owe a payment,
 * and not before their account was read again. Ended ones are among them.
 */
export async function listPending(
  db: Db,
  { now, after, limit }: { now: Date; after: SubscriptionKey | undefined; limit: number },
): Promise<SubscriptionKey[]> {
  const { rows } = await sql<SubscriptionKey>`
    select s.workspace_id as "workspaceId", s.id as "subscriptionId"
    from subscription s
    join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
    where exists (select from subscription_day d where d.workspace_id = s.workspace_id
        and d.subscription_id = s.id and d.state = 'pending'
        and (d.found_at < a.last_read_at or s.state not in (${sql.join(UNENDED_STATES)})))
      and s.state <> 'Past due' and (s.state <> 'Active' or s.next_billing_at > ${now})
      ${after ? sql`and (s.workspace_id, s.id) > (${after.workspaceId}, ${after.subscriptionId})` : sql``}
    order by s.workspace_id, s.id limit ${limit}
  `.execute(db);
  return rows;
}

/** Days of a locked subscription that can be judged: read since they were found, nothing undecided. */
export async function findJudgeableDays(
  tx: Tx,
  { workspaceId, subscriptionId }: SubscriptionKey,
): Promise<ServiceCreditDay[]> {
  const { rows } = await sql<ServiceCreditDay>`
    select d.local_day as "localDay", d.cause
    from subscription_day d
    join subscription s on s.workspace_id = d.workspace_id and s.id = d.subscription_id
    join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
    where d.workspace_id = ${workspaceId} and d.subscription_id = ${subscriptionId}
      and d.state = 'pending' and d.found_at < a.last_read_at and ${ALL_DECIDED}
    order by d.local_day
  `.execute(tx);
  return rows;
}

/** How many days for this cause the current period of a subscription has been given. */
export async function countGiven(tx: Tx, row: SubscriptionRow, cause: DayCause): Promise<number> {
  const { count } = await tx
    .selectFrom('subscription_day')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('state', '=', 'given')
    .where('cause', '=', cause)
    .where('subscription_version', '=', row.subscription_version)
    .where('period', '=', row.period)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Judges pending days of a locked subscription: gives them to its current period, or drops them.
 * @returns those that were still pending: an order made meanwhile has used its day
 */
export async function judgePending(
  tx: Tx,
  row: SubscriptionRow,
  state: 'given' | 'dropped',
  localDays?: readonly string[],
): Promise<ServiceCreditDay[]> {
  if (localDays?.length === 0) return [];
  const period =
    state === 'given' ? { subscription_version: row.subscription_version, period: row.period } : {};
  let query = tx
    .updateTable('subscription_day')
    .set({ state, ...period })
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('state', '=', 'pending');
  if (localDays) query = query.where('local_day', 'in', localDays);
  const rows = await query.returning(['local_day as localDay', 'cause']).execute();
  return rows
    .flatMap(({ localDay, cause }) => (cause === null ? [] : [{ localDay, cause }]))
    .toSorted((a, b) => (a.localDay < b.localDay ? -1 : 1));
}

interface AddedDay extends ServiceCreditDay {
  subscriptionId: string;
}

/** Service credit of the current periods of a workspace's running subscriptions, oldest day first. */
export async function listAddedDays(db: Db, workspaceId: WorkspaceId): Promise<AddedDay[]> {
  const { rows } = await sql<AddedDay>`
    select d.subscription_id as "subscriptionId", d.local_day as "localDay", d.cause
    from subscription_day d
    join subscription s on s.workspace_id = d.workspace_id and s.id = d.subscription_id
      and s.subscription_version = d.subscription_version and s.period = d.period
    where d.workspace_id = ${workspaceId} and d.state = 'given' and d.cause <> 'paused'
      and s.state in (${sql.join(UNENDED_STATES)})
    order by d.local_day
  `.execute(db);
  return rows;
}
