import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import type { LikeSample } from '#web/replica/queries/samples.ts';

/** What a post's likes were at one moment, and how that is known. */
export interface LikePoint extends LikeSample {
  source: 'posted' | 'delivery_started' | 'seen';
}

/**
 * The likes of a post over time, oldest first: none when it appeared, what the receipt says of the
 * moment delivery began, and what this device saw since. Nothing is made up in between.
 */
export function likeSeries(
  post: Post,
  orders: readonly LikeOrder[],
  samples: readonly LikeSample[],
): LikePoint[] {
  const postedMs = Date.parse(post.takenAt);
  const points: LikePoint[] = [
    { atMs: postedMs, organic: 0, delivered: 0, source: 'posted' },
    ...startOf(orders, samples),
    ...samples.map((sample) => ({ ...sample, source: 'seen' as const })),
  ];
  return points.filter(({ atMs }) => atMs >= postedMs).toSorted((a, b) => a.atMs - b.atMs);
}

/**
 * Only before the first delivery all likes were organic, so only its start count is known apart. The count
 * is older than the news of it, and clocks differ: where this device had seen more by then, it tells nothing.
 */
function startOf(orders: readonly LikeOrder[], samples: readonly LikeSample[]): LikePoint[] {
  const started = orders.flatMap(({ startedAt, startCount }) =>
    startedAt === null ? [] : [{ atMs: Date.parse(startedAt), startCount }],
  );
  const first = started.toSorted((a, b) => a.atMs - b.atMs)[0];
  if (!first || first.startCount === null) return [];
  const { atMs, startCount } = first;
  const isMore = ({ organic, delivered }: LikeSample): boolean =>
    (organic ?? 0) > startCount || delivered > 0;
  if (samples.some((seen) => seen.atMs <= atMs && isMore(seen))) return [];
  return [{ atMs, organic: startCount, delivered: 0, source: 'delivery_started' }];
}

/** Points in stretches that are known, or guessed, all along; where one ends the next begins. */
export function likeRuns(
  points: readonly LikePoint[],
  isGuess: (from: LikePoint, to: LikePoint) => boolean,
): Array<{ run: LikePoint[]; isGuessed: boolean }> {
  const runs: Array<{ run: LikePoint[]; isGuessed: boolean }> = [];
  for (const [nth, to] of points.slice(1).entries()) {
    const from = points[nth] ?? to;
    const isGuessed = isGuess(from, to);
    const last = runs.at(-1);
    if (last?.isGuessed === isGuessed) last.run.push(to);
    else runs.push({ run: [from, to], isGuessed });
  }
  return runs;
}
