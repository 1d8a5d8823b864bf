import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';

/** Whether an account has a plan that hasn't ended, so that no second one may be bought for it (D6). */
export function hasRunningPlan(account: ConnectedAccount): boolean {
  return isUnended(account.subscriptionState);
}

/** Until when an account whose plan has ended still gives money back, as an instant; null: none, or no longer. */
export function moneyBackLeftUntil({
  moneyBackAmount,
  moneyBackUntil,
}: Pick<ConnectedAccount, 'moneyBackAmount' | 'moneyBackUntil'>): string | null {
  return moneyBackAmount ? moneyBackUntil : null;
}

/** What an account's plan is doing in a word: "Active" only where new posts get their likes. */
export function stateInWord({
  subscriptionState,
  problem,
  delivery,
  postsWait,
}: Pick<ConnectedAccount, 'subscriptionState' | 'problem' | 'delivery' | 'postsWait'>): string {
  if (subscriptionState !== 'Active') return subscriptionState ?? 'No plan';
  if (postsWait) return 'Waiting';
  if (problem === 'unreadable') return 'On hold';
  return delivery.automaticLikes ? subscriptionState : 'Likes off';
}
