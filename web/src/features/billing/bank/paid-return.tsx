import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { PaymentState } from '#shared/contract/money/payment.ts';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { centsOf, dollarsInWords } from '#web/payments/price-words.ts';
import { forgetPayingFrom } from '#web/platform/paying-from.ts';
import { forgetPickedPlan } from '#web/platform/picked-plan.ts';
import { useServices } from '#web/platform/services.ts';
import { CreditsPaid, PlanPaid } from '../success-dialog.tsx';
import { usePageLeft } from './use-page-left.ts';

type Paid = Extract<PaymentState, { kind: 'paid' }>;

/** What was paid, said as at the checkout itself; a card that was only confirmed leads back there. */
export function PaidReturn({ paid }: { paid: Paid }) {
  const { platform } = useServices();
  const { keepAnswer } = useCustomer();
  const { user, igUsername, what } = paid;
  useEffect(() => {
    // Shown as paid before the dialog leads to the dashboard.
    keepAnswer(user, igUsername).catch((error: unknown) =>
      platform.report('What was paid is not shown', error),
    );
    if (what === 'card') return;
    forgetPayingFrom(platform);
    if (what === 'subscription') forgetPickedPlan(platform);
  }, [keepAnswer, user, igUsername, what, platform]);
  switch (what) {
    case 'subscription':
      return <PaidPlan paid={paid} />;
    case 'credits':
      return <PaidCredits paid={paid} />;
    case 'plan_change':
    case 'renewal':
    case 'card':
      return <PaidOther paid={paid} />;
  }
}

function planOf({ user, igUsername }: Paid) {
  const account = user.connectedAccounts.find((one) => one.igUsername === igUsername);
  return findPlan(account?.accountPackageId ?? 0);
}

function PaidPlan({ paid }: { paid: Paid }) {
  const plan = planOf(paid);
  if (!plan || paid.igUsername === undefined) return <PaidOther paid={paid} />;
  return (
    <PlanPaid isOpen amountCents={centsOf(paid.amount)} plan={plan} igUsername={paid.igUsername} />
  );
}

function PaidCredits({ paid }: { paid: Paid }) {
  const amountCents = centsOf(paid.amount);
  const pack = CREDIT_PACKAGES.find(({ priceCents }) => priceCents === amountCents);
  if (!pack) return <PaidOther paid={paid} />;
  return (
    <CreditsPaid
      isOpen
      amountCents={amountCents}
      bought={pack.credits}
      credits={paid.user.credits}
    />
  );
}

function PaidOther({ paid }: { paid: Paid }) {
  const { paths } = useServices();
  const page = usePageLeft();
  const isCard = paid.what === 'card';
  return (
    <div className="notice grid justify-items-start gap-2" data-tone="good" role="status">
      {!isCard && <p className="font-600">Payment Successful</p>}
      <p>{isCard ? 'Your card is saved.' : paidSentence(paid)}</p>
      <p>
        {isCard && page !== paths.billing ? (
          <Link to={page}>Continue to payment</Link>
        ) : (
          <Link to={isCard ? paths.billing : paths.dashboard}>
            {isCard ? 'Go to billing' : 'Go to the dashboard'}
          </Link>
        )}
      </p>
    </div>
  );
}

function paidSentence(paid: Paid): string {
  const amount = `You paid ${dollarsInWords(paid.amount)}.`;
  const plan = planOf(paid);
  if (!plan) return amount;
  return paid.what === 'renewal'
    ? `${amount} @${paid.igUsername}’s plan is paid for another month.`
    : `${amount} @${paid.igUsername}’s next post gets ${plan.description} likes.`;
}
