import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { replaceBillingInfo } from '#shared/contract/money/subscription.ts';
import type { User } from '#shared/contract/people/user.ts';
import { BankAsks } from '#web/payments/bank/bank-asks.tsx';
import { CardFields } from '#web/payments/card/card-fields.tsx';
import { useCardForm } from '#web/payments/card/use-card-form.ts';
import { refusalSentence } from '#web/payments/refusal-sentence.ts';
import { type PaymentOutcome, usePayment } from '#web/payments/use-payment.ts';
import { useServices } from '#web/platform/services.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { focusFirst } from '#web/ui/forms/use-swap-focus.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import styles from './billing-page.module.css';

const NO_ANSWER =
  'We couldn’t reach the server, so we don’t know yet if your card was replaced. It’s safe to press the button again: you won’t be charged twice.';
const REPLACED = 'Your card has been replaced.';

/** Another card for all later charges; one that is past due is charged to it again. */
export function ReplaceCard({ user, close }: { user: User; close: () => void }) {
  const { platform } = useServices();
  const { pay, checking, bank } = usePayment(replaceBillingInfo);
  const card = useCardForm(user);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);

  const closeWith = (said: string): void => {
    toastSuccess(said);
    close();
  };
  const takeIn = (outcome: PaymentOutcome, form: HTMLFormElement): void => {
    setIsSaving(false);
    switch (outcome.kind) {
      case 'paid':
        return closeWith(outcome.message ?? REPLACED);
      case 'refused':
        card.refuse(outcome);
        if (!focusFirstError(form, outcome.fields)) {
          setProblem(refusalSentence(outcome.code, outcome.message));
        }
        return;
      case 'ended':
        card.refuse({});
        return setProblem(outcome.message);
      case 'no_answer':
        setProblem(NO_ANSWER);
    }
  };
  const save = async (form: HTMLFormElement): Promise<void> => {
    setIsSaving(true);
    setProblem(undefined);
    const taken = await card.take();
    if (taken.kind === 'card') return takeIn(await pay({ ...taken.card, userId: user.id }), form);
    setIsSaving(false);
    if (!focusFirstError(form, taken.errors)) setProblem(taken.problem);
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isSaving || focusFirstError(event.currentTarget, card.check())) return;
    save(event.currentTarget).catch((error: unknown) =>
      platform.report('The new card was left', error),
    );
  };

  return (
    <>
      <BankAsks asked={bank} />
      <form
        ref={focusFirst}
        className={styles['form']}
        hidden={bank !== undefined}
        onSubmit={submit}
        noValidate
        aria-label="Replace card"
      >
        <CardFields form={card} onSaved={() => closeWith(REPLACED)} />
        <FormProblem sentence={problem ?? checking} />
        <div className="flex flex-wrap gap-3">
          {card.way !== 'elsewhere' && (
            <Button type="submit" loading={isSaving}>
              Save card
            </Button>
          )}
          <Button variant="default" onClick={close} disabled={isSaving}>
            Keep the old card
          </Button>
        </div>
      </form>
    </>
  );
}
