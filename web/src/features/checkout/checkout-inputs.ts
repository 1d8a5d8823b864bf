import type { CallInput } from '#shared/contract/call.ts';
import type { addSubscription } from '#shared/contract/checkout.ts';
import type { buyCredits } from '#shared/contract/credits.ts';
import { CREDIT_PACKAGES, type CreditPackage } from '#shared/domain/credit-packages.ts';
import { findPlan, type Plan } from '#shared/domain/plans.ts';
import type { CardValues } from '#web/components/card-values.ts';

/** The payload of S§3. The amount goes along so that nobody is charged another price than they saw. */
export function planInput(
  card: CardValues,
  plan: Plan,
  customer: { userId: string; igUsername: string; timeZone: string },
): CallInput<typeof addSubscription> {
  return { ...card, ...customer, packageIndex: plan.number, amount: plan.priceVal };
}

export function packInput(
  card: CardValues,
  pack: CreditPackage,
  userId: string,
): CallInput<typeof buyCredits> {
  return { ...card, userId, amount: pack.price, credits: pack.credits };
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
