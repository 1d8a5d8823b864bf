import { dateInWords } from '#shared/domain/words/date-in-words.ts';
import { dayName, type DayNumber, dayOf } from '#shared/domain/money/day-use.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { type Pause, pauseBounds, PAUSES_LIMIT, planPause } from '#shared/domain/money/pause.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { checkBudgets } from '../budgets/budgets.service.ts';
import { countRaise } from '../checkout/spend-limit.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { stopPolling, pollAgain } from '#server/network/accounts/poll-schedule.repository.ts';
import { isOnlyWaiting, takeNetworkAccount } from '../subscriptions/network-account.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { giveDays, takeBackPausedDays } from '../subscriptions/subscription-day.repository.ts';
import {
  auditSubscription,
  changeSubscription,
  oweMail,
} from '../subscriptions/subscription-work.repository.ts';
import { type AccountName, notNow, withSubscription } from './cancellation.service.ts';
import {
  countPauses,
  deletePause,
  endPauseAt,
  insertPause,
} from '../subscriptions/pause.repository.ts';
import { comingPlan, nextChargeAt, periodStart } from '../subscriptions/subscription-clock.ts';
import { decideWaiting } from '../subscriptions/waiting-post.repository.ts';
import { refuseSecondPayment } from '../charges/refuse-second-payment.ts';

type PauseDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const PAUSES_WITHIN_MS = 365 * DAY_MS;

/**
 * A pause has three steps, each in one transaction with the row locked:
 * asked for (`pauses_at` and `resumes_at` set, still Active): its days are given back, so they have no slots
 *   and the due date has moved by them; it can be taken back as if it had never been;
 * begun (Paused): the account isn't polled;
 * over (Active, both null): at `resumes_at` by itself, or earlier: then the days from today on are taken
 *   back, because today is used.
 */

/** Dates of a pause, as they hold. */
interface PauseDates {
  pausesAt: Date;
  resumesAt: Date;
  nextBillingAt: Date;
  timeZone: string;
}

/**
 * No likes from tomorrow 00:00 in the subscription's zone to 00:00 of the local day of `until`; the whole
 * days between move the due date.
 * @throws ApiError `invalid_input`, `not_found`, `subscription_state`, `payment_needs_action`,
 * `payment_unknown`
 */
