import { AUTOMATIC_POSTS_PER_DAY, BASELINE_TOLERANCE_MS } from '#shared/domain/automatic-likes.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { Db } from '../../db/database.ts';
import type { Violation } from './violation.ts';

/**
 * I3: every detected post of a paying account has exactly one automatic order when it is among the first
 * four of its local day, else none. Looks at posts detected since `since`; the order of detection decides
 * who is first, and the outcome a post shows must be what was done.
 */
export async function checkAutomaticOrders(
  db: Db,
  { since }: { since: Date },
): Promise<Violation[]> {
  const orders = await listAutomaticOrders(db, since);
  const byPost = Map.groupBy(orders, (order) => `${order.account_id} ${order.post_id}`);
  const byDay = Map.groupBy(orders, (order) => `${order.account_id} ${order.local_day}`);
  const posts = await listDetectedPosts(db, since);
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

type AutomaticOrder = Awaited<ReturnType<typeof listAutomaticOrders>>[number];
type DetectedPost = Awaited<ReturnType<typeof listDetectedPosts>>[number];

const DAY_MS = 86_400_000;

/** Some days more than asked for: of the first local day every order counts, whenever it was made. */
function listAutomaticOrders(db: Db, since: Date) {
  return db
    .selectFrom('like_order')
    .select(['account_id', 'post_id', 'local_day'])
    .where('kind', '=', 'automatic')
    .where('detected_at', '>=', new Date(since.getTime() - 2 * DAY_MS))
    .execute();
}

/** With the account's paid subscription, if it has one. */
function listDetectedPosts(db: Db, since: Date) {
  return db
    .selectFrom('post')
    .leftJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'post.workspace_id')
        .onRef('subscription.account_id', '=', 'post.account_id')
        .on('subscription.state', 'in', ['Active', 'Past due']),
    )
    .select([
      'post.account_id',
      'post.id',
      'post.taken_at',
      'post.detected_at',
      'post.automatic_outcome',
      'subscription.time_zone',
      'subscription.baseline_read_at',
      'subscription.baseline_post_ids',
    ])
    .where('post.detected_at', '>=', since)
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
  const isOverlooked = outcome === 'before_subscription' || outcome === 'no_subscription';
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
  const refusedAt = posts[firstRefused]?.detected_at;
  const isOvertaken = posts.some(
    (post) =>
      post.automatic_outcome === 'ordered' &&
      refusedAt &&
      post.detected_at &&
      post.detected_at > refusedAt,
  );
  if (isOvertaken) problems.push('served a post that was detected after a refused one');
  return problems;
}
