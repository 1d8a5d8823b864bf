import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { User } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { AddressFields } from '#web/components/address-fields.tsx';
import { CardFields } from '#web/components/card-fields.tsx';
import { focusFirstError } from '#web/components/focus-first-error.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { hideToasts, toastError } from '#web/components/toast.ts';
import { useServices } from '#web/platform/services.ts';
import {
  checkoutErrors,
  type CheckoutErrors,
  checkoutInput,
  type CheckoutValues,
  openingValues,
  PLAN_OPTIONS,
} from './checkout-values.ts';
import styles from './checkout-form.module.css';
import { CheckoutSummary } from './checkout-summary.tsx';
import { refusalSentence } from './refusal-sentence.ts';
import { usePayment } from './use-payment.ts';

const NO_ANSWER =
  'No answer came back, so we do not know yet whether you were charged. Press the button again: the same payment is never charged twice.';
const NOT_ACTIVE =
  'You were charged, but the subscription is not active yet. Please open the dashboard in a minute; do not pay again.';

/** Plan, card and address in one column, the summary beside or below it, one button. */
export function CheckoutForm({
  user,
  isPaid,
  onPaid,
}: {
  user: User;
  isPaid: boolean;
  onPaid: () => void;
}) {
  const { platform } = useServices();
  const payment = usePayment();
  const [values, setValues] = useState(() => openingValues(user));
  const [errors, setErrors] = useState<CheckoutErrors>({});
  const [problem, setProblem] = useState<string>();
  const [isPaying, setIsPaying] = useState(false);
  const timeZone = platform.timeZone();
  const plan = findPlan(Number(values.plan));

  const change = (changes: Partial<CheckoutValues>, found: CheckoutErrors = {}): void => {
    setValues((before) => ({ ...before, ...changes }));
    const touched = new Set(Object.keys(changes));
    const untouched = Object.entries(errors).filter(([field]) => !touched.has(field));
    setErrors({ ...Object.fromEntries(untouched), ...found });
  };

  const pay = async (form: HTMLFormElement): Promise<void> => {
    hideToasts();
    setIsPaying(true);
    setProblem(undefined);
    const customer = { userId: user.id, igUsername: user.defaultIgUsername, timeZone };
    const outcome = await payment.pay(checkoutInput(values, customer));
    setIsPaying(false);
    if (outcome.kind === 'paid') {
      if (!outcome.data.inSubscription) return setProblem(NOT_ACTIVE);
      setValues(openingValues(outcome.data));
      return onPaid();
    }
    if (outcome.kind === 'no_answer') {
      toastError('Failed to process payment');
      return setProblem(NO_ANSWER);
    }
    toastError('Unable to process the payment');
    setErrors(outcome.fields);
    if (!focusFirstError(form, outcome.fields)) {
      setProblem(refusalSentence(outcome.code, outcome.message));
    }
    return undefined;
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = checkoutErrors(values, platform.now(), timeZone);
    setErrors(found);
    if (!focusFirstError(form, found)) {
      pay(form).catch((error: unknown) => platform.report('The payment was left', error));
    }
  };

  const fields = { values, errors, change };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label="Secure checkout">
      <div className={styles['fields']}>
        <p className={styles['account']}>
          For <strong>@{user.defaultIgUsername}</strong>
        </p>
        <NativeSelect
          label="Choose Your plan"
          name="packageIndex"
          data={PLAN_OPTIONS}
          value={values.plan}
          onChange={(event) => change({ plan: event.currentTarget.value })}
        />
        <CardFields {...fields} />
        <AddressFields {...fields} />
      </div>
      {plan && (
        <aside className={styles['side']} aria-label="Summary">
          <CheckoutSummary plan={plan} />
        </aside>
      )}
      <div className={styles['pay']}>
        {payment.checking && (
          <p className={styles['checking']} role="alert">
            {payment.checking}
          </p>
        )}
        <FormProblem sentence={problem} />
        <div className={styles['payRow']}>
          <Button type="submit" loading={isPaying} disabled={isPaid}>
            Confirm & Pay
          </Button>
          {plan && (
            <p className={styles['amount']}>
              <strong>{formatCents(plan.priceCents)}</strong> today
            </p>
          )}
        </div>
      </div>
    </form>
  );
}
