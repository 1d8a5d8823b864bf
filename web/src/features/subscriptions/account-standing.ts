import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { findPlan, type Plan } from '#shared/domain/plans.ts';
import { moneyBackLeftUntil, stateInWord } from '#web/components/account-state.ts';
import { plannedChangeOf } from '#web/components/plan-change-words.ts';
import { shortDate } from '#web/components/dates.ts';

/** How an account's subscription stands, in a word, with a colour that only repeats it. */
export interface Standing {
  word: string;
  tone: 'good' | 'wait' | 'bad' | 'none';
  /** What comes next, or what is wrong; empty when there is nothing to say. */
  detail: string;
}

const PROBLEM_WORDS = {
  unreadable: 'Can’t be read',
  throttled: 'Checked less often right now',
  unreachable: 'Network can’t be reached',
} as const;

export function standingOf(account: ConnectedAccount, timeZone: string): Standing {
  const zone = account.timeZone ?? timeZone;
  const day = (instant: string): string => shortDate(Date.parse(instant), zone);
  const problem = account.problem ? PROBLEM_WORDS[account.problem] : '';
  const state = account.subscriptionState;
  switch (state) {
    case null:
      return { word: 'No plan', tone: 'none', detail: problem };
    case 'Active': {
      const planned = plannedInWords(account, zone) ?? '';
      const detail = account.endsAt
        ? `Ends on ${day(account.endsAt)}`
        : problem || pauseOf(account, day) || planned;
      const word = stateInWord(account);
      return { word, tone: problem || word !== state ? 'wait' : 'good', detail };
    }
    case 'Paused': {
      const ends = account.endsAt ? `, ends on ${day(account.endsAt)}` : '';
      const detail = account.resumesAt ? `Until ${day(account.resumesAt)}${ends}` : problem;
      return { word: state, tone: 'wait', detail };
    }
    case 'Past due': {
      const waiting = account.postsWaitSince;
      return {
        word: state,
        tone: 'bad',
        detail: waiting
          ? `Posts since ${day(waiting)} are waiting for the payment`
          : 'Card declined',
      };
    }
    case 'Canceled':
    case 'Expired': {
      const until = moneyBackLeftUntil(account);
      const asked = account.moneyBackState && `Money back ${account.moneyBackState.toLowerCase()}`;
      const detail = asked ?? (until ? `Money back until ${day(until)}` : problem);
      return { word: state, tone: 'none', detail };
    }
    default:
      return state satisfies never;
  }
}

/**
 * The plan that follows, e.g. "100 likes from Dec 22, 2026", on a day of the plan's own zone, or of
 * `timeZone`; undefined: the plan stays.
 */
export function plannedInWords(account: ConnectedAccount, timeZone: string): string | undefined {
  const planned = plannedChangeOf(account);
  return (
    planned &&
    `${planned.plan.description} likes from ${shortDate(planned.atMs, account.timeZone ?? timeZone)}`
  );
}

/** The pause that is planned, in words; empty without one. */
function pauseOf(
  { pausesAt, resumesAt }: ConnectedAccount,
  day: (instant: string) => string,
): string {
  return pausesAt && resumesAt ? `Pauses ${day(pausesAt)} to ${day(resumesAt)}` : '';
}

/** The plan that is running, or would go on after a pause; none once it has ended. */
export function runningPlan(account: ConnectedAccount): Plan | undefined {
  const { subscriptionState: state, accountPackageId } = account;
  const isRunning = state === 'Active' || state === 'Paused' || state === 'Past due';
  return isRunning && accountPackageId !== null ? findPlan(accountPackageId) : undefined;
}

/** When the next charge is, in milliseconds; null when there is none. */
export function nextChargeOf(account: ConnectedAccount): number | null {
  const { nextBillingDate, endsAt } = account;
  const isCharged = runningPlan(account) && !endsAt && nextBillingDate;
  return isCharged ? Date.parse(nextBillingDate) : null;
}

/** The states one can filter by. */
export const STATE_FILTERS = [
  'All',
  'Active',
  'Paused',
  'Past due',
  'Canceled',
  'Expired',
  'No plan',
  'Can’t be read',
] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

export function fitsState(account: ConnectedAccount, filter: StateFilter): boolean {
  if (filter === 'All') return true;
  if (filter === 'No plan') return account.subscriptionState === null;
  if (filter === 'Can’t be read') return account.problem === 'unreadable';
  return account.subscriptionState === filter;
}

export function isStateFilter(text: string): text is StateFilter {
  return STATE_FILTERS.some((filter) => filter === text);
}
