import { type Selectable, sql } from 'kysely';
import { RUNNING_STATES, UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { type SubscriptionIntervalTable } from '#server/kit/db/tables/service-credit.table.ts';

export type SubscriptionInterval = Selectable<SubscriptionIntervalTable>;

/** Of the running accounts at least a tenth: then it is the network that can't be reached, not the account. */
const NETWORK_SHARE = 10;

/** How an account can't be read, in terms of `a`; one that alone can't be reached is unreadable (D5). */
const KIND = sql`case when a.problem = 'unreachable' and not (select is_down from network)
  then 'unreadable' else a.problem end`;

const NETWORK = sql`network as materialized (
  select count(*) filter (where a.problem = 'unreachable') * ${sql.lit(NETWORK_SHARE)} >= count(*) as is_down
  from subscription s join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
  where s.state in (${sql.join(RUNNING_STATES)}))`;

/**
 * Writes down which paid accounts aren't read now, and which of them are read again. As often as this runs,
 * so exact are the intervals; several nodes may run it at once.
 */
export async function recordUnread(db: Db, now: Date): Promise<void> {
  await sql`
    with ${NETWORK}
    update subscription_interval i set until = greatest(i.since, ${now})
    from subscription s, account a
    where i.until is null
      and s.workspace_id = i.workspace_id and s.id = i.subscription_id
      and a.workspace_id = s.workspace_id and a.id = s.account_id
      and (s.state not in (${sql.join(RUNNING_STATES)}) or ${KIND} is distinct from i.kind)
  `.execute(db);
  await sql`
    with ${NETWORK}
    insert into subscription_interval (workspace_id, subscription_id, kind, since)
    select s.workspace_id, s.id, ${KIND}, ${now}
    from account a
    join subscription s on s.workspace_id = a.workspace_id and s.account_id = a.id
    where a.problem is not null and s.state in (${sql.join(RUNNING_STATES)})
      and not exists (select from subscription_interval i
        where i.workspace_id = s.workspace_id and i.subscription_id = s.id and i.until is null)
    on conflict do nothing
  `.execute(db);
}

/** Intervals of some subscriptions that reach into a time. */
export async function listIntervals(
  db: Db,
  subscriptions: ReadonlyArray<{ workspaceId: WorkspaceId; subscriptionId: string }>,
  { from, to }: { from: Date; to: Date },
): Promise<SubscriptionInterval[]> {
  const { rows } = await sql<SubscriptionInterval>`
    select i.* from subscription_interval i
    join jsonb_to_recordset(${JSON.stringify(subscriptions)}::text::jsonb)
      as s("workspaceId" uuid, "subscriptionId" uuid)
      on s."workspaceId" = i.workspace_id and s."subscriptionId" = i.subscription_id
    where (i.until is null or i.until > ${from}) and i.since < ${to}
  `.execute(db);
  return rows;
}

/** Sweeps up what no day can ask for any more. */
export async function deleteOldIntervals(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('subscription_interval').where('until', '<', before).execute();
}

/** A running subscription as the judge of its days needs it. */
export interface JudgedSubscription {
  workspaceId: WorkspaceId;
  subscriptionId: string;
  timeZone: string;
  createdAt: Date;
}

/**
 * A page of the running subscriptions that may not have been served in a time: `isAll` after an outage
 * of the whole service, otherwise those with intervals. In the order of their ids, after `after`.
 */
export async function listToJudge(
  db: Db,
  page: {
    from: Date;
    isAll: boolean;
    after: JudgedSubscription | undefined;
    limit: number;
  },
): Promise<JudgedSubscription[]> {
  const { from, isAll, after, limit } = page;
  const onlyUnread = sql`and exists (select from subscription_interval i
    where i.workspace_id = s.workspace_id and i.subscription_id = s.id
      and (i.until is null or i.until > ${from}))`;
  const { rows } = await sql<JudgedSubscription>`
    select s.workspace_id as "workspaceId", s.id as "subscriptionId", s.time_zone as "timeZone",
      s.created_at as "createdAt"
    from subscription s
    where s.state in (${sql.join(UNENDED_STATES)}) ${isAll ? sql`` : onlyUnread}
      ${after ? sql`and (s.workspace_id, s.id) > (${after.workspaceId}, ${after.subscriptionId})` : sql``}
    order by s.workspace_id, s.id limit ${limit}
  `.execute(db);
  return rows;
}
