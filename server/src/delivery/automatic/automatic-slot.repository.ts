import { sql } from 'kysely';
import type { TakenSlot } from '#shared/domain/delivery/automatic-slots.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { type DayNumber, dayName, namedDay } from '#shared/domain/money/day-use.ts';

/** After so many days every checkout that read the account on the slot's day has become a plan, or none. */
export const SLOTS_KEPT_DAYS = 7;

/** Whose slots: a network account's in the whole world, and a subscription's, which may have been moved. */
interface SlotOwner {
  workspaceId: WorkspaceId;
  subscriptionId: string;
  igId: IgId;
}

/** The slots of these local days and of those around them, in every zone. */
export async function readTakenSlots(
  tx: Tx,
  { workspaceId, subscriptionId, igId }: SlotOwner,
  localDays: readonly string[],
): Promise<TakenSlot[]> {
  const days = localDays.toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { rows } = await sql<Omit<TakenSlot, 'postedAtMs'> & { postedAt: Date }>`
    select local_day as "localDay", slot, time_zone as "timeZone", posted_at as "postedAt"
    from automatic_slot
    where ig_id = ${igId} and local_day between ${first}::date - 2 and ${last}::date + 2
    union
    select o.local_day, o.slot, s.time_zone, o.posted_at
    from like_order o
    join subscription s on s.workspace_id = o.workspace_id and s.id = o.subscription_id
    where o.workspace_id = ${workspaceId} and o.subscription_id = ${subscriptionId}
      and o.kind = 'automatic' and o.local_day between ${first} and ${last}
  `.execute(tx);
  return rows.map(({ postedAt, ...slot }) => ({ ...slot, postedAtMs: postedAt.getTime() }));
}

/**
 * Takes a slot of a network account; nothing gives it back: one directory for all workspaces, so that nobody who
 * removes, moves or buys anew has a second four.
 * @returns false: another subscription took it at this moment
 */
export async function takeSlot(tx: Tx, owner: SlotOwner, slot: TakenSlot): Promise<boolean> {
  const { rows } = await sql`
    insert into automatic_slot
      (ig_id, local_day, slot, time_zone, posted_at, workspace_id, subscription_id)
    values (${owner.igId}, ${slot.localDay}, ${slot.slot}, ${slot.timeZone},
      ${new Date(slot.postedAtMs)}, ${owner.workspaceId}, ${owner.subscriptionId})
    on conflict (ig_id, local_day, slot) do nothing
    returning 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Sweeps up slots that nobody can ask for any more. A later plan's posts are newer than its baseline, and a plan
 * knows its own slots by its orders. So an old one only counts for another plan of the account that began on its day
 * or the one after, and may still find posts of that day.
 */
export async function deleteOldSlots(db: Db, now: Date): Promise<void> {
  await sql`
    delete from automatic_slot t
    where t.local_day < (${now}::timestamptz at time zone 'UTC')::date - ${SLOTS_KEPT_DAYS}::int
      and not exists (
        select from network_subscription n
        join subscription s on s.workspace_id = n.workspace_id and s.id = n.subscription_id
        where n.ig_id = t.ig_id and n.subscription_id <> t.subscription_id
          and s.baseline_read_at < (t.local_day + 2)::timestamp at time zone 'UTC')`.execute(db);
}

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
export function listServiceCreditDays(
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
