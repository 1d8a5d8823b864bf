import { AUTOMATIC_POSTS_PER_DAY, BASELINE_TOLERANCE_MS } from '#shared/domain/automatic-likes.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { Db } from '../../db/database.ts';
import type { Violation } from './violation.ts';

/** Which posts are looked at, by when they were detected. */
export interface DetectedBetween {
  since: Date;
  /** Later ones may still be undecided: an account is decided at its next look at the latest. */
  until: Date;
}

/**
 * I3: every detected post of a paying account has exactly one automatic order when it is among the first
 * four of its local day, else none. The order of detection decides who is first, and the outcome a post
 * shows must be what was done.
 */
export async function checkAutomaticOrders(db: Db, between: DetectedBetween): Promise<Violation[]> {
  const orders = await listAutomaticOrders(db, between.since);
  const byPost = Map.groupBy(orders, (order) => `${order.account_id} ${order.post_id}`);
  const byDay = Map.groupBy(orders, (order) => `${order.account_id} ${order.local_day}`);
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
      dayProblems(ofDay, byDay.get(day)?.length ?? 0).map((problem) => ({
        subject: `account and day ${day}`,
        problem,
      })),
    ),
  ].map((found) => ({ invariant: 'I3', ...found }));
}

const DAY_MS = 86_400_000;

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
        .on('subscription.state', 'in', ['Active', 'Past due']),
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
  if (!readAt || !ids || !detectedAt || detectedAt < readAt || ids.includes(post.id)) return false;
  return post.taken_at.getTime() >= readAt.getTime() - BASELINE_TOLERANCE_MS;
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
  const isUndecided = outcome === 'no_subscription' && post.deleted_at === null;
  const isOverlooked = outcome === 'before_subscription' || isUndecided;
  if (isPaid(post) && isOverlooked) problems.push(`is new and paid for, but "${outcome}"`);
  for (const { local_day: day } of orders) {
    if (isPaid(post) && day !== dayOf(post)) problems.push(`counts on ${day}, not ${dayOf(post)}`);
  }
  return problems;
}

/** One account's paid posts of one day, in order of detection. */
function dayProblems(posts: DetectedPost[], orders: number): string[] {
  const problems: string[] = [];
  const outcomes = posts.map((post) => post.automatic_outcome);
  const firstRefused = outcomes.indexOf('daily_limit');
  if (orders > AUTOMATIC_POSTS_PER_DAY) problems.push(`has ${orders} automatic orders`);
  if (firstRefused !== -1 && orders < AUTOMATIC_POSTS_PER_DAY) {
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
