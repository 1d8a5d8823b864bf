import type { ReactNode } from 'react';
import type { WaitingPayment } from '#shared/contract/money/payment.ts';
import { useWaitingPayments } from './use-waiting-payments.ts';

/** Shows what is said of the renewal of an account where it waits for its customer, and of nothing until that is known. */
export function WaitingRenewal({
  igUsername,
  children,
}: {
  igUsername: string;
  children: (waiting: WaitingPayment | undefined) => ReactNode;
}) {
  const { payments } = useWaitingPayments();
  const isHere = ({ what, paymentId, url, ...one }: WaitingPayment): boolean =>
    what === 'renewal' && one.igUsername === igUsername && (paymentId === null || url !== null);
  return children(payments.find(isHere));
}
