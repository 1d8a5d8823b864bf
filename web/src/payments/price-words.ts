import { dueAt } from '#shared/domain/money/billing-period.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { toLocal } from '#shared/domain/time-zone.ts';

/** "21st", "2nd", "13th". */
export function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/** When a subscription that begins now is charged next, in milliseconds (D5). */
export function nextChargeMs(nowMs: number, timeZone: string): number {
  return dueAt({ anchorMs: nowMs, timeZone, shiftDays: 0 }, 1);
}

/** What is paid when, in one sentence. */
export function chargeSentence(priceCents: number, nowMs: number, timeZone: string): string {
  const price = formatCents(priceCents);
  const { day } = toLocal(nowMs, timeZone);
  const shortMonths = day > 28 ? ', or on the last day of a shorter month' : '';
  return `You pay ${price} now, then ${price} on the ${ordinal(day)} of each month${shortMonths}.`;
}

/** Dollars of the wire in cents. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100);
}

/** Dollars of the wire for people, e.g. "$17.00". */
export function dollarsInWords(dollars: number): string {
  return formatCents(centsOf(dollars));
}
