import { NativeSelect } from '@mantine/core';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { findOwnership, type Ownership } from '#shared/contract/accounts/account-changes.ts';
import type { User } from '#shared/contract/people/user.ts';
import { findTimeZone } from '#shared/domain/time-zone.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import { hasRunningPlan } from '#web/customer/account-state.ts';
import { LazyPlanAdvice } from '#web/payments/advice/lazy-advice.tsx';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';
import { ZONES, ZoneInput } from '#web/ui/forms/zone-input.tsx';
import { type PaymentOutcome, usePayment } from '#web/payments/use-payment.ts';
import { forgetPickedPlan, keepPickedPlan } from '#web/platform/picked-plan.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { SECURE_CHECKOUT } from './checkout-frame.tsx';
import { planCall, planInput, planNamed } from './checkout-inputs.ts';
import { PlanSummary } from './checkout-summary.tsx';
import { OwnershipProof } from './ownership-proof.tsx';
import { PaidAlready } from './paid-already.tsx';
import { PlanPaid } from '../success-dialog.tsx';
import { PaymentForm } from './payment-form.tsx';
import type { PaymentMeans } from './payment-means.tsx';

const NOT_ACTIVE =
  'You were charged, but your plan isn’t active yet. Please open the dashboard in a minute. Please do not pay again.';

/** The checkout of one account's plan; an account that is paid gets a plan change instead (D5). */
export function PlanCheckout({
  user,
  igUsername,
  firstPlan,
  setTitle,
}: {
  user: User;
  igUsername: string;
  firstPlan: Plan;
  setTitle: (title: string) => void;
}) {
  const services = useServices();
  const { checking, pay, bank } = usePayment(planCall, igUsername);
  const { plan, pick, forget } = usePlanPicked(user, igUsername, firstPlan);
  const zone = useZone(services.platform.timeZone());
  const [isPaid, setIsPaid] = useState(false);
  const { ownership, setOwnership, reload } = useOwnership(user.id, igUsername);
  /**
   * The replica may show the plan before the answer to its payment has come, and the answer may be
   * lost: then the form stays, and sent again it hears that it was paid.
   */
  const [hasTried, setHasTried] = useState(false);
  const account = user.connectedAccounts.find((one) => one.igUsername === igUsername);
  const paid = account && hasRunningPlan(account) && !hasTried && !isPaid ? account : undefined;
  const title = paid ? 'Your plan' : SECURE_CHECKOUT;
  useLayoutEffect(() => {
    setTitle(title);
    return () => setTitle(SECURE_CHECKOUT);
  }, [setTitle, title]);
  if (paid) return <PaidAlready account={paid} firstPlan={firstPlan} />;

  const onPaid = (paid: User): string | undefined => {
    if (!paid.inSubscription) return NOT_ACTIVE;
    setIsPaid(true);
    forget();
    return undefined;
  };
  const payWith = async (means: PaymentMeans): Promise<PaymentOutcome> => {
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
  if (isProofNeeded) return proof;
  return (
    <>
      <PaymentForm
        user={user}
        choice={
          <>
            {proof}
            <p className="c-soft">
              For <strong className="c-text font-600">@{igUsername}</strong>
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
            <p className="c-soft">
              Only want likes on certain posts?{' '}
              <Link to={services.paths.credits}>Use credits without a plan</Link>
            </p>
          </>
        }
        summary={<PlanSummary plan={plan} timeZone={zone.timeZone} />}
        advice={
          account && <LazyPlanAdvice igId={account.igId} plan={plan} timeZone={zone.timeZone} />
        }
        amountCents={plan.priceCents}
        assurance={assuranceOf(ownership)}
        pay={payWith}
        checking={checking}
        bank={bank}
        refused="Unable to process the payment"
        isPaid={isPaid}
        onPaid={onPaid}
      />
      <PlanPaid isOpen={isPaid} amountCents={plan.priceCents} plan={plan} igUsername={igUsername} />
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

/** How it stands with whose an account is; undefined until it is known, or while it can't be asked. */
function useOwnership(
  userId: string,
  igUsername: string,
): {
  ownership: Ownership | undefined;
  setOwnership: (ownership: Ownership) => void;
  reload: () => Promise<void>;
} {
  const { api, platform } = useServices();
  const [ownership, setOwnership] = useState<Ownership>();
  const ask = useCallback(async () => {
    const answer = await api.call(findOwnership, { userId, igUsername });
    if (answer.kind === 'success') return answer.data;
    // The checkout itself refuses what needs a proof.
    platform.report('Whose the account is could not be asked', answer.kind);
    return undefined;
  }, [api, platform, userId, igUsername]);
  const newest = useNewest();
  const reload = useCallback(async () => {
    const isNewest = newest();
    const found = await ask();
    if (isNewest()) setOwnership(found);
  }, [ask, newest]);
  useEffect(() => {
    const show = (): Promise<void> => reload();
    void show();
  }, [reload]);
  return { ownership, setOwnership, reload };
}
