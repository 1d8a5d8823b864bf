import { lazy, Suspense, useCallback, useState } from 'react';
import { findWaitingPayments } from '#shared/contract/payment.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useRead } from '#web/customer/use-read.ts';
import { useServices } from '#web/platform/services.ts';

/** Few customers ever have anything there. */
const WaitingPayments = lazy(async () => {
  const { WaitingPayments: Waiting } = await import('./waiting-payments.tsx');
  return { default: Waiting };
});

/** Payments that wait for the customer, of whom the replica knows nothing; the server is asked when the page opens. */
export function WaitingForYou() {
  const { userId } = useCustomer();
  const { api } = useServices();
  const read = useCallback(() => api.call(findWaitingPayments, { userId }), [api, userId]);
  const { data = [], again } = useRead(read);
  const [isShown, setIsShown] = useState(false);
  // Once the last one has ended, how it ended stays there.
  if (data.length > 0 && !isShown) setIsShown(true);
  return isShown ? (
    <Suspense>
      <WaitingPayments payments={data} again={again} />
    </Suspense>
  ) : null;
}
