import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { plannedChangeOf } from './plan-change-words.ts';

export interface NextCharge {
  cents: number;
  atMs: number;
}

/** What an account is charged next, and when; undefined: nothing. */
export function nextChargeOf(account: ConnectedAccount): NextCharge | undefined {
  const { subscriptionState: state, nextBillingDate, endsAt } = account;
  const isCharged = (state === 'Active' || state === 'Past due') && !endsAt;
  // What is past due is owed for the plan of now.
  const planned = state === 'Active' ? plannedChangeOf(account)?.plan : undefined;
  const plan = planned ?? findPlan(account.accountPackageId ?? 0);
  if (!plan || !isCharged || !nextBillingDate) return undefined;
  return { cents: plan.priceCents, atMs: Date.parse(nextBillingDate) };
}
