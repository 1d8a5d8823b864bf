import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { dayName, dayOf, dayStart, namedDay } from '#shared/domain/money/day-use.ts';
import { DETECTION_TARGET_SECONDS } from '#shared/domain/delivery/delivery-promise.ts';
import { INSTANT_MAX_MS } from '#shared/domain/delivery/delivery-speed.ts';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { isFinal } from '#shared/domain/delivery/order-state.ts';
import { stateInWord } from '#web/customer/account-state.ts';
import { type NextCharge, nextChargeOf } from '#web/payments/plan/next-charge.ts';

/** Promises are counted over so many days. */
export const PROMISE_DAYS = 30;
/** The longest month and the promise's days lie within it. */
export const STATUS_MS = 31 * DAY_MS;

/** The orders of the accounts, as far back as they are kept. */
interface KeptOrders {
  orders: readonly LikeOrder[];
  /** Older ones may be missing. */
  sinceMs: number;
}

/** How things stand for one account, or for several together. */
export interface DeliveryStatus {
  /** Posts of today that can still get automatic likes; undefined when no plan gives any, or it isn't known. */
  slots: { left: number; of: number } | undefined;
  /** Likes of the orders of this month; `sinceMs` when its first days aren't kept. */
  likes: { count: number; sinceMs: number | undefined };
  /** Of the posts ordered by the plans in the last days. */
  promise: { posts: number; kept: number; brokenPostIds: ReadonlySet<string> };
}

/** The first charge that comes, and how many follow from other accounts. */
export type FirstCharge = NextCharge & {
  igUsername: string;
  timeZone: string;
  /** Charged on that day, and after it. */
  plans: number;
  later: number;
};

/** @param ownZone of the person, for accounts that have none */
export function deliveryStatusOf(
  accounts: readonly ConnectedAccount[],
  { orders, sinceMs }: KeptOrders,
  nowMs: number,
  ownZone: string,
): DeliveryStatus {
  const zones = new Map(accounts.map(({ igId, timeZone }) => [igId, timeZone ?? ownZone]));
  const mine = orders.filter(({ igId }) => zones.has(igId));
  return {
    slots: slotsOf(accounts, mine, { nowMs, sinceMs, zones }),
    likes: likesOf(mine, { nowMs, sinceMs, timeZone: commonZone(zones, ownZone) }),
    promise: promiseOf(mine, nowMs),
  };
}

function slotsOf(
  accounts: readonly ConnectedAccount[],
  orders: readonly LikeOrder[],
  { nowMs, sinceMs, zones }: { nowMs: number; sinceMs: number; zones: ReadonlyMap<string, string> },
): DeliveryStatus['slots'] {
  const starts = new Map(
    [...new Set(zones.values())].map((zone) => [zone, dayStart(dayOf(nowMs, zone), zone)]),
  );
  const todayOf = (igId: string): number => starts.get(zones.get(igId) ?? '') ?? 0;
  const taken = new Map<string, number>();
  for (const { igId, kind, postedAt } of orders) {
    if (kind !== 'automatic' || Date.parse(postedAt) < todayOf(igId)) continue;
    taken.set(igId, (taken.get(igId) ?? 0) + 1);
  }
  const served = accounts.filter((account) => isServed(account, nowMs));
  const isKnown = served.every(({ igId }) => sinceMs <= todayOf(igId));
  if (served.length === 0 || !isKnown) return undefined;
  const left = served.map(({ igId }) =>
    Math.max(0, AUTOMATIC_POSTS_PER_DAY - (taken.get(igId) ?? 0)),
  );
  const of = served.length * AUTOMATIC_POSTS_PER_DAY;
  return { left: left.reduce((sum, one) => sum + one, 0), of };
}

/** Whether a post of this moment gets its likes: also while a first payment is retried (D5). */
function isServed(account: ConnectedAccount, nowMs: number): boolean {
  const { subscriptionState, postsWaitSince, problem, delivery } = account;
  if (subscriptionState !== 'Past due') return stateInWord(account) === 'Active';
  const hasTime = postsWaitSince !== null && Date.parse(postsWaitSince) > nowMs;
  return hasTime && problem !== 'unreadable' && delivery.automaticLikes;
}

function likesOf(
  orders: readonly LikeOrder[],
  { nowMs, sinceMs, timeZone }: { nowMs: number; sinceMs: number; timeZone: string },
): DeliveryStatus['likes'] {
  const firstDay = `${dayName(dayOf(nowMs, timeZone)).slice(0, 7)}-01`;
  const startMs = dayStart(namedDay(firstDay), timeZone);
  const ofMonth = orders.filter(({ detectedAt }) => Date.parse(detectedAt) >= startMs);
  const count = ofMonth.reduce((sum, { delivered }) => sum + delivered, 0);
  return { count, sinceMs: sinceMs > startMs ? sinceMs : undefined };
}

/** What is charged on the next day with a charge, over all these accounts; undefined: nothing. */
export function firstChargeOf(
  accounts: readonly ConnectedAccount[],
  ownZone: string,
): FirstCharge | undefined {
  const charges = accounts
    .flatMap((account) => {
      const charge = nextChargeOf(account);
      const { igUsername, timeZone } = account;
      return charge ? [{ ...charge, igUsername, timeZone: timeZone ?? ownZone }] : [];
    })
    .sort((a, b) => a.atMs - b.atMs);
  const [first] = charges;
  if (!first) return undefined;
  const dayOfCharge = (charge: typeof first): number => dayOf(charge.atMs, charge.timeZone);
  const same = charges.filter((charge) => dayOfCharge(charge) === dayOfCharge(first));
  const cents = same.reduce((sum, charge) => sum + charge.cents, 0);
  return { ...first, cents, plans: same.length, later: charges.length - same.length };
}

function promiseOf(orders: readonly LikeOrder[], nowMs: number): DeliveryStatus['promise'] {
  const fromMs = nowMs - PROMISE_DAYS * DAY_MS;
  const automatic = orders.filter(
    ({ kind, detectedAt }) => kind === 'automatic' && Date.parse(detectedAt) >= fromMs,
  );
  const broken = automatic.filter((order) => !isKept(order, nowMs));
  return {
    posts: automatic.length,
    kept: automatic.length - broken.length,
    brokenPostIds: new Set(broken.map(({ postId }) => postId)),
  };
}

/** Detected soon enough, and everything there in time, as far as that has come; what we owed back wasn't there. */
function isKept(order: LikeOrder, nowMs: number): boolean {
  const detectedMs = Date.parse(order.detectedAt);
  if (detectedMs - Date.parse(order.postedAt) > DETECTION_TARGET_SECONDS * 1000) return false;
  if (isFinal(order.state) && order.state !== 'Completed') return !order.creditsReturned;
  const endMs = order.finishedAt === null ? nowMs : Date.parse(order.finishedAt);
  const dueMs = Math.max(Date.parse(order.finishBy) + SHOWN_MS, detectedMs + INSTANT_MAX_MS);
  return endMs <= dueMs;
}

/** Times are told to the minute. */
const SHOWN_MS = MINUTE_MS;

/** The zone of one account, or of all when it is the same; otherwise the person's. */
function commonZone(zones: ReadonlyMap<string, string>, ownZone: string): string {
  const [first, ...others] = new Set(zones.values());
  return first !== undefined && others.length === 0 ? first : ownZone;
}
