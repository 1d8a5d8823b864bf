import { Button } from '@mantine/core';
import { Fragment, useState, type FormEvent, type ReactNode } from 'react';
import type { User } from '#shared/contract/user.ts';
import { formatCents } from '#shared/domain/money.ts';
import type { PaymentOutcome } from '#web/api/payment-attempts.ts';
import { focusFirstError } from '#web/components/focus-first-error.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { NeedsNetwork } from '#web/components/needs-network.tsx';
import { OutsideLink } from '#web/components/outside-link.tsx';
import { NO_PAYMENT_ANSWER } from '#web/components/payment-sentences.ts';
import { refusalSentence } from '#web/components/refusal-sentence.ts';
import { hideToasts, toastError } from '#web/components/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { cardInWords } from '#web/components/card-in-words.ts';
import styles from './payment-form.module.css';
import { MeansFields, type MeansForm, type PaymentMeans, useMeansForm } from './payment-means.tsx';

interface PaymentFormProps {
  user: User;
  /** What is bought, chosen above the card. */
  choice: ReactNode;
  /** The choice's fields that need a sentence; empty: may be sent. */
  checkChoice?: () => Record<string, string>;
  summary: ReactNode;
  /** Undefined while no pack is picked; nothing is paid with a saved card before that. */
  amountCents: number | undefined;
  /** What frees a person from worry, at the button. */
  assurance: string;
  pay: (means: PaymentMeans) => Promise<PaymentOutcome<User>>;
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
  const form = useMeansForm(user);
  const [problem, setProblem] = useState<string>();
  const [isPaying, setIsPaying] = useState(false);

  const takeIn = (outcome: PaymentOutcome<User>, element: HTMLFormElement): string | undefined => {
    if (outcome.kind === 'paid') {
      const open = props.onPaid(outcome.data);
      if (!open) form.card.reset();
      return open;
    }
    if (outcome.kind === 'no_answer') {
      toastError(outcome.wasAnswered ? props.refused : 'Failed to process payment');
      return NO_PAYMENT_ANSWER;
    }
    toastError(props.refused);
    form.card.show(outcome.fields);
    if (focusFirstError(element, outcome.fields)) return undefined;
    return refusalSentence(outcome.code, outcome.message);
  };

  const pay = async (element: HTMLFormElement): Promise<void> => {
    hideToasts();
    setIsPaying(true);
    setProblem(undefined);
    const outcome = await props.pay(form.means);
    setIsPaying(false);
    setProblem(takeIn(outcome, element));
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    const found = { ...props.checkChoice?.(), ...form.check() };
    if (isPaying || isPaid || focusFirstError(element, found)) return;
    pay(element).catch((error: unknown) => platform.report('The payment was left', error));
  };

  // A saved card stands above what is chosen, so that the button at the end never names it first.
  const choice = (
    <Fragment key="choice">
      <div className={styles['choice']}>{props.choice}</div>
      <aside className={styles['side']} aria-label="Summary">
        {props.summary}
      </aside>
    </Fragment>
  );
  const means = (
    <div key="means" className={styles['fields']}>
      <MeansFields form={form} isDisabled={isPaying || isPaid} />
    </div>
  );
  const isOpen = form.usesSaved && amountCents === undefined;
  return (
    <form
      className={styles['form']}
      data-paid={isPaid || undefined}
      onSubmit={submit}
      noValidate
      aria-label="Secure checkout"
    >
      {form.usesSaved ? [means, choice] : [choice, means]}
      <LegalLinks />
      <div className={styles['pay']}>
        <PaymentNotes checking={props.checking} problem={problem} />
        <div className={styles['payRow']}>
          <Button type="submit" loading={isPaying} disabled={isPaid || isOpen}>
            {isOpen ? 'Pick a pack' : payLabel(form, amountCents)}
          </Button>
          <p className={styles['assurance']}>{props.assurance}</p>
        </div>
      </div>
    </form>
  );
}

/** What the press does: how much is paid, and with what where that is known. */
function payLabel({ saved, usesSaved }: MeansForm, amountCents: number | undefined): string {
  const amount = amountCents === undefined ? '' : ` ${formatCents(amountCents)}`;
  return saved && usesSaved
    ? `Pay${amount} with the ${cardInWords(saved)}`
    : `Confirm & Pay${amount}`;
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
      By paying, you accept the <OutsideLink href={paths.terms}>terms of service</OutsideLink> and
      the <OutsideLink href={paths.privacy}>privacy policy</OutsideLink>. Your card number goes only
      to the payment gateway and is never stored here.
    </p>
  );
}
