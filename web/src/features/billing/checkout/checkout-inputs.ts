import type { CallInput } from '#shared/contract/call.ts';
import { addSubscription, addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import { buyCredits, buyCreditsWithSavedCard } from '#shared/contract/money/credits.ts';
import { CREDIT_PACKAGES, type CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { findPlan, type Plan } from '#shared/domain/money/plans.ts';
import type { PaymentMeans } from './payment-means.tsx';

type PlanCall = typeof addSubscription | typeof addSubscriptionWithSavedCard;
type PackCall = typeof buyCredits | typeof buyCreditsWithSavedCard;

export const planCall = (input: CallInput<PlanCall>): PlanCall =>
  'savedCard' in input ? addSubscriptionWithSavedCard : addSubscription;
export const packCall = (input: CallInput<PackCall>): PackCall =>
  'savedCard' in input ? buyCreditsWithSavedCard : buyCredits;

/** The payload of S§3. The amount goes along so that nobody is charged another price than they saw. */
export function planInput(
  means: PaymentMeans,
  plan: Plan,
  customer: { userId: string; igUsername: string; timeZone: string },
): CallInput<PlanCall> {
  return { ...means, ...customer, packageIndex: plan.number, amount: plan.priceVal };
}

export function packInput(
  means: PaymentMeans,
  pack: CreditPackage,
  userId: string,
): CallInput<PackCall> {
  return { ...means, userId, amount: pack.price, credits: pack.credits };
}

/** The plan an address or a sign-up names by its number, 1-based; anything else is plan 1 (D5). */
export function planNamed(packageValue: string | number | null | undefined): Plan {
  const text = String(packageValue ?? '');
  const plan = (/^\d{1,2}$/.test(text) && findPlan(Number(text))) || findPlan(1);
  if (!plan) throw new Error('There are no plans.');
  return plan;
}

/** The plan a navigation brings along as its state; undefined when it brings none. */
export function packageValueIn(navigationState: unknown): string | number | undefined {
  if (typeof navigationState !== 'object' || navigationState === null) return undefined;
  const named: unknown =
    'packageValue' in navigationState ? navigationState.packageValue : undefined;
  return typeof named === 'number' || typeof named === 'string' ? named : undefined;
}

/** The package in the navigation state, by its credits; undefined when there is none of that size. */
export function packNamed(navigationState: unknown): CreditPackage | undefined {
  if (typeof navigationState !== 'object' || navigationState === null) return undefined;
  const named: unknown = 'credits' in navigationState ? navigationState.credits : undefined;
  return CREDIT_PACKAGES.find(({ credits }) => credits === named);
}
