import type { ConnectedAccount } from '#shared/contract/connected-account.ts';

/** Whether an account has a plan that hasn't ended, so that no second one may be bought for it (D6). */
export function hasRunningPlan(account: ConnectedAccount): boolean {
  const state = account.subscriptionState;
  return state === 'Active' || state === 'Paused' || state === 'Past due';
}
