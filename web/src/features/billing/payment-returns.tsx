import { useCallback } from 'react';
import { findPaymentReturns } from '#shared/contract/credits.ts';
import { formatCents } from '#shared/domain/money.ts';
import { useCustomer } from '#web/components/customer.ts';
import { centsOf } from '#web/components/price-words.ts';
import { useRead } from '#web/components/use-read.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { paymentReturnSentence, paymentReturnTitle } from './payment-return-words.ts';
import { Unread } from './unread.tsx';

/**
 * Payments that a bank has called back, or that were refunded; nothing for whoever has none. The local copy
 * doesn't have them, so nobody is told of them while the server is away.
 */
export function PaymentReturns() {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const read = useCallback(() => api.call(findPaymentReturns, { userId }), [api, userId]);
  const { data, hasFailed, again } = useRead(read);
  if (!hasFailed && !data?.length) return null;
  return (
    <section className={styles['section']} aria-labelledby="payment-returns-title">
      <h2 id="payment-returns-title">Disputes and refunds</h2>
      {hasFailed && <Unread again={again} />}
      <ul className={styles['charges']}>
        {data?.map((one) => (
          <li key={one.id}>
            <span>
              {one.igUsername === undefined ? '' : `@${one.igUsername}: `}
              <strong>{paymentReturnTitle(one)}</strong>
            </span>
            <strong>{formatCents(centsOf(one.amount))}</strong>
            <span className={styles['next']}>
              {paymentReturnSentence(one, platform.timeZone())}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
