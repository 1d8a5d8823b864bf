import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import {
  deleteOldIntervals,
  type JudgedSubscription,
  listIntervals,
  listToJudge,
  recordUnread,
  type SubscriptionInterval,
} from './subscription-interval.repository.ts';
import {
  deleteOldOutages,
  listOutages,
  readServiceClock,
  setClosedUntil,
} from '#server/network/detection/service-clock.repository.ts';
import {
  countGiven,
  findJudgeableDays,
  insertPendingDays,
  judgePending,
  listPending,
} from '../subscriptions/subscription-day.repository.ts';
import { findUnservedDays, type Span, type UnservedSpan } from './unserved-days.ts';
import { dayOf, namedDay } from '#shared/domain/money/day-use.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { endChosenPlan } from '../subscriptions/past-plan.repository.ts';
import {
  changeSubscription,
  isBeingCharged,
  keyOf,
  lockSubscription,
  oweMail,
  type SubscriptionKey,
} from '../subscriptions/subscription-work.repository.ts';
import { periodStart } from '../subscriptions/subscription-clock.ts';
import { decideWaiting } from '../subscriptions/waiting-post.repository.ts';
import type { ServiceCreditDay } from '#shared/domain/money/shift-reason.ts';

const EVERY_MS = MINUTE_MS;
const KEEP_MS = 90 * DAY_MS;

type ServiceCreditDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

/**
 * Gives a day back for every local day on which a subscription couldn't be served (D5).
 *
 *   local day ends ──not served for 12 h──> pending ──next complete reading──┬─> given: the due date moves by it
 *                                                                            └─> dropped: ordered, or too many
 */
export function createServiceCreditJob(deps: ServiceCreditDeps): Job {
  return createLoop(deps, {
    name: 'service-credit',
    idleMs: EVERY_MS,
    round: async () => {
      await giveServiceCredit(deps);
      return 'idle';
    },
  });
}

/** One round. Rounds of several nodes at once come to the same. */
export async function giveServiceCredit(deps: ServiceCreditDeps): Promise<void> {
  const { db } = deps.database;
  await recordUnread(db, new Date(deps.clock.now()));
  await closeDays(deps);
  await addPendingDays(deps);
  const before = new Date(deps.clock.now() - KEEP_MS);
  await deleteOldIntervals(db, before);
  await deleteOldOutages(db, before);
}

/** Polls that were under way at the last sign of life have been written down by then. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;
/** Days end with every quarter of an hour in some zone; judging more often would find nothing. */
const JUDGE_EVERY_MS = 15 * MINUTE_MS;
/** Longer than any local day. */
const DAY_LIMIT_MS = 26 * HOUR_MS;
const PAGE = 500;

/** A time to judge, with what kept everybody from being served in it. */
interface Case {
  from: Date;
  to: Date;
  outages: Span[];
}

/**
 * Judges the local days that have ended since the last time, each once: those on which a running
 * subscription couldn't be served are written down; paused days are given back already. Ends at the
 * last sign of life of detection, since nobody knows yet what happened after it. Stopped half-way,
 * the next run does it again, to the same end.
 */
async function closeDays({ clock, database }: ServiceCreditDeps): Promise<void> {
  const { db } = database;
  const known = await readServiceClock(db);
  if (!known) return;
  const from = known.closed_until;
  const to = new Date(known.beat_at.getTime() - SETTLED_AFTER_MS);
  if (to.getTime() - from.getTime() < JUDGE_EVERY_MS) return;
  const reach = { from: new Date(from.getTime() - DAY_LIMIT_MS), to };
  const outages = await listOutages(db, reach);
  const spans = outages.map(({ since, until }) => spanOf(since, until));
  let after: JudgedSubscription | undefined;
  while (true) {
    const page = await listToJudge(db, { ...reach, isAll: spans.length > 0, after, limit: PAGE });
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

/** What is the account's own doing gives so many days a period back (D5). */
const UNREADABLE_DAYS_LIMIT = 3;

/** Judges the days that wait for it, each once: given back, or not. */
export async function addPendingDays(deps: ServiceCreditDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  let after: SubscriptionKey | undefined;
  while (true) {
    const page = await listPending(deps.database.db, { now, after, limit: PAGE });
    for (const key of page) {
      await addDays(deps, key).catch((error: unknown) => {
        deps.log.error('service credit not added', { reason: key.subscriptionId, error });
      });
    }
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}

/** The days and the moved date are one transaction: what is marked given has moved it. */
async function addDays(deps: ServiceCreditDeps, key: SubscriptionKey): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const row = await lockSubscription(tx, key);
    if (!row) return;
    if (!isUnended(row.state)) {
      await judgePending(tx, row, 'dropped');
      return;
    }
    const now = new Date(deps.clock.now());
    // A period that is being paid for keeps its date; the day is added when that is over.
    if (isDue(row, now) || (await isBeingCharged(tx, key))) return;
    const days = await giveDue(tx, row);
    if (days.length > 0) await moveDueDate(tx, deps, row, days, now);
  });
}

function isDue(row: SubscriptionRow, now: Date): boolean {
  return row.state === 'Past due' || (row.state === 'Active' && row.next_billing_at <= now);
}

/** @returns the days given back now */
async function giveDue(tx: Tx, row: SubscriptionRow): Promise<ServiceCreditDay[]> {
  const judgeable = await findJudgeableDays(tx, keyOf(row));
  // Days from before the anchor belong to another plan: they don't lengthen the one paid now.
  const firstDay = dayOf(row.anchor_at.getTime(), row.time_zone);
  const found = judgeable.filter(({ localDay }) => namedDay(localDay) >= firstDay);
  const own = found.filter(({ cause }) => cause === 'unreadable');
  const spare = own.slice(
    Math.max(0, UNREADABLE_DAYS_LIMIT - (await countGiven(tx, row, 'unreadable'))),
  );
  const given = found.filter((day) => !spare.includes(day));
  const dropped = judgeable.filter((day) => !given.includes(day));
  await judgePending(tx, row, 'dropped', names(dropped));
  return judgePending(tx, row, 'given', names(given));
}

const names = (days: readonly ServiceCreditDay[]): string[] => days.map(({ localDay }) => localDay);

async function moveDueDate(
  tx: Tx,
  deps: ServiceCreditDeps,
  row: SubscriptionRow,
  days: readonly ServiceCreditDay[],
  now: Date,
): Promise<void> {
  const shiftDays = row.shift_days + days.length;
  const nextBillingAt = periodStart({ ...row, shift_days: shiftDays }, row.period + 1);
  const isStopping = row.ends_at?.getTime() === row.next_billing_at.getTime();
  await endChosenPlan(tx, row, now);
  await changeSubscription(tx, row, {
    shift_days: shiftDays,
    next_billing_at: nextBillingAt,
    ...(isStopping && { ends_at: nextBillingAt }),
  });
  await decideWaiting(tx, row, now);
  const { workspaceId, subscriptionId } = keyOf(row);
  const mail = {
    kind: 'fair_days',
    subscriptionId,
    days,
    until: nextBillingAt.toISOString(),
    isStopping,
  } as const;
  await oweMail(tx, deps, workspaceId, mail, now);
  const entry = { action: 'fair_days_added', actor: 'system', subject: subscriptionId } as const;
  await appendAudit(tx, { workspaceId, ...entry, now });
}
