import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import type { Ownership } from '#shared/contract/account-changes.ts';
import type { User } from '#shared/contract/user.ts';
import { findTimeZone } from '#shared/domain/time-zone.ts';
import type { Plan } from '#shared/domain/plans.ts';
import { hasRunningPlan } from '#web/components/account-state.ts';
import { firstLikeSteps } from '#web/components/first-like.ts';
import { FirstLikeSteps } from '#web/components/first-like-steps.tsx';
import { PLAN_OPTIONS } from '#web/components/plan-options.ts';
import type { PaymentOutcome } from '#web/api/payment-attempts.ts';
import { ZoneInput, ZONES } from '#web/components/zone-input.tsx';
import { usePayment } from '#web/components/use-payment.ts';
import { forgetPickedPlan, keepPickedPlan } from '#web/platform/picked-plan.ts';
import { useServices } from '#web/platform/services.ts';
import { CheckoutTitle } from './checkout-frame.tsx';
import { planCall, planInput, planNamed } from './checkout-inputs.ts';
import { PlanSummary } from './checkout-summary.tsx';
import { OwnershipProof } from './ownership-proof.tsx';
import { PaidAlready } from './paid-already.tsx';
import { PaymentForm } from './payment-form.tsx';
import type { PaymentMeans } from './payment-means.tsx';
import styles from './plan-checkout.module.css';
import { SuccessDialog } from './success-dialog.tsx';
import { takeOverPlan } from './take-over.ts';
import { useOwnership } from './use-ownership.ts';

const NOT_ACTIVE =
  'You were charged, but your plan isn’t active yet. Please open the dashboard in a minute. Please do not pay again.';

/** The checkout of one account's plan; an account that is paid gets a plan change instead (D5). */
export function PlanCheckout({
  user,
  igUsername,
  firstPlan,
}: {
  user: User;
  igUsername: string;
  firstPlan: Plan;
}) {
  const services = useServices();
  const { checking, pay } = usePayment(planCall);
  const { plan, pick, forget } = usePlanPicked(user, igUsername, firstPlan);
  const zone = useZone(services.platform.timeZone());
  const [isPaid, setIsPaid] = useState(false);
  const { ownership, setOwnership, reload } = useOwnership(user.id, igUsername);
  /**
   * The local copy may show the plan before the answer to its payment has come, and the answer may be
   * lost: then the form stays, and sent again it hears that it was paid.
   */
  const [hasTried, setHasTried] = useState(false);
  const account = user.connectedAccounts.find((one) => one.igUsername === igUsername);
  if (account && hasRunningPlan(account) && !hasTried && !isPaid) {
    return (
      <>
        <CheckoutTitle title="Your plan" />
        <PaidAlready account={account} firstPlan={firstPlan} />
      </>
    );
  }

  const onPaid = (paid: User): string | undefined => {
    // Drawn before the account counts as paid, or the plan change would take the dialog's place.
    if (paid.inSubscription) flushSync(() => setIsPaid(true));
    if (paid.inSubscription) forget();
    takeOverPlan(services, paid, igUsername).catch((error: unknown) =>
      services.platform.report('The accounts could not be read again', error),
    );
    return paid.inSubscription ? undefined : NOT_ACTIVE;
  };
  const payWith = async (means: PaymentMeans): Promise<PaymentOutcome<User>> => {
    setHasTried(true);
    const outcome = await pay(planInput(means, plan, customer));
    if (outcome.kind === 'refused' && outcome.code === 'account_already_subscribed') await reload();
    return outcome;
  };
  const customer = { userId: user.id, igUsername, timeZone: zone.timeZone };
  const proof = ownership && !isPaid && (
    <OwnershipProof {...{ userId: user.id, igUsername, ownership }} onProved={setOwnership} />
  );
  // No card is typed for what would be refused.
  const isProofNeeded = ownership?.standing === 'proof_needed' && !ownership.isProved;
  if (isProofNeeded) {
    return (
      <>
        <CheckoutTitle />
        {proof}
      </>
    );
  }
  return (
    <>
      <CheckoutTitle />
      <PaymentForm
        user={user}
        choice={
          <>
            {proof}
            <p className={styles['account']}>
              For <strong>@{igUsername}</strong>
            </p>
            <NativeSelect
              label="Choose Your plan"
              name="packageIndex"
              autoComplete="off"
              data={PLAN_OPTIONS}
              value={String(plan.number)}
              onChange={(event) => pick(planNamed(event.currentTarget.value))}
            />
            <ZoneInput
              description="Your plan’s days start at midnight in this time zone. You can’t change it once the plan starts."
              {...zone.input}
            />
            <p className={styles['account']}>
              Only want likes on certain posts?{' '}
              <Link to={services.paths.credits}>Use credits without a plan</Link>
            </p>
          </>
        }
        summary={<PlanSummary plan={plan} timeZone={zone.timeZone} />}
        amountCents={plan.priceCents}
        assurance={assuranceOf(ownership)}
        pay={payWith}
        checking={checking}
        refused="Unable to process the payment"
        isPaid={isPaid}
        onPaid={onPaid}
      />
      <SuccessDialog
        isOpen={isPaid}
        amountCents={plan.priceCents}
        bought={[plan.description, 'likes per post']}
      >
        <FirstLikeSteps steps={firstLikeSteps(plan, igUsername, [])} />
      </SuccessDialog>
    </>
  );
}

/** The plan in the form; of the customer's own account this device remembers it until it is paid. */
function usePlanPicked(user: User, igUsername: string, firstPlan: Plan) {
  const { platform } = useServices();
  const [plan, setPlan] = useState(firstPlan);
  const isOwn = igUsername === user.defaultIgUsername;
  return {
    plan,
    pick: (picked: Plan) => {
      setPlan(picked);
      if (isOwn) keepPickedPlan(platform, user.id, picked.number);
    },
    forget: () => {
      if (isOwn) forgetPickedPlan(platform);
    },
  };
}

/** Money back is promised where the account still has it (D5). */
function assuranceOf(ownership: Ownership | undefined): string {
  const isUsed = ownership?.standing === 'money_back_used' && !ownership.isProved;
  return isUsed ? 'Cancel anytime.' : 'Cancel anytime. 30-day money-back guarantee.';
}

/** The zone chosen, at first the browser's; what is typed and names none is put back on leaving the field. */
function useZone(first: string) {
  const [timeZone, setTimeZone] = useState(first);
  const [text, setText] = useState(first);
  return {
    timeZone,
    input: {
      value: text,
      onChange: (event: { currentTarget: { value: string } }) => {
        setText(event.currentTarget.value);
        setTimeZone(findTimeZone(event.currentTarget.value, ZONES) ?? timeZone);
      },
      onBlur: () => setText(timeZone),
    },
  };
}
