import {
  AUTOMATIC_POSTS_PER_DAY,
  newPostsFrom,
  UNDECIDED,
} from '#shared/domain/delivery/automatic-likes.ts';
import { type DayNumber, dayOf as dayOfInstant, namedDay } from '#shared/domain/money/day-use.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { PLANS } from '#shared/domain/money/plans.ts';
import { RUNNING_STATES } from '#shared/domain/money/subscription-state.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { IgId } from '#shared/domain/ids.ts';
import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import { SLOTS_KEPT_DAYS } from '#server/delivery/automatic/automatic-slot.repository.ts';
import { type PaidTime, readUnpaidFrom } from '#server/delivery/automatic/unpaid-posts.ts';
import type { Violation } from './violation.ts';

/** Which posts are looked at, by when they were detected. */
interface DetectedBetween {
  since: Date;
  /** Later ones may still be undecided: an account is decided at its next poll at the latest. */
  until: Date;
}

/**
 * I3: every detected post of a paying account has exactly one automatic order when it is among the first
 * four of its local day, else none; but not on a day given back, nor while it waits for a payment. The
 * order of detection decides who is first, four is the most a network account's day has in the whole world,
 * and the outcome shown is what was done. An order is of the plan of its post's time, or of the next payment.
 */
export async function checkAutomaticOrders(db: Db, between: DetectedBetween): Promise<Violation[]> {
  const orders = await listAutomaticOrders(db, between.since);
  const byPost = Map.groupBy(orders, (order) => `${order.account_id} ${order.post_id}`);
  const byDay = Map.groupBy(orders, (order) => `${order.account_id} ${order.local_day}`);
  const slots = await listSlots(db, between.since);
  // A slot of the two days before counts, too, wherever on earth it is.
  const slotsFrom = dayOfInstant(between.until.getTime(), 'UTC') - SLOTS_KEPT_DAYS + 3;
  const posts = await listDetectedPosts(db, between);
  const paidByDay = Map.groupBy(
    posts.filter(isPaid),
    (post) => `${post.account_id} ${dayOf(post)}`,
  );
  return [
    ...posts.flatMap((post) =>
      postProblems(post, byPost.get(`${post.account_id} ${post.id}`) ?? []).map((problem) => ({
        subject: `post ${post.id}`,
        problem,
      })),
    ),
    ...[...paidByDay].flatMap(([day, ofDay]) =>
      dayProblems(ofDay, byDay.get(day)?.length ?? 0, { slots, slotsFrom }).map((problem) => ({
        subject: `account and day ${day}`,
        problem,
      })),
    ),
  ]
    .map((found): Violation => ({ invariant: 'I3', ...found }))
    .concat(await checkServiceCreditDays(db, between.since))
    .concat(await checkPlans(db, between.since));
}

type AutomaticOrder = Awaited<ReturnType<typeof listAutomaticOrders>>[number];
type DetectedPost = Awaited<ReturnType<typeof listDetectedPosts>>[number];

/** Some days more than asked for: of the first local day every order counts, whenever it was made. */
function listAutomaticOrders(db: Db, since: Date) {
  return db
    .selectFrom('like_order')
    .select(['account_id', 'post_id', 'local_day'])
    .where('kind', '=', 'automatic')
    .where('detected_at', '>=', new Date(since.getTime() - 2 * DAY_MS))
    .execute();
}

type Slot = Awaited<ReturnType<typeof listSlots>>[number];

async function listSlots(db: Db, since: Date) {
  const { rows } = await sql<{ ig_id: IgId; local_day: string; subscription_id: string }>`
    select ig_id, local_day, subscription_id from automatic_slot
    where posted_at >= ${new Date(since.getTime() - 3 * DAY_MS)}`.execute(db);
  return rows;
}

/** A day given back has no order, and a post refused for it lies on such a day. */
async function checkServiceCreditDays(db: Db, since: Date): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; day: string; problem: string }>`
    select d.subscription_id as id, d.local_day as day, 'was given back and has an order' as problem
    from subscription_day d
    where d.state = 'given' and d.found_at >= ${since} and exists (
      select from like_order o where o.workspace_id = d.workspace_id
        and o.subscription_id = d.subscription_id and o.local_day = d.local_day
        and o.kind = 'automatic')
    union all
    select o.subscription_id, o.local_day, 'has an order and isn’t marked as used'
    from like_order o
    where o.kind = 'automatic' and o.detected_at >= ${since} and not exists (
      select from subscription_day d where d.workspace_id = o.workspace_id
        and d.subscription_id = o.subscription_id and d.local_day = o.local_day)
    union all
    select max(workspace_id::text)::uuid, local_day, 'has more than four automatic orders in the world'
    from like_order where kind = 'automatic' and detected_at >= ${since} and ig_id <> ''
    group by ig_id, local_day having count(*) > ${AUTOMATIC_POSTS_PER_DAY}`.execute(db);
  return rows.map(({ id, day, problem }) => ({
    invariant: 'I3',
    subject: `day ${day} of ${id}`,
    problem,
  }));
}

