import { useCallback, useEffect, useEffectEvent } from 'react';
import { findWaitingPayments, type WaitingPayment } from '#shared/contract/money/payment.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useRead } from '#web/customer/use-read.ts';
import { useServices } from '#web/platform/services.ts';

/**
 * What waits for the customer, of which the replica knows nothing: the server is asked when the page opens, when the
 * person is back, and `again`.
 */
export function useWaitingPayments(): { payments: readonly WaitingPayment[]; again: () => void } {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const read = useCallback(
    () => api.call(findWaitingPayments, { userId }, { isUnasked: true }),
    [api, userId],
  );
  const { data: payments = NONE, again } = useRead(read);
  const askAgain = useEffectEvent(again);
  useEffect(() => platform.onWake(() => askAgain()), [platform]);
  return { payments, again };
}

const NONE: readonly WaitingPayment[] = [];
