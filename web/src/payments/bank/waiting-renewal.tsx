import { type ReactNode, useEffect, useState } from 'react';
import { findWaitingPayments, type WaitingPayment } from '#shared/contract/payment.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';

/**
 * Asks whether the renewal of an account waits for its customer, of which the replica knows nothing; shows what is
 * said of it, and of nothing until the server has answered.
 */
export function WaitingRenewal({
  igUsername,
  children,
}: {
  igUsername: string;
  children: (waiting: WaitingPayment | undefined) => ReactNode;
}) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const newest = useNewest();
  const [payments, setPayments] = useState<readonly WaitingPayment[]>([]);
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findWaitingPayments, { userId }, { isUnasked: true });
      if (isNewest() && answer.kind === 'success') setPayments(answer.data);
    };
    void ask();
    return platform.onWake(() => void ask());
  }, [api, newest, platform, userId]);
  const isHere = ({ what, paymentId, url, ...one }: WaitingPayment): boolean =>
    what === 'renewal' && one.igUsername === igUsername && (paymentId === null || url !== null);
  return children(payments.find(isHere));
}