interface PlannedOrder extends PaidTime {
  id: string;
  likes: number;
  isInAdvance: boolean;
  /** When its post was taken; when it was ordered, if that was in advance. */
  at: Date;
  /** By what is written down of the plans before. */
  package: number;
  /** Chosen for the due date; null where the post got a plan of before. */
  nextPackage: number | null;
}

/**
 * No order is of another plan than the one that held when its post was taken; none that was made in advance is of a
 * dearer one than its payment was to be for.
 */
async function checkPlans(db: Db, since: Date): Promise<Violation[]> {
  const { rows } = await sql<PlannedOrder>`
    select o.id, o.plan_likes as likes, o.in_advance as "isInAdvance", moment.at,
      coalesce(past.package, s.package) as package,
      case when past.package is null and s.state <> 'Past due' then s.next_package end
        as "nextPackage",
      s.workspace_id as "workspaceId", s.id as "subscriptionId", s.ig_id as "igId",
      s.anchor_at as "anchorAt", s.next_billing_at as "nextBillingAt",
      s.shift_days as "shiftDays", s.time_zone as "timeZone", s.ends_at as "endsAt"
    from like_order o
    join subscription s on s.workspace_id = o.workspace_id and s.id = o.subscription_id
    cross join lateral (
      select case when o.in_advance then o.start_at else o.posted_at end as at) moment
    left join lateral (select p.package from past_plan p
      where p.workspace_id = o.workspace_id and p.subscription_id = o.subscription_id
        and p.until_at > moment.at
        and (p.superseded_at is null or p.superseded_at > o.start_at)
      order by p.until_at limit 1) past on true
    where o.kind = 'automatic' and o.detected_at >= ${since} and (
      past.package is null and s.next_package is not null or o.plan_likes <> (
        ${JSON.stringify(LIKES)}::text::jsonb ->> coalesce(past.package, s.package)::integer)::integer
    )`.execute(db);
  const violations: Violation[] = [];
  for (const order of rows) {
    const { id, likes, isInAdvance, at, nextPackage } = order;
    const isNext = nextPackage !== null && at >= (await readUnpaidFrom(db, order));
    const plan = isNext ? nextPackage : order.package;
    const most = LIKES[plan] ?? 0;
    if (isInAdvance ? likes <= most : likes === most) continue;
    const problem = `is of a plan of ${likes} likes, its post is of plan ${plan}`;
    violations.push({ invariant: 'I3', subject: `order ${id}`, problem });
  }
  return violations;
}

/** Of each plan per post, at the index of its number. */
const LIKES = PLANS.reduce<number[]>((all, { number, likes }) => {
  all[number] = likes;
  return all;
}, []);

/**
 * A post of a plan's first day, where posts of days that nothing has paid for yet were served: they share four. Or of
 * the first day of a plan of before, which has had its four.
 */
const SHARES_DAY = sql<boolean>`exists (select from past_plan p
    where p.workspace_id = subscription.workspace_id and p.subscription_id = subscription.id
      and p.closed_day = (post.taken_at at time zone subscription.time_zone)::date)
  or date_trunc('day', post.taken_at, subscription.time_zone)
    = date_trunc('day', subscription.anchor_at, subscription.time_zone)
  and exists (select from like_order o
    where o.workspace_id = subscription.workspace_id and o.subscription_id = subscription.id
      and o.kind = 'automatic'
      and o.posted_at >= date_trunc('day', subscription.next_billing_at, subscription.time_zone))`;

