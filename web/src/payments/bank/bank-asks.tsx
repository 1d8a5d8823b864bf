import { lazy, Suspense } from 'react';
import type { PaymentAction } from '#shared/contract/money/payment-action.ts';
import type { PaymentEnd } from './use-payment-state.ts';

const fetchStep = () => import('./bank-step.tsx');
const BankStep = lazy(async () => {
  const { BankStep: Step } = await fetchStep();
  return { default: Step };
});

/** Has the step there before it is needed: it is, once a payment is on its way. */
export function fetchBankStep(): void {
  // Whoever shows it is told what went wrong.
  fetchStep().catch(() => undefined);
}

/** A payment that waits for the bank of whoever pays. */
export interface BankAsked {
  message: string;
  action: PaymentAction;
  end: (end: PaymentEnd, isGivenUp: boolean) => void;
}

/** Stands in a form's place while the bank asks. */
export function BankAsks({ asked }: { asked: BankAsked | undefined }) {
  if (!asked) return null;
  const { message, action, end } = asked;
  return (
    <Suspense fallback={<p role="status">{message}</p>}>
      <BankStep key={action.paymentId} message={message} action={action} onEnd={end} />
    </Suspense>
  );
}