export function pauseSubscription(
  deps: PauseDeps,
  name: AccountName,
  until: Date,
): Promise<PauseDates> {
  return withSubscription(deps, name, async (tx, row, now) => {
    const pause = await preparePause(tx, row, until, now);
    const added = await giveDays(tx, row, { days: pause.days, cause: 'paused', now });
    const shiftDays = row.shift_days + added;
    const dates = { pausesAt: new Date(pause.fromMs), resumesAt: new Date(pause.untilMs) };
    const changed = await changeSubscription(tx, row, {
      pauses_at: dates.pausesAt,
      resumes_at: dates.resumesAt,
      shift_days: shiftDays,
      next_billing_at: periodStart({ ...row, shift_days: shiftDays }, row.period + 1),
    });
    await insertPause(tx, row, dates);
    const held = { ...dates, nextBillingAt: nextChargeAt(changed), timeZone: row.time_zone };
    const mail = {
      kind: 'subscription_paused',
      subscriptionId: row.id,
      pausesAt: held.pausesAt.toISOString(),
      resumesAt: held.resumesAt.toISOString(),
      nextBillingAt: held.nextBillingAt.toISOString(),
    } as const;
    if (!name.isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
    await auditSubscription(tx, row, { action: 'subscription_paused', actor: name.actor, now });
    return held;
  });
}

/** A pause as it would be. @throws ApiError as `pauseSubscription` */
export async function preparePause(
  tx: Tx,
  row: SubscriptionRow,
  until: Date,
  now: Date,
): Promise<Pause> {
  const pause = checkPause(row, until, now);
  await checkPauses(tx, row, now);
  await refuseSecondPayment(tx, row.workspace_id, { subscriptionId: row.id });
  return pause;
}

function checkPause(row: SubscriptionRow, until: Date, now: Date): Pause {
  if (row.pauses_at && row.resumes_at) {
    const day = nameDay(dayOf(row.resumes_at.getTime(), row.time_zone));
    throw notNow(
      row.state === 'Paused'
        ? `This plan is already paused until ${day}. Resume it first to choose another day.`
        : `A pause until ${day}, is already scheduled. Undo it first to choose another day.`,
    );
  }
  if (row.state === 'Past due' || row.next_billing_at <= now) {
    throw notNow('A payment for this plan is due. Please pay it before you pause.');
  }
  if (row.ends_at) {
    throw notNow('This plan is set to stop. Undo that before you pause it.');
  }
  const pause = planPause(now.getTime(), until.getTime(), row.time_zone);
  if (!pause) {
    const { firstDay, lastDay } = pauseBounds(now.getTime(), row.time_zone);
    const message = `Please choose a day from ${nameDay(firstDay)} to ${nameDay(lastDay)}`;
    throw new ApiError('invalid_input', message, { fields: { until: message } });
  }
  return pause;
}

async function checkPauses(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  const pauses = await countPauses(tx, row, new Date(now.getTime() - PAUSES_WITHIN_MS));
  if (pauses < PAUSES_LIMIT) return;
  throw notNow(
    `This account has been paused ${pauses} times in the last 365 days, the most we allow. You can stop the plan at the end of its period instead.`,
  );
}

const nameDay = (day: DayNumber): string => dateInWords(new Date(dayName(day)), 'UTC');

function isDisplaced(igUsername: string): ApiError {
  return notNow(
    `Someone else has proved that @${igUsername} is theirs. Use “Change username” to move the plan to another account, and it resumes.`,
  );
}

/** A planned pause of a locked subscription begins: today has been served to its end. */
export async function beginPause(tx: Tx, row: SubscriptionRow): Promise<void> {
  await changeSubscription(tx, row, { state: 'Paused' });
  await stopPolling(tx, { workspaceId: row.workspace_id, accountId: row.account_id });
}

/**
 * Ends the pause of a locked subscription, begun or not. Likes go on at once, whatever the network
 * answers: what was posted before is told apart by its time, and a day given back has no slots.
 */
export async function endPause(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  { now, actor, isQuiet }: { now: Date } & Pick<AccountName, 'actor' | 'isQuiet'>,
): Promise<void> {
  const { pauses_at: pausesAt, resumes_at: resumesAt } = row;
  if (!pausesAt || !resumesAt) return;
  const endsAt = resumesAt <= now ? resumesAt : now;
  const taken = await takeBackPausedDays(tx, row, dayOf(endsAt.getTime(), row.time_zone));
  const shiftDays = row.shift_days - taken;
  const nextBillingAt = periodStart({ ...row, shift_days: shiftDays }, row.period + 1);
  const isBegun = pausesAt <= now;
  await changeSubscription(tx, row, {
    state: 'Active',
    pauses_at: null,
    resumes_at: null,
    shift_days: shiftDays,
    next_billing_at: nextBillingAt,
    // Canceled meanwhile: it runs for what is left of the period paid for, and no longer.
    ...(row.ends_at && { ends_at: nextBillingAt }),
    ...(isBegun && { baseline_read_at: endsAt, baseline_post_ids: [] }),
  });
  if (isBegun) {
    await endPauseAt(tx, row, endsAt);
    await pollAgain(tx, { workspaceId: row.workspace_id, accountId: row.account_id, now });
  } else {
    await deletePause(tx, row);
  }
  const until = nextBillingAt.toISOString();
  const mail = row.ends_at
    ? ({ kind: 'subscription_ending', subscriptionId: row.id, endsAt: until } as const)
    : ({ kind: 'subscription_resumed', subscriptionId: row.id, nextBillingAt: until } as const);
  if (!isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'subscription_resumed', actor, now });
}

/** Nobody has the network account any more: it is this plan's again. */
async function resumeDisplaced(
  tx: Tx,
  deps: PauseDeps,
  { row, now, igUsername, ...name }: AccountName & { row: SubscriptionRow; now: Date },
): Promise<void> {
  const { ig_id, workspace_id, id: subscription_id } = row;
  const ours = { ig_id, workspace_id, subscription_id };
  const isOurs = await takeNetworkAccount(tx, ours, isOnlyWaiting);
  if (!isOurs) throw isDisplaced(igUsername);
  const own = await changeSubscription(tx, row, { displaced_at: null });
  return endPause(tx, deps, own, { ...name, now });
}

/**
 * Ends a pause, or takes a planned one back (a stop at period end stays); without one takes a stop at
 * period end back.
 * @throws ApiError `not_found`, `subscription_state`, `spend_limit`, `budget_reached`
 */
export function resume(deps: PauseDeps, name: AccountName): Promise<void> {
  return withSubscription(deps, name, async (tx, row, now) => {
    const { actor } = name;
    if (row.displaced_at) return resumeDisplaced(tx, deps, { row, now, ...name });
    if (row.pauses_at) return endPause(tx, deps, row, { ...name, now });
    if (!row.ends_at) throw notNow('This plan is already running.');
    await changeSubscription(tx, row, { ends_at: null });
    const { workspace_id: workspaceId, account_id: accountId } = row;
    const addedMonthlyCents = comingPlan(row).priceCents;
    const added = { addedMonthlyCents, addedFrom: row.next_billing_at };
    const end = { subscriptionId: row.id, addedMonthlyCents, end: 'lifted' } as const;
    await countRaise(tx, { workspaceId, ...end }, actor, now);
    await checkBudgets(tx, { workspaceId, accountId, amountCents: 0, ...added, now });
    await decideWaiting(tx, row, now);
    const nextBillingAt = row.next_billing_at.toISOString();
    const mail = { kind: 'subscription_resumed', subscriptionId: row.id, nextBillingAt } as const;
    if (!name.isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
    return auditSubscription(tx, row, { action: 'subscription_resumed', actor, now });
  });
}
