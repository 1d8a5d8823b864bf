import type {
  AccountProblem,
  ConnectedAccount,
} from '#shared/contract/accounts/connected-account.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { stateInWord } from '#web/customer/account-state.ts';

const PROBLEMS: Record<AccountProblem, (name: string) => { title: string; sentence: string }> = {
  unreadable: (name) => ({
    title: `We can’t read @${name}`,
    sentence:
      'Instagram isn’t showing us this account. It may be gone, renamed, private, personal or age-restricted. Make it a public Business or Creator account, and we’ll resume automatically.',
  }),
  throttled: () => ({
    title: 'Instagram is limiting how often we can check',
    sentence: 'New posts take longer to find, but we won’t miss any. Orders in progress continue.',
  }),
  unreachable: () => ({
    title: 'Instagram can’t be reached right now',
    sentence: 'We’ll find new posts as soon as it’s back. Orders in progress continue.',
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
export function serviceCreditSentence({
  shiftDays,
  shiftReason,
}: ConnectedAccount): string | undefined {
  if (shiftDays === 0) return undefined;
  const days = shiftDays === 1 ? '1 day' : `${shiftDays} days`;
  return `${days} added to this period.${shiftReason === null ? '' : ` ${shiftReason}`}`;
}

/** Names that fit into a line. */
const NAMED_LIMIT = 3;

/** Which accounts can't be read or, for who may see that, paid for; undefined: none. */
export function troubleSentence(
  accounts: readonly ConnectedAccount[],
  seesMoney: boolean,
): string | undefined {
  const troubled = accounts.filter(
    ({ problem, subscriptionState }) =>
      problem === 'unreadable' || (seesMoney && subscriptionState === 'Past due'),
  );
  if (troubled.length === 0) return undefined;
  const names = troubled.slice(0, NAMED_LIMIT).map(({ igUsername }) => `@${igUsername}`);
  const more = troubled.length - names.length;
  const all = more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
  return troubled.length === 1 ? `${all} needs your attention.` : `${all} need your attention.`;
}