/** With the subscription that delivers to the account, if there is one. */
function listDetectedPosts(db: Db, { since, until }: DetectedBetween) {
  return db
    .selectFrom('post')
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'post.workspace_id')
        .onRef('account.id', '=', 'post.account_id'),
    )
    .leftJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'post.workspace_id')
        .onRef('subscription.account_id', '=', 'post.account_id')
        .onRef('subscription.ig_id', '=', 'account.ig_id')
        .on('subscription.created_at', '<=', until)
        .on((eb) =>
          eb.or([eb('subscription.ends_at', 'is', null), eb('subscription.ends_at', '>', until)]),
        )
        .on('subscription.state', 'in', RUNNING_STATES),
    )
    .select([
      'post.account_id',
      'post.id',
      'post.taken_at',
      'post.detected_at',
      'post.deleted_at',
      'post.automatic_outcome',
      'subscription.time_zone',
      'subscription.baseline_read_at',
      'subscription.baseline_post_ids',
      'subscription.created_at',
      'subscription.pauses_at',
      'subscription.posts_wait_since',
      sql<Date | null>`date_trunc('day', subscription.next_billing_at, subscription.time_zone)`.as(
        'due_day_from',
      ),
      SHARES_DAY.as('shares_day'),
      'account.ig_id',
      'subscription.id as subscription_id',
    ])
    .where('post.detected_at', '>=', since)
    .where('post.detected_at', '<=', until)
    .orderBy('post.detected_at')
    .orderBy('post.id')
    .execute();
}

/** Whether the subscription must have seen it as new: not in its baseline, nor older than that. */
function isPaid(post: DetectedPost): boolean {
  const { baseline_read_at: readAt, baseline_post_ids: ids, detected_at: detectedAt } = post;
  const createdAt = post.created_at;
  if (!readAt || !createdAt || !ids || !detectedAt) return false;
  if (detectedAt < readAt || ids.includes(post.id)) return false;
  if (post.shares_day) return false;
  // Posts of a pause, and those that wait for a payment, are decided when it is over.
  const waitsFrom = [post.pauses_at, post.posts_wait_since, post.due_day_from];
  if (waitsFrom.some((since) => since && post.taken_at >= since)) return false;
  const beginning = {
    baselineReadMs: readAt.getTime(),
    createdMs: createdAt.getTime(),
    timeZone: post.time_zone ?? 'UTC',
  };
  return post.taken_at.getTime() >= newPostsFrom(beginning);
}

function dayOf(post: DetectedPost): string {
  return localDay(post.taken_at.getTime(), post.time_zone ?? 'UTC');
}

function postProblems(post: DetectedPost, orders: AutomaticOrder[]): string[] {
  const problems: string[] = [];
  const { automatic_outcome: outcome } = post;
  const wanted = outcome === 'ordered' ? 1 : 0;
  if (orders.length !== wanted) problems.push(`is "${outcome}" with ${orders.length} orders`);
  // A post that was gone before anybody could decide stays undecided.
  const isUndecided = outcome === UNDECIDED && post.deleted_at === null;
  const isOverlooked = outcome === 'before_subscription' || isUndecided;
  if (isPaid(post) && isOverlooked) problems.push(`is new and paid for, but "${outcome}"`);
  for (const { local_day: day } of orders) {
    if (isPaid(post) && day !== dayOf(post)) problems.push(`counts on ${day}, not ${dayOf(post)}`);
  }
  return problems;
}

/** One account's paid posts of one day, in order of detection. */
function dayProblems(
  posts: DetectedPost[],
  orders: number,
  { slots, slotsFrom }: { slots: readonly Slot[]; slotsFrom: DayNumber },
): string[] {
  const problems: string[] = [];
  const outcomes = posts.map((post) => post.automatic_outcome);
  const firstRefused = outcomes.indexOf('daily_limit');
  if (orders > AUTOMATIC_POSTS_PER_DAY) problems.push(`has ${orders} automatic orders`);
  const [first] = posts;
  // Slots of other subscriptions of the account count, those of other zones on the days beside too.
  const isElsewhere = slots.some(
    (slot) =>
      slot.ig_id === first?.ig_id &&
      slot.subscription_id !== first.subscription_id &&
      Math.abs(namedDay(slot.local_day) - namedDay(dayOf(first))) <= 2,
  );
  const isSwept = first !== undefined && namedDay(dayOf(first)) < slotsFrom;
  if (firstRefused !== -1 && orders < AUTOMATIC_POSTS_PER_DAY && !isElsewhere && !isSwept) {
    problems.push(`refused a post at ${orders} automatic orders`);
  }
  if (wasSlotFreed(posts)) problems.push('served a post that was detected after a refused one');
  return problems;
}

/** Only where posts were decided as they were detected: not those the subscription found waiting. */
function wasSlotFreed(posts: DetectedPost[]): boolean {
  const decided = posts.flatMap(
    ({ detected_at: at, created_at: from, automatic_outcome: outcome }) =>
      at && from && at >= from ? [{ at, outcome }] : [],
  );
  const refused = decided.find(({ outcome }) => outcome === 'daily_limit');
  if (!refused) return false;
  return decided.some(({ at, outcome }) => outcome === 'ordered' && at > refused.at);
}
