import { sql } from 'kysely';
import { type DayNumber, dayName, namedDay } from '#shared/domain/day-use.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';

interface OfSubscription {
  workspaceId: WorkspaceId;
  subscriptionId: string;
}

/**
 * Marks a day as used by an automatic order of this transaction. A day given back stays that: whichever of
 * the two commits first holds, because both write the day's one row.
 * @returns false: the day has been given back, so it has no slots
 */
export async function useDay(
  tx: Tx,
  { workspaceId, subscriptionId }: OfSubscription,
  localDay: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into subscription_day (workspace_id, subscription_id, local_day, state, found_at)
    values (${workspaceId}, ${subscriptionId}, ${localDay}, 'ordered', ${now})
    on conflict (workspace_id, subscription_id, local_day)
      do update set state = 'ordered', cause = null where subscription_day.state <> 'given'
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Days with an automatic order from this one on. */
export function listOrderedDays(
  db: Db,
  key: OfSubscription,
  fromDay: DayNumber,
): Promise<Set<DayNumber>> {
  return listDays(db, key, 'ordered', fromDay);
}

/** Days given back from this one on. */
export function listGivenDays(
  db: Db,
  key: OfSubscription,
  fromDay: DayNumber,
): Promise<Set<DayNumber>> {
  return listDays(db, key, 'given', fromDay);
}

async function listDays(
  db: Db,
  { workspaceId, subscriptionId }: OfSubscription,
  state: 'ordered' | 'given',
  fromDay: DayNumber,
): Promise<Set<DayNumber>> {
  const rows = await db
    .selectFrom('subscription_day')
    .select('local_day')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', state)
    .where('local_day', '>=', dayName(fromDay))
    .execute();
  return new Set(rows.map(({ local_day: day }) => namedDay(day)));
}
