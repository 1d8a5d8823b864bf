import { dateInWords } from '#web/ui/words/dates.ts';
import type { MoneyBack } from '#shared/contract/returned-money.ts';

/** What happens next with money that goes back, with its date (D5). */
export function moneyBackSentence(
  { state, approvedBy, paidAt }: MoneyBack,
  timeZone: string,
): string {
  const day = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  switch (state) {
    case 'Requested':
      return `We’ll approve it no later than ${day(approvedBy)}. The money reaches your bank within 7 to 10 business days.`;
    case 'Approved':
      return `Approved on ${day(approvedBy)}. The money reaches your bank within 7 to 10 business days.`;
    case 'Paid':
      return paidAt === null ? 'Sent to your bank.' : `Sent to your bank on ${day(paidAt)}.`;
    default:
      return state satisfies never;
  }
}
