import type { Post } from '#shared/contract/accounts/post.ts';
import { DAY_MS } from '#shared/domain/durations.ts';

/** The likes that the posts of one week have today. */
export interface PostedWeek {
  /** Monday 00:00 UTC, milliseconds since the epoch. */
  startMs: number;
  organic: number;
  delivered: number;
}

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * Posts by the week they were posted in, oldest first, weeks without any in between too; posts whose
 * likes are hidden count as delivered ones only.
 */
export function postedWeeks(posts: readonly Post[]): PostedWeek[] {
  const weeks = new Map<number, PostedWeek>();
  for (const post of posts) {
    const atMs = Date.parse(post.takenAt) - FIRST_MONDAY_MS;
    const startMs = atMs - (atMs % WEEK_MS) + FIRST_MONDAY_MS;
    const week = weeks.get(startMs) ?? { startMs, organic: 0, delivered: 0 };
    week.organic += post.organicLikes ?? 0;
    week.delivered += post.deliveredLikes;
    weeks.set(startMs, week);
  }
  return withEmptyWeeks([...weeks.values()].toSorted((a, b) => a.startMs - b.startMs));
}

/** A week in which nothing was posted has no likes: a line over it would tell otherwise. */
function withEmptyWeeks(weeks: readonly PostedWeek[]): PostedWeek[] {
  return weeks.flatMap((week, nth) => {
    const endMs = weeks[nth + 1]?.startMs ?? 0;
    const empty = Math.max(0, (endMs - week.startMs) / WEEK_MS - 1);
    const between = Array.from({ length: empty }, (_, after) => ({
      startMs: week.startMs + (after + 1) * WEEK_MS,
      organic: 0,
      delivered: 0,
    }));
    return [week, ...between];
  });
}
