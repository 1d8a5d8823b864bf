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
import { isClosedDay, listServedDays } from './unpaid-posts.repository.ts';

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
  if (await isClosedDay(tx, paid, localDay)) return 'waits';
  const firstUnpaid = await readFirstUnpaidDay(tx, paid);
  const day = namedDay(localDay);
  const firstDay = dayOf(paid.anchorAt.getTime(), paid.timeZone);
  if (day < firstUnpaid && day !== firstDay) return 'paid';
  const { inAdvance } = await readUnpaidPosts(tx, paid, firstUnpaid);
  if (inAdvance < 0) return 'paid';
  return inAdvance >= POSTS_IN_ADVANCE || paid.endsAt ? 'waits' : 'in_advance';
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
  const from = { firstUnpaid, firstDay, anchorAt };
  const all = await listServedDays(db, { workspaceId, subscriptionId }, from, likes);
  const days = all.filter((day) => day >= firstUnpaid);
  const onFirstDay = all.length - days.length;
  return { days, inAdvance: postsInAdvance({ onFirstDay, onUnpaidDays: days.length }) };
}
