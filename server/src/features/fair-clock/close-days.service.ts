import type { Deps } from '../../deps.ts';
import { listOutages, readServiceClock, setClosedUntil } from './service-clock.repository.ts';
import {
  type JudgedSubscription,
  listIntervals,
  listToJudge,
  type SubscriptionInterval,
} from './subscription-interval.repository.ts';
import { insertPendingDays } from './subscription-day.repository.ts';
import { findUnservedDays, type Span, type UnservedSpan } from './unserved-days.ts';

type CloseDeps = Pick<Deps, 'clock' | 'database'>;

/** Looks that were under way at the last sign of life have been written down by then. */
const SETTLED_AFTER_MS = 10 * 60_000;
/** Days end with every quarter of an hour in some zone; judging more often would find nothing. */
const JUDGE_EVERY_MS = 15 * 60_000;
/** Longer than any local day. */
const DAY_MOST_MS = 26 * 3_600_000;
const PAGE = 500;

/** A time to judge, with what kept everybody from being served in it. */
interface Case {
  from: Date;
  to: Date;
  outages: Span[];
}

/**
 * Judges the local days that have ended since the last time, each once: those on which a running
 * subscription couldn't be served are written down; paused days are given back already. Ends at the last sign of life of detection, since
 * nobody knows yet what happened after it. Stopped half-way, the next run does it again, to the same end.
 */
export async function closeDays({ clock, database }: CloseDeps): Promise<void> {
  const { db } = database;
  const known = await readServiceClock(db);
  if (!known) return;
  const from = known.closed_until;
  const to = new Date(known.beat_at.getTime() - SETTLED_AFTER_MS);
  if (to.getTime() - from.getTime() < JUDGE_EVERY_MS) return;
  const reach = { from: new Date(from.getTime() - DAY_MOST_MS), to };
  const outages = await listOutages(db, reach);
  const spans = outages.map(({ since, until }) => spanOf(since, until));
  let after: JudgedSubscription | undefined;
  while (true) {
    const page = await listToJudge(db, { ...reach, isAll: spans.length > 0, after, most: PAGE });
    const intervals = await listIntervals(db, page, reach);
    const found = page.flatMap((one) => judge(one, intervals, { from, to, outages: spans }));
    await insertPendingDays(db, found, new Date(clock.now()));
    if (page.length < PAGE) break;
    after = page.at(-1);
  }
  await setClosedUntil(db, to);
}

function judge(
  subscription: JudgedSubscription,
  intervals: readonly SubscriptionInterval[],
  { from, to, outages }: Case,
) {
  const { workspaceId, subscriptionId, timeZone, createdAt } = subscription;
  const own = intervals.filter(
    (each) => each.workspace_id === workspaceId && each.subscription_id === subscriptionId,
  );
  const unserved: UnservedSpan[] = [
    ...outages.map((span) => ({ ...span, cause: 'outage' as const })),
    ...own.map(({ kind, since, until }) => ({ ...spanOf(since, until), cause: kind })),
  ];
  const excluded: Span[] = [{ sinceMs: -Infinity, untilMs: createdAt.getTime() }];
  const window = { fromMs: from.getTime(), toMs: to.getTime(), timeZone };
  const days = findUnservedDays(window, unserved, excluded);
  return days.map((day) => ({ workspaceId, subscriptionId, ...day }));
}

const spanOf = (since: Date, until: Date | null): Span => ({
  sinceMs: since.getTime(),
  untilMs: until?.getTime() ?? Infinity,
});
