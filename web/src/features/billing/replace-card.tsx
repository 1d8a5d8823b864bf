import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { replaceBillingInfo } from '#shared/contract/subscription.ts';
import type { User } from '#shared/contract/user.ts';
import { AddressFields } from '#web/components/address-fields.tsx';
import { CardFields } from '#web/components/card-fields.tsx';
import {
  cardErrors,
  type CardErrors,
  type CardValues,
  openingCardValues,
} from '#web/components/card-values.ts';
import { focusFirstError } from '#web/components/focus-first-error.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { refusalSentence } from '#web/components/refusal-sentence.ts';
import { toastSuccess } from '#web/components/toast.ts';
import { usePayment } from '#web/components/use-payment.ts';
import { stateWithUser } from '#web/platform/client-state.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';

const NO_ANSWER =
  'We couldn’t reach the server, so we don’t know yet if your card was replaced. It’s safe to press the button again: you won’t be charged twice.';

/** Another card for all later charges; one that is past due is charged to it again. */
export function ReplaceCard({ user, close }: { user: User; close: () => void }) {
  const { platform, state } = useServices();
  const { pay, checking } = usePayment(replaceBillingInfo);
  const [values, setValues] = useState(() => openingCardValues(user));
  const [errors, setErrors] = useState<CardErrors>({});
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  const change = (changes: Partial<CardValues>, found: CardErrors = {}): void => {
    setValues((before) => ({ ...before, ...changes }));
    const kept = Object.entries(errors).filter(([field]) => !(field in changes));
    setErrors({ ...Object.fromEntries(kept), ...found });
  };
  const save = async (form: HTMLFormElement): Promise<void> => {
    setIsSaving(true);
    setProblem(undefined);
    const outcome = await pay({ ...values, userId: user.id });
    setIsSaving(false);
    switch (outcome.kind) {
      case 'paid':
        state.setState(stateWithUser(state.getState(), outcome.data));
        toastSuccess(outcome.message ?? 'Your card has been replaced.');
        return close();
      case 'refused':
        setErrors(outcome.fields);
        if (!focusFirstError(form, outcome.fields)) {
          setProblem(refusalSentence(outcome.code, outcome.message));
        }
        return;
      case 'no_answer':
        setProblem(NO_ANSWER);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = cardErrors(values, platform.now(), platform.timeZone());
    setErrors(found);
    if (isSaving || focusFirstError(event.currentTarget, found)) return;
    save(event.currentTarget).catch((error: unknown) =>
      platform.report('The new card was left', error),
    );
  };

  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label="Replace card">
      <CardFields values={values} errors={errors} change={change} />
      <AddressFields values={values} errors={errors} change={change} />
      <FormProblem sentence={problem ?? checking} />
      <div className={styles['row']}>
        <Button type="submit" loading={isSaving}>
          Save card
        </Button>
        <Button variant="default" onClick={close} disabled={isSaving}>
          Keep the old card
        </Button>
      </div>
    </form>
  );
}
