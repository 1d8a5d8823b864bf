import { formatCents } from '#shared/domain/money.ts';
import { LAST_SIGNUP_PLAN, PLANS } from '#shared/domain/plans.ts';

/** What the form holds; numbers as the text of their control. */
export interface SignupValues {
  name: string;
  email: string;
  password: string;
  igUsername: string;
  phone: string;
  package: string;
}

/** The packages sign-up offers, as options of the select. */
export const SIGNUP_PLANS = PLANS.filter((plan) => plan.number <= LAST_SIGNUP_PLAN).map((plan) => ({
  value: String(plan.number),
  label: `${plan.description} likes per post, ${formatCents(plan.priceCents)} per month`,
}));

/** A phone number as it is typed: everything but digits vanishes. */
export function digitsOnly(typed: string): string {
  return typed.replaceAll(/\D/g, '');
}
