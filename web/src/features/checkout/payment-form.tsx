import { Button } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { User } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import type { PaymentOutcome } from '#web/api/payment-attempts.ts';
import { AddressFields } from '#web/components/address-fields.tsx';
import { CardFields } from '#web/components/card-fields.tsx';
import type { CardValues } from '#web/components/card-values.ts';
import { focusFirstError } from '#web/components/focus-first-error.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { NeedsNetwork } from '#web/components/needs-network.tsx';
import { OutsideLink } from '#web/components/outside-link.tsx';
import { NO_PAYMENT_ANSWER } from '#web/components/payment-sentences.ts';
import { refusalSentence } from '#web/components/refusal-sentence.ts';
import { hideToasts, toastError } from '#web/components/toast.ts';
import { useCardForm } from '#web/components/use-card-form.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './payment-form.module.css';

interface PaymentFormProps {
  user: User;
  /** What is bought, chosen above the card. */
  choice: ReactNode;
  /** The choice's fields that need a sentence; empty: may be sent. */
  checkChoice?: () => Record<string, string>;
  summary: ReactNode;
  /** Undefined while nothing is chosen. */
  amountCents: number | undefined;
  pay: (card: CardValues) => Promise<PaymentOutcome<User>>;
  /** The server's sentence while a payment is being checked. */
  checking: string | undefined;
  /** S§8's message when the payment is refused. */
  refused: string;
  isPaid: boolean;
  /** Takes the paid user over; a sentence when something is still open. */
  onPaid: (user: User) => string | undefined;
}

/** The one form of all checkouts: choice, summary, card and address, then one button. */
export function PaymentForm(props: PaymentFormProps) {
  const { user, amountCents, isPaid } = props;
  const { platform } = useServices();
  const card = useCardForm(user);
  const [problem, setProblem] = useState<string>();
  const [isPaying, setIsPaying] = useState(false);

  const takeIn = (outcome: PaymentOutcome<User>, form: HTMLFormElement): string | undefined => {
    if (outcome.kind === 'paid') {
      const open = props.onPaid(outcome.data);
      if (!open) card.reset();
      return open;
    }
    if (outcome.kind === 'no_answer') {
      toastError(outcome.wasAnswered ? props.refused : 'Failed to process payment');
      return NO_PAYMENT_ANSWER;
    }
    toastError(props.refused);
    card.show(outcome.fields);
    if (focusFirstError(form, outcome.fields)) return undefined;
    return refusalSentence(outcome.code, outcome.message);
  };

  const pay = async (form: HTMLFormElement): Promise<void> => {
    hideToasts();
    setIsPaying(true);
    setProblem(undefined);
    const outcome = await props.pay(card.fields.values);
    setIsPaying(false);
    setProblem(takeIn(outcome, form));
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = { ...props.checkChoice?.(), ...card.check() };
    if (isPaying || isPaid || focusFirstError(form, found)) return;
    pay(form).catch((error: unknown) => platform.report('The payment was left', error));
  };

  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label="Secure checkout">
      <div className={styles['choice']}>{props.choice}</div>
      <aside className={styles['side']} aria-label="Summary">
        {props.summary}
      </aside>
      <div className={styles['fields']}>
        <CardFields {...card.fields} />
        <AddressFields {...card.fields} />
        <LegalLinks />
      </div>
      <div className={styles['pay']}>
        <PaymentNotes checking={props.checking} problem={problem} />
        <div className={styles['payRow']}>
          <Button type="submit" loading={isPaying} disabled={isPaid}>
            Confirm & Pay
          </Button>
          {amountCents !== undefined && (
            <p className={styles['amount']}>
              <strong>{formatCents(amountCents)}</strong> today
            </p>
          )}
        </div>
      </div>
    </form>
  );
}

function PaymentNotes({
  checking,
  problem,
}: {
  checking: string | undefined;
  problem: string | undefined;
}) {
  return (
    <>
      {checking && (
        <p className={styles['checking']} role="alert">
          {checking}
        </p>
      )}
      <FormProblem sentence={problem} />
      <NeedsNetwork what="A payment" />
    </>
  );
}

function LegalLinks() {
  const { paths } = useServices();
  return (
    <p className={styles['legal']}>
      By paying you accept the <OutsideLink href={paths.terms}>terms of service</OutsideLink> and
      the <OutsideLink href={paths.privacy}>privacy policy</OutsideLink>. Your card number goes to
      the payment gateway only and is never stored here.
    </p>
  );
}
