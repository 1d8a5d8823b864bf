import { sql } from 'kysely';
import { type DayNumber, dayName, namedDay } from '#shared/domain/money/day-use.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';

interface OfSubscription {
  workspaceId: WorkspaceId;
  subscriptionId: string;
}

/** A day whose posts have been had on another one. */
export async function isClosedDay(
  tx: Tx,
  paid: OfSubscription,
  localDay: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from past_plan
    where workspace_id = ${paid.workspaceId} and subscription_id = ${paid.subscriptionId}
      and closed_day = ${localDay}`.execute(tx);
  return rows.length > 0;
}

/**
 * Local days of the automatic orders of unpaid days, one for each, and of those on the first day since the plan began.
 * @param likes only posts that got so many
 */
export async function listServedDays(
  db: Db,
  { workspaceId, subscriptionId }: OfSubscription,
  {
    firstUnpaid,
    firstDay,
    anchorAt,
  }: { firstUnpaid: DayNumber; firstDay: DayNumber; anchorAt: Date },
  likes?: number,
): Promise<DayNumber[]> {
  const { rows } = await sql<{ localDay: string }>`
    select local_day as "localDay" from like_order
    where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}
      and kind = 'automatic' and (local_day >= ${dayName(firstUnpaid)}
        or local_day = ${dayName(firstDay)} and start_at >= ${anchorAt})
      and (${likes ?? null}::int is null or plan_likes = ${likes ?? null})
    order by local_day, slot`.execute(db);
  return rows.map(({ localDay }) => namedDay(localDay));
}

/**
 * Opens the advance of a network account, or takes from it: a post is ordered before it is paid. Money closes it.
 * @returns false: an advance of this network account was never paid, so there is none for 365 days
 */
export async function takeAdvance(
  tx: Tx,
  { igId, subscriptionId }: { igId: IgId; subscriptionId: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into unpaid_advance (ig_id, subscription_id, since)
    values (${igId}, ${subscriptionId}, ${now})
    on conflict (ig_id) do update
      set subscription_id = excluded.subscription_id, since = excluded.since
      where unpaid_advance.subscription_id = excluded.subscription_id
        or unpaid_advance.since <= ${now}::timestamptz - interval '365 days'
    returning 1`.execute(tx);
  return rows.length > 0;
}
