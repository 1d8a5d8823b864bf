import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { hasRunningPlan } from '#web/customer/account-state.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { plannedChangeOf } from './plan-change-words.ts';

export interface NextCharge {
  cents: number;
  atMs: number;
}

/** What an account is charged next, and when: a paused plan at the end of its pause. Undefined: nothing. */
export function nextChargeOf(account: ConnectedAccount): NextCharge | undefined {
  const { subscriptionState: state, nextBillingDate, endsAt } = account;
  if (!hasRunningPlan(account) || endsAt || !nextBillingDate) return undefined;
  // What is past due is owed for the plan of now.
  const planned = state === 'Past due' ? undefined : plannedChangeOf(account)?.plan;
  const plan = planned ?? findPlan(account.accountPackageId ?? 0);
  return plan && { cents: plan.priceCents, atMs: Date.parse(nextBillingDate) };
}
