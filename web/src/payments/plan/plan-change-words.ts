import { dateInWords } from '#web/ui/words/dates.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Quote } from '#shared/contract/money/subscription.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { LEAST_CHARGE_CENTS } from '#shared/domain/money/plan-quote.ts';
import { findPlan, type Plan } from '#shared/domain/money/plans.ts';
import { dollarsInWords } from '../price-words.ts';

/** A plan that follows the one of now, and from when. */
export interface PlannedChange {
  plan: Plan;
  atMs: number;
}

/** The change that waits for the next due date of an account; undefined: the plan stays. */
export function plannedChangeOf({
  nextPackageId,
  nextPackageFrom,
}: Pick<ConnectedAccount, 'nextPackageId' | 'nextPackageFrom'>): PlannedChange | undefined {
  const plan = findPlan(nextPackageId ?? 0);
  return plan && nextPackageFrom ? { plan, atMs: Date.parse(nextPackageFrom) } : undefined;
}

/** What a change costs that waits for its due date, and from when. */
export function plannedSentence({ plan, atMs }: PlannedChange, timeZone: string): string {
  const day = dateInWords(atMs, timeZone);
  return `Starting ${day}, you pay ${formatCents(plan.priceCents)} a month for ${plan.description} likes per post. Nothing changes until then.`;
}

/** How the total of today comes about, e.g. "$45.00 less $14.50 for 29 unused days of 30." */
export function arithmeticSentence(quote: Quote): string {
  const { price, unused, unusedDays, unpaid, unpaidDays, periodDays } = quote;
  const less =
    unusedDays > 0
      ? ` less ${dollarsInWords(unused)} for ${days(unusedDays, 'unused')} of ${periodDays}`
      : '';
  const plus =
    unpaidDays > 0
      ? ` plus ${dollarsInWords(unpaid)} for ${days(unpaidDays, 'unpaid')} of ${periodDays}`
      : '';
  const isLeast = Math.round((price - unused + unpaid) * 100) < LEAST_CHARGE_CENTS;
  const least = isLeast ? ` The smallest card charge is ${formatCents(LEAST_CHARGE_CENTS)}.` : '';
  return `${dollarsInWords(price)}${less}${plus}.${least}`;
}

const days = (count: number, what: string): string =>
  `${count} ${what} ${count === 1 ? 'day' : 'days'}`;
