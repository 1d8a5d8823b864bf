import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { User } from '#shared/contract/people/user.ts';
import type { CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { PackChoice, PACK_RULE } from '../pack-choice.tsx';
import { type PaymentOutcome, usePayment } from '#web/payments/use-payment.ts';
import { LazyPackPreview } from '#web/payments/advice/lazy-advice.tsx';
import { CheckoutFrame } from './checkout-frame.tsx';
import { packCall, packInput, packNamed } from './checkout-inputs.ts';
import { PackSummary } from './checkout-summary.tsx';
import { CreditsPaid } from '../success-dialog.tsx';
import { PaymentForm } from './payment-form.tsx';
import type { PaymentMeans } from './payment-means.tsx';

/** The checkout of a credit package; the one chosen before comes in the navigation state (S§2). */
export function CreditsPage() {
  return <CheckoutFrame>{(user) => <CreditsCheckout user={user} />}</CheckoutFrame>;
}

function CreditsCheckout({ user }: { user: User }) {
  const location = useLocation();
  const { checking, pay, bank } = usePayment(packCall);
  const [pack, setPack] = useState<CreditPackage | undefined>(() => packNamed(location.state));
  const [packError, setPackError] = useState<string>();
  const [isPaid, setIsPaid] = useState(false);
  const [creditsBefore] = useState(user.credits);

  const payWith = async (means: PaymentMeans): Promise<PaymentOutcome> => {
    if (!pack) throw new Error('A package is required before the form is sent.');
    return pay(packInput(means, pack, user.id));
  };
  return (
    <>
      <PaymentForm
        user={user}
        choice={
          <>
            <PackChoice
              chosen={pack}
              error={packError}
              onChoose={(chosen) => {
                setPack(chosen);
                setPackError(undefined);
              }}
            />
            <LazyPackPreview pack={pack} />
          </>
        }
        checkChoice={() => {
          if (pack) return {};
          setPackError(PACK_RULE);
          return { credits: PACK_RULE };
        }}
        summary={<PackSummary pack={pack} credits={isPaid ? creditsBefore : user.credits} />}
        amountCents={pack?.priceCents}
        assurance="Paid once, with no further charges."
        pay={payWith}
        checking={checking}
        bank={bank}
        refused="Unable to process payment"
        isPaid={isPaid}
        onPaid={() => {
          setIsPaid(true);
          return undefined;
        }}
      />
      <CreditsPaid
        isOpen={isPaid}
        amountCents={pack?.priceCents ?? 0}
        bought={pack?.credits ?? 0}
        credits={user.credits}
      />
    </>
  );
}
