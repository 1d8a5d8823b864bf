import { parseIgUsername, typedUsername } from '#shared/domain/accounts/ig-username.ts';
import { findPlan, LAST_SIGNUP_PLAN, type Plan } from '#shared/domain/money/plans.ts';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';

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
export const SIGNUP_PLANS = PLAN_OPTIONS.filter(({ value }) => Number(value) <= LAST_SIGNUP_PLAN);

/** A phone number as it is typed: everything but digits vanishes. */
export function digitsOnly(typed: string): string {
  return typed.replaceAll(/\D/g, '');
}

/** The plan a price card sent the visitor with; undefined for none, or none that exists. */
export function planOfCard(value: string | null): Plan | undefined {
  return value !== null && /^\d$/.test(value) ? findPlan(Number(value)) : undefined;
}

/** What the select begins with: the card's plan, or the nearest that sign-up offers. */
export function firstPackage(plan: Plan | undefined): string {
  return String(Math.min(plan?.number ?? 1, LAST_SIGNUP_PLAN));
}

/** The username a visitor has typed already, as it is stored; what can't be one stays as it is. */
export function usernameOfVisitor(typed: string | null): string {
  const text = (typed ?? '').trim();
  const name = typedUsername(text);
  return parseIgUsername(name) ?? name;
}
