import { type ReactNode, useEffect, useState } from 'react';
import { findWaitingPayments, type WaitingPayment } from '#shared/contract/payment.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';

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
  const [payments, setPayments] = useState<readonly WaitingPayment[]>([]);
  useEffect(() => {
    let isLeft = false;
    const ask = async (): Promise<void> => {
      const answer = await api.call(findWaitingPayments, { userId }, { isUnasked: true });
      if (!isLeft && answer.kind === 'success') setPayments(answer.data);
    };
    void ask();
    const stop = platform.onWake(() => void ask());
    return () => {
      isLeft = true;
      stop();
    };
  }, [api, platform, userId]);
  return children(payments.find((one) => one.what === 'renewal' && one.igUsername === igUsername));
}
