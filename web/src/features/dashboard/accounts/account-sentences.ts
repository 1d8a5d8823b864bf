import type { AccountProblem, ConnectedAccount } from '#shared/contract/connected-account.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { stateInWord } from '#web/components/account-state.ts';

const PROBLEMS: Record<AccountProblem, (name: string) => { title: string; sentence: string }> = {
  unreadable: (name) => ({
    title: `@${name} can not be read`,
    sentence:
      'The network answers like this when the name does not exist or was changed, and when the account is private, personal or age-gated. Make it a public professional account and it goes on by itself.',
  }),
  throttled: () => ({
    title: 'The network limits how often we may look',
    sentence:
      'New posts are found later than usual. Nothing is lost: every post is found, and orders already placed go on.',
  }),
  unreachable: () => ({
    title: 'The network can not be reached at the moment',
    sentence: 'New posts are found as soon as it answers again. Orders already placed go on.',
  }),
};

/** Why an account can't be read and what follows from it (D6). */
export function problemSentence(
  problem: AccountProblem,
  igUsername: string,
): { title: string; sentence: string } {
  return PROBLEMS[problem](igUsername);
}

/** The plan of an account in a few words. */
export function planInWords(account: ConnectedAccount): string {
  const plan = findPlan(account.accountPackageId ?? 0);
  if (!plan) return 'No plan';
  return `${plan.description} likes per post`;
}

/** What an account's plan is doing, with the date that goes with it; undefined without a plan. */
export function planStateInWords(
  account: ConnectedAccount,
  dateOf: (instant: string) => string,
): string | undefined {
  const { subscriptionState, endsAt, pausesAt, resumesAt } = account;
  if (subscriptionState === 'Active' && endsAt !== null) return `Stops on ${dateOf(endsAt)}`;
  if (subscriptionState === 'Active' && pausesAt !== null && resumesAt !== null) {
    return `Pauses from ${dateOf(pausesAt)} until ${dateOf(resumesAt)}`;
  }
  if (subscriptionState === 'Paused' && resumesAt !== null) {
    const stops = endsAt === null ? '' : `, then stops on ${dateOf(endsAt)}`;
    return `Paused until ${dateOf(resumesAt)}${stops}`;
  }
  return subscriptionState === null ? undefined : stateInWord(account);
}

/** Why the next charge comes later than a month after the last (D5); undefined when it doesn't. */
export function fairClockSentence({
  shiftDays,
  shiftReason,
}: ConnectedAccount): string | undefined {
  if (shiftDays === 0) return undefined;
  const days = shiftDays === 1 ? '1 day' : `${shiftDays} days`;
  return `${days} added to this period.${shiftReason === null ? '' : ` ${shiftReason}`}`;
}
