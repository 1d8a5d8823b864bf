import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { findPlan, type Plan } from '#shared/domain/money/plans.ts';
import { hasRunningPlan, moneyBackLeftUntil, stateInWord } from '#web/customer/account-state.ts';
import { plannedChangeOf } from '#web/payments/plan/plan-change-words.ts';
import { shortDate } from '#web/ui/words/dates.ts';
import { counted } from '#web/ui/words/figures.ts';

/** How an account's subscription stands, in a word, with a colour that only repeats it. */
export interface AccountStatus {
  word: string;
  tone: 'good' | 'wait' | 'bad' | 'none';
  /** What comes next, or what is wrong; empty when there is nothing to say. */
  detail: string;
}

export const PROBLEM_WORDS = {
  unreadable: 'Can’t be read',
  throttled: 'Checked less often right now',
  unreachable: 'Network can’t be reached',
} as const;

export function statusOf(account: ConnectedAccount, timeZone: string): AccountStatus {
  const zone = account.timeZone ?? timeZone;
  const day = (instant: string): string => shortDate(Date.parse(instant), zone);
  const problem = account.problem ? PROBLEM_WORDS[account.problem] : '';
  const state = account.subscriptionState;
  switch (state) {
    case null:
      return { word: 'No plan', tone: 'none', detail: problem };
    case 'Active': {
      const planned = plannedInWords(account, zone) ?? '';
      const waits = account.postsWait ? 'New posts are waiting' : '';
      const detail = account.endsAt
        ? `Stops on ${day(account.endsAt)}`
        : problem || waits || pauseOf(account, day) || planned;
      const word = stateInWord(account);
      return { word, tone: problem || word !== state ? 'wait' : 'good', detail };
    }
    case 'Paused': {
      const ends = account.endsAt ? `, stops on ${day(account.endsAt)}` : '';
      const detail = account.resumesAt ? `Until ${day(account.resumesAt)}${ends}` : problem;
      return { word: state, tone: 'wait', detail };
    }
    case 'Past due': {
      const waiting = account.postsWaitSince;
      const detail = waiting
        ? `Posts since ${day(waiting)} are waiting for the payment`
        : 'Card declined';
      return { word: state, tone: 'bad', detail };
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
  return pausesAt && resumesAt ? `Pauses from ${day(pausesAt)} until ${day(resumesAt)}` : '';
}

/** The plan that is running, or would go on after a pause; none once it has ended. */
export function runningPlan(account: ConnectedAccount): Plan | undefined {
  const { accountPackageId } = account;
  return hasRunningPlan(account) && accountPackageId !== null
    ? findPlan(accountPackageId)
    : undefined;
}

/** How many accounts, and what their plans cost together in a month, where they may see that. */
export function sumSentence(
  accounts: readonly ConnectedAccount[],
  which: string,
  seesMoney: boolean,
): string {
  const plans = accounts.map(runningPlan).filter((plan) => plan !== undefined);
  const cents = plans.reduce((sum, plan) => sum + plan.priceCents, 0);
  const cost = seesMoney ? `, ${formatCents(cents)} per month` : '';
  return `${counted(accounts.length, 'account')} ${which}, ${counted(plans.length, 'plan')}${cost}`;
}
