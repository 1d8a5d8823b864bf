import { sql } from 'kysely';
import { type DayNumber, dayName, dayOf, dayStart, namedDay } from '#shared/domain/day-use.ts';
import { firstUnpaidDay, POSTS_IN_ADVANCE, postsInAdvance } from '#shared/domain/unpaid-posts.ts';
import type { Db, Tx } from '../../db/database.ts';
import { listGivenDays } from '../fair-clock/subscription-day.repository.ts';

/** A running subscription, as far as it says which of its days are paid. */
export interface PaidTime {
  workspaceId: string;
  subscriptionId: string;
  igId: string;
  anchorAt: Date;
  nextBillingAt: Date;
  shiftDays: number;
  timeZone: string;
  endsAt: Date | null;
}

/** When the first local day begins that the next payment is for. */
export async function readUnpaidFrom(db: Db, paid: PaidTime): Promise<Date> {
  return new Date(dayStart(await readFirstUnpaidDay(db, paid), paid.timeZone));
}

async function readFirstUnpaidDay(db: Db, paid: PaidTime): Promise<DayNumber> {
  const dueDay = dayOf(paid.nextBillingAt.getTime(), paid.timeZone);
  if (paid.shiftDays === 0) return dueDay;
  return firstUnpaidDay(dueDay, await listGivenDays(db, paid, dueDay - paid.shiftDays));
}

/**
 * Whether another post of this local day is served: all of paid days are, and of unpaid ones those that
 * the first day left out, then four in advance of the payment. Not in advance of a stop, nor for a network
 * account whose last advance was never paid, for 365 days: such posts wait for the payment. A post of the first
 * day that shows up behind those of unpaid days is one of these: both days have the posts of one.
 */
export async function mayServe(
  tx: Tx,
  paid: PaidTime,
  localDay: string,
  now: Date,
): Promise<boolean> {
  const firstUnpaid = await readFirstUnpaidDay(tx, paid);
  const day = namedDay(localDay);
  const firstDay = dayOf(paid.anchorAt.getTime(), paid.timeZone);
  if (day < firstUnpaid && day !== firstDay) return true;
  const { inAdvance } = await readUnpaidPosts(tx, paid, firstUnpaid);
  if (inAdvance < 0) return true;
  if (inAdvance >= POSTS_IN_ADVANCE || paid.endsAt) return false;
  return takeAdvance(tx, paid, now);
}

/** Local days of the posts that were served in advance, which nothing has paid for yet. */
export async function listUnpaidDays(db: Db, paid: PaidTime): Promise<Set<DayNumber>> {
  const { days, inAdvance } = await readUnpaidPosts(db, paid, await readFirstUnpaidDay(db, paid));
  return new Set(inAdvance > 0 ? days.slice(-inAdvance) : []);
}

/** `days`: the local day of each post of unpaid days. */
async function readUnpaidPosts(
  db: Db,
  { workspaceId, subscriptionId, anchorAt, timeZone }: PaidTime,
  firstUnpaid: DayNumber,
): Promise<{ days: DayNumber[]; inAdvance: number }> {
  const firstDay = dayOf(anchorAt.getTime(), timeZone);
  const { rows } = await sql<{ localDay: string }>`
    select local_day as "localDay" from like_order
    where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}
      and kind = 'automatic' and (local_day >= ${dayName(firstUnpaid)}
        or local_day = ${dayName(firstDay)} and start_at >= ${anchorAt})
    order by local_day, slot`.execute(db);
  const all = rows.map(({ localDay }) => namedDay(localDay));
  const days = all.filter((day) => day >= firstUnpaid);
  const onFirstDay = all.length - days.length;
  return { days, inAdvance: postsInAdvance({ onFirstDay, onUnpaidDays: days.length }) };
}

/** @returns false: an advance of this network account was never paid */
async function takeAdvance(
  tx: Tx,
  { igId, subscriptionId }: PaidTime,
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
