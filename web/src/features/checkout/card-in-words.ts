import type { BillingInfo } from '#shared/contract/user.ts';

/** "card ending 242": the mask shows no more of it. */
export function cardInWords({ ccNum }: BillingInfo): string {
  return `card ending ${ccNum.slice(-3)}`;
}
