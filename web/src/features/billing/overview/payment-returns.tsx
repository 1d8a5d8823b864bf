import { useCallback } from 'react';
import { findPaymentReturns } from '#shared/contract/returned-money.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { BillingSection } from './billing-section.tsx';
import { useRead } from '#web/customer/use-read.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { paymentReturnSentence, paymentReturnTitle } from './payment-return-words.ts';
import { Unread } from './unread.tsx';

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
