import type { CallInput } from '#shared/contract/call.ts';
import type { addSubscription } from '#shared/contract/checkout.ts';
import type { User } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import { findPlan, PLANS } from '#shared/domain/plans.ts';
import { cardErrors, type CardValues, openingCardValues } from '#web/components/card-values.ts';

/** What the form holds; every value as the text of its control, the card number without spaces. */
export interface CheckoutValues extends CardValues {
  plan: string;
}
export type CheckoutField = keyof CheckoutValues;
export type CheckoutErrors = Partial<Record<CheckoutField, string>>;

export const PLAN_OPTIONS = PLANS.map((plan) => ({
  value: String(plan.number),
  label: `${plan.description} likes per post, ${formatCents(plan.priceCents)} per month`,
}));

/** The form as it opens: the plan chosen at sign-up, and what is known of the customer. */
export function openingValues(user: User | null): CheckoutValues {
  return {
    plan: String(findPlan(user?.package ?? 1)?.number ?? 1),
    ...openingCardValues(user),
  };
}

/** The sentence beside each field that needs one (S§5); empty when the form may be sent. */
export function checkoutErrors(
  values: CheckoutValues,
  nowMs: number,
  timeZone: string,
): CheckoutErrors {
  return cardErrors(values, nowMs, timeZone);
}

/** The payload of S§3. The amount goes along so that nobody is charged another price than they saw. */
export function checkoutInput(
  { plan: planNumber, ...cardAndAddressValues }: CheckoutValues,
  customer: { userId: string; igUsername: string; timeZone: string },
): CallInput<typeof addSubscription> {
  const plan = findPlan(Number(planNumber));
  return {
    ...cardAndAddressValues,
    ...customer,
    packageIndex: Number(planNumber),
    ...(plan ? { amount: plan.priceVal } : {}),
  };
}
