import { sql } from 'kysely';
import {
  type DayNumber,
  dayName,
  dayOf,
  dayStart,
  namedDay,
} from '#shared/domain/money/day-use.ts';
import {
  firstUnpaidDay,
  POSTS_IN_ADVANCE,
  postsInAdvance,
} from '#shared/domain/money/unpaid-posts.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { listServiceCreditDays } from './automatic-slot.repository.ts';

/** A running subscription, as far as it says which of its days are paid. */
export interface PaidTime {
  workspaceId: WorkspaceId;
  subscriptionId: string;
  igId: IgId;
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
  return firstUnpaidDay(dueDay, await listServiceCreditDays(db, paid, dueDay - paid.shiftDays));
}

/** What pays for a post that is served now; `waits`: nothing yet. */
export type PostPayment = 'paid' | 'in_advance' | 'waits';

/**
 * What pays for another post of this local day:
 *
 *   a closed day  nothing, ever: the first day, where its posts have been had on another one
 *   a paid day    the plan
 *   an unpaid day 1. the plan, for the posts that its first day didn't use of its four: a plan
 *                    begins and ends within a day, so its first and last day share the posts of one
 *                 2. nobody yet, for four posts in advance (`takeAdvance`); none if the plan ends
 *                 3. nothing: further posts wait for the payment
 *   the first day as an unpaid day, because the two share
 *
 * `inAdvance` counts the posts of 2; below 0 it counts those left of 1.
 */
export async function readPayment(tx: Tx, paid: PaidTime, localDay: string): Promise<PostPayment> {
  if (await isClosed(tx, paid, localDay)) return 'waits';
  const firstUnpaid = await readFirstUnpaidDay(tx, paid);
  const day = namedDay(localDay);
  const firstDay = dayOf(paid.anchorAt.getTime(), paid.timeZone);
  if (day < firstUnpaid && day !== firstDay) return 'paid';
  const { inAdvance } = await readUnpaidPosts(tx, paid, firstUnpaid);
  if (inAdvance < 0) return 'paid';
  return inAdvance >= POSTS_IN_ADVANCE || paid.endsAt ? 'waits' : 'in_advance';
}

async function isClosed(tx: Tx, paid: PaidTime, localDay: string): Promise<boolean> {
  const { rows } = await sql`
    select from past_plan
    where workspace_id = ${paid.workspaceId} and subscription_id = ${paid.subscriptionId}
      and closed_day = ${localDay}`.execute(tx);
  return rows.length > 0;
}

/**
 * The first local day of a plan that ends, where posts of days that it wasn't paid for have had its share; null: it
 * may still get its own.
 * @param likes only posts that got so many count; the others are paid by the plan that follows
 */
export async function findSharedDay(
  tx: Tx,
  paid: PaidTime,
  likes?: number,
): Promise<string | null> {
  const { days } = await readUnpaidPosts(tx, paid, await readFirstUnpaidDay(tx, paid), likes);
  return days.length > 0 ? dayName(dayOf(paid.anchorAt.getTime(), paid.timeZone)) : null;
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
  likes?: number,
): Promise<{ days: DayNumber[]; inAdvance: number }> {
  const firstDay = dayOf(anchorAt.getTime(), timeZone);
  const { rows } = await sql<{ localDay: string }>`
    select local_day as "localDay" from like_order
    where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}
      and kind = 'automatic' and (local_day >= ${dayName(firstUnpaid)}
        or local_day = ${dayName(firstDay)} and start_at >= ${anchorAt})
      and (${likes ?? null}::int is null or plan_likes = ${likes ?? null})
    order by local_day, slot`.execute(db);
  const all = rows.map(({ localDay }) => namedDay(localDay));
  const days = all.filter((day) => day >= firstUnpaid);
  const onFirstDay = all.length - days.length;
  return { days, inAdvance: postsInAdvance({ onFirstDay, onUnpaidDays: days.length }) };
}

/** @returns false: an advance of this network account was never paid, so there is none for 365 days */
export async function takeAdvance(
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
