import { lazy, Suspense, useState } from 'react';
import type { WaitingPayment } from '#shared/contract/money/payment.ts';
import { useWaitingPayments } from '#web/payments/bank/use-waiting-payments.ts';

/** Few customers ever have anything there. */
const WaitingPayments = lazy(async () => {
  const { WaitingPayments: Waiting } = await import('./waiting-payments.tsx');
  return { default: Waiting };
});

/** Payments that wait for the customer, on the page that is about them. */
export function WaitingForYou() {
  return <Waiting {...useWaitingPayments()} />;
}

/** Once there was one, how the last one ended stays there. */
export function Waiting({
  payments,
  again,
}: {
  payments: readonly WaitingPayment[];
  again: () => void;
}) {
  const [isShown, setIsShown] = useState(false);
  if (payments.length > 0 && !isShown) setIsShown(true);
  return isShown ? (
    <Suspense>
      <WaitingPayments payments={payments} again={again} />
    </Suspense>
  ) : null;
}
