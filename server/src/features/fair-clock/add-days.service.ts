import { dayOf, namedDay } from '#shared/domain/day-use.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { type SubscriptionRow, UNENDED_STATES } from '../billing/subscription.repository.ts';
import { endChosenPlan } from '../subscriptions/past-plan.repository.ts';
import { sendMail } from '../subscriptions/send-mail.ts';
import { periodStart } from '../subscriptions/subscription-clock.ts';
import { decideWaiting } from '../subscriptions/waiting-posts.ts';
import {
  changeSubscription,
  isBeingCharged,
  keyOf,
  lockSubscription,
  type SubscriptionKey,
} from '../subscriptions/subscription-work.repository.ts';
import type { GivenDay } from './shift-reason.ts';
import {
  countGiven,
  findJudgeableDays,
  judgePending,
  listPending,
} from './subscription-day.repository.ts';

type AddDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

const PAGE = 500;
const UNENDED: ReadonlySet<string> = new Set(UNENDED_STATES);
/** What is the account's own doing gives so many days a period back (D5). */
const UNREADABLE_DAYS_MOST = 3;

/** Judges the days that wait for it, each once: given back, or not. */
export async function addPendingDays(deps: AddDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  let after: SubscriptionKey | undefined;
  while (true) {
    const page = await listPending(deps.database.db, { now, after, most: PAGE });
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
async function addDays(deps: AddDeps, key: SubscriptionKey): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const row = await lockSubscription(tx, key);
    if (!row) return;
    if (!UNENDED.has(row.state)) {
      await judgePending(tx, row, 'dropped');
      return;
    }
    const now = new Date(deps.clock.now());
    // A period that is being paid for keeps its date; the day is added when that is over.
    if (isDue(row, now) || (await isBeingCharged(tx, key))) return;
    const days = await judge(tx, row);
    if (days.length > 0) await moveDueDate(tx, deps, row, days, now);
  });
}

function isDue(row: SubscriptionRow, now: Date): boolean {
  return row.state === 'Past due' || (row.state === 'Active' && row.next_billing_at <= now);
}

/** @returns the days given back now */
async function judge(tx: Tx, row: SubscriptionRow): Promise<GivenDay[]> {
  const judgeable = await findJudgeableDays(tx, keyOf(row));
  // Days from before the anchor belong to another plan: they don't lengthen the one paid now.
  const firstDay = dayOf(row.anchor_at.getTime(), row.time_zone);
  const found = judgeable.filter(({ localDay }) => namedDay(localDay) >= firstDay);
  const own = found.filter(({ cause }) => cause === 'unreadable');
  const spare = own.slice(
    Math.max(0, UNREADABLE_DAYS_MOST - (await countGiven(tx, row, 'unreadable'))),
  );
  const given = found.filter((day) => !spare.includes(day));
  const dropped = judgeable.filter((day) => !given.includes(day));
  await judgePending(tx, row, 'dropped', names(dropped));
  return judgePending(tx, row, 'given', names(given));
}

const names = (days: readonly GivenDay[]): string[] => days.map(({ localDay }) => localDay);

async function moveDueDate(
  tx: Tx,
  deps: AddDeps,
  row: SubscriptionRow,
  days: readonly GivenDay[],
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
  await sendMail(tx, deps, workspaceId, mail, now);
  const entry = { action: 'fair_days_added', actor: 'system', subject: subscriptionId } as const;
  await appendAudit(tx, { workspaceId, ...entry, now });
}
