import { useCallback } from 'react';
import { findPaymentReturns, type PaymentReturn } from '#shared/contract/money/returned-money.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { BillingSection } from '../billing-section.tsx';
import { useRead } from '#web/customer/use-read.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { Unread } from './unread.tsx';
import { dateInWords } from '#web/ui/words/dates.ts';

/**
 * Payments that a bank has called back, or that were refunded; nothing for whoever has none. The replica
 * doesn't have them, so nobody is told of them while the server is away.
 */
export function PaymentReturns() {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const read = useCallback(() => api.call(findPaymentReturns, { userId }), [api, userId]);
  const { data, hasFailed, again } = useRead(read);
  if (!hasFailed && !data?.length) return null;
  return (
    <BillingSection name="payment-returns" title="Disputes and refunds">
      {hasFailed && <Unread again={again} />}
      <ul>
        {data?.map((one) => (
          <li className={styles['line']} key={one.id}>
            <span>
              {one.igUsername === undefined ? '' : `@${one.igUsername}: `}
              <strong>{paymentReturnTitle(one)}</strong>
            </span>
            <strong>{dollarsInWords(one.amount)}</strong>
            <span className={styles['next']}>
              {paymentReturnSentence(one, platform.timeZone())}
            </span>
          </li>
        ))}
      </ul>
    </BillingSection>
  );
}

function paymentReturnTitle({ state }: Pick<PaymentReturn, 'state'>): string {
  switch (state) {
    case 'disputed':
      return 'Disputed by your bank';
    case 'stands':
      return 'Dispute decided: paid';
    case 'taken':
      return 'Returned by your bank';
    case 'refunded':
      return 'Refunded';
    default:
      return state satisfies never;
  }
}

/** Which payment it is, what holds now, and what happens next. */
export function paymentReturnSentence(payment: PaymentReturn, timeZone: string): string {
  const { description, paidAt, at, decidedAt, state, takenCredits } = payment;
  const day = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  const credits = `${takenCredits.toLocaleString('en-US')} ${takenCredits === 1 ? 'credit' : 'credits'}`;
  const are = takenCredits === 1 ? 'is' : 'are';
  const paid = `${description}, paid on ${day(paidAt)}.`;
  const decided = day(decidedAt ?? at);
  switch (state) {
    case 'disputed': {
      const taken = takenCredits > 0 ? `${credits} ${are} out of your balance, ` : '';
      return `${paid} Your bank disputed it on ${day(at)}, and will decide. Until it does, ${taken}the card can’t be used here, and we can’t return any money.`;
    }
    case 'stands': {
      const back = takenCredits > 0 ? `${credits} ${are} back in your balance. ` : '';
      return `${paid} Your bank decided on ${decided}, that the payment stands. ${back}The card can be used again. A plan that was stopped gets the days it had left, if its account is still free.`;
    }
    case 'taken': {
      const gone = takenCredits > 0 ? `${credits} from it ${are} gone. ` : '';
      return `${paid} Your bank returned the money to you on ${decided}. ${gone}The card can no longer be used here. Other cards can.`;
    }
    case 'refunded':
      return `${paid} Sent to your bank on ${day(at)}.`;
    default:
      return state satisfies never;
  }
}
