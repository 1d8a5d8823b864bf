import type { AccountProblem, ConnectedAccount } from '#shared/contract/connected-account.ts';
import { findPlan } from '#shared/domain/plans.ts';

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
