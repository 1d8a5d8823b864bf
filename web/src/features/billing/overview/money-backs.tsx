import { useCallback } from 'react';
import { findMoneyBacks, type MoneyBack } from '#shared/contract/money/returned-money.ts';
import { amountRange, MONEY_REACHES_BANK } from '#shared/domain/money/money-back-words.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { BillingSection } from '../billing-section.tsx';
import { arithmeticOf } from './money-back-arithmetic.ts';
import { centsOf } from '#web/payments/price-words.ts';
import { useRead } from '#web/customer/use-read.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { Unread } from './unread.tsx';
import { dateInWords } from '#web/ui/words/dates.ts';

/**
 * Money on its way back to the card, and how far it is; nothing for whoever never asked for any. The
 * replica doesn't have it, so nobody is told of it while the server is away.
 */
export function MoneyBacks() {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const accounts = useClientState((state) => state.connectedAccounts);
  const read = useCallback(() => api.call(findMoneyBacks, { userId }), [api, userId]);
  const { data, hasFailed, again } = useRead(read);
  if (!hasFailed && !data?.length) return null;
  const zoneOf = (igUsername: string): string =>
    accounts.find((account) => account.igUsername === igUsername)?.timeZone ?? platform.timeZone();
  return (
    <BillingSection name="money-back" title="Money back">
      {hasFailed && <Unread again={again} />}
      <ul>
        {data?.map((one) => (
          <li className={styles['line']} key={one.id}>
            <span>
              @{one.igUsername}: <strong>{one.state}</strong>
            </span>
            <strong>{amountRange(centsOf(one.amount), centsOf(one.most))}</strong>
            <span className={styles['next']}>
              {arithmeticOf(one)} {moneyBackSentence(one, zoneOf(one.igUsername))}
            </span>
          </li>
        ))}
      </ul>
    </BillingSection>
  );
}

/** What happens next with money that goes back, with its date (D5). */
export function moneyBackSentence(
  { state, approvedBy, paidAt }: MoneyBack,
  timeZone: string,
): string {
  const day = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  switch (state) {
    case 'Requested':
      return `We’ll approve it no later than ${day(approvedBy)}. ${MONEY_REACHES_BANK}`;
    case 'Approved':
      return `Approved on ${day(approvedBy)}. ${MONEY_REACHES_BANK}`;
    case 'Paid':
      return paidAt === null ? 'Sent to your bank.' : `Sent to your bank on ${day(paidAt)}.`;
    default:
      return state satisfies never;
  }
}
