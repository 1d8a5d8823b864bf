import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { User } from '#shared/contract/user.ts';
import type { CreditPackage } from '#shared/domain/credit-packages.ts';
import type { PaymentOutcome } from '#web/api/payment-attempts.ts';
import { PackChoice, PACK_RULE } from '#web/components/pack-choice.tsx';
import { usePayment } from '#web/components/use-payment.ts';
import { useServices } from '#web/platform/services.ts';
import { CheckoutFrame, CheckoutTitle } from './checkout-frame.tsx';
import { packCall, packInput, packNamed } from './checkout-inputs.ts';
import { PackSummary } from './checkout-summary.tsx';
import { PaymentForm } from './payment-form.tsx';
import type { PaymentMeans } from './payment-means.tsx';
import { SuccessDialog } from './success-dialog.tsx';
import { takeOverUser } from './take-over.ts';

/** The checkout of a credit package; the one chosen before comes in the navigation state (S§2). */
export function CreditsPage() {
  return <CheckoutFrame>{(user) => <CreditsCheckout user={user} />}</CheckoutFrame>;
}

function CreditsCheckout({ user }: { user: User }) {
  const services = useServices();
  const location = useLocation();
  const { checking, pay } = usePayment(packCall);
  const [pack, setPack] = useState<CreditPackage | undefined>(() => packNamed(location.state));
  const [packError, setPackError] = useState<string>();
  const [isPaid, setIsPaid] = useState(false);
  const [creditsBefore] = useState(user.credits);

  const payWith = async (means: PaymentMeans): Promise<PaymentOutcome<User>> => {
    if (!pack) throw new Error('A package is required before the form is sent.');
    return pay(packInput(means, pack, user.id));
  };
  return (
    <>
      <CheckoutTitle />
      <PaymentForm
        user={user}
        choice={
          <PackChoice
            chosen={pack}
            error={packError}
            onChoose={(chosen) => {
              setPack(chosen);
              setPackError(undefined);
            }}
          />
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
        refused="Unable to process payment"
        isPaid={isPaid}
        onPaid={(paid) => {
          takeOverUser(services, paid);
          setIsPaid(true);
          return undefined;
        }}
      />
      <SuccessDialog
        isOpen={isPaid}
        amountCents={pack?.priceCents ?? 0}
        bought={[(pack?.credits ?? 0).toLocaleString('en-US'), 'credits']}
      >
        <p>
          You have {user.credits.toLocaleString('en-US')} credits now. Press “Extra likes” on any
          post to use them.
        </p>
      </SuccessDialog>
    </>
  );
}
