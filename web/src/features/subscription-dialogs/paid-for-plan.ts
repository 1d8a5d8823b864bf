import type { CreditsTransaction } from '#shared/contract/user.ts';

const MONEY_BACK_DAYS = 30;
const DAY_MS = 86_400_000;
/** The charge is written a moment before the plan it starts. */
const BEFORE_START_MS = 3_600_000;

/** Dollars paid for an account's plan since it began, 30 days before its money-back time ends. */
export function paidForPlan(
  transactions: readonly CreditsTransaction[],
  igUsername: string,
  moneyBackUntil: string,
): number {
  const fromMs = Date.parse(moneyBackUntil) - MONEY_BACK_DAYS * DAY_MS - BEFORE_START_MS;
  const cents = transactions
    .filter((paid) => paid.igUsername === igUsername && Date.parse(paid.createdAt) >= fromMs)
    .reduce((sum, paid) => sum + Math.round(paid.price * 100), 0);
  return cents / 100;
}
