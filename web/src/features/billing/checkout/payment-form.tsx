import { Button } from '@mantine/core';
import { type FormEvent, type MouseEvent, type ReactNode, useState } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { NeedsNetwork } from '#web/customer/needs-network.tsx';
import { NO_PAYMENT_ANSWER } from '#web/payments/payment-sentences.ts';
import { BankAsks, type BankAsked } from '#web/payments/bank/bank-asks.tsx';
import { refusalSentence } from '#web/payments/refusal-sentence.ts';
import type { PaymentOutcome } from '#web/payments/use-payment.ts';
import { hideToasts, toastError } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { cardInWords } from '#web/payments/card-in-words.ts';
import { useWaitingNotice } from '../bank/use-waiting-notice.tsx';
import styles from './payment-form.module.css';
import { MeansFields, type MeansForm, type PaymentMeans, useMeansForm } from './payment-means.tsx';

interface PaymentFormProps {
  user: User;
  /** What is bought, chosen above the card. */
  choice: ReactNode;
  /** The choice's fields that need a sentence; empty: may be sent. */
  checkChoice?: () => Record<string, string>;
  summary: ReactNode;
  /** What is said beside the price once it is known. */
  advice?: ReactNode;
  /** Undefined while no pack is picked; nothing is paid with a saved card before that. */
  amountCents: number | undefined;
  /** What frees a person from worry, at the button. */
  assurance: string;
  pay: (means: PaymentMeans) => Promise<PaymentOutcome>;
  /** The server's sentence while a payment is being checked. */
  checking: string | undefined;
  /** What the payer's bank asks, in the form's place. */
  bank: BankAsked | undefined;
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
  const waiting = useWaitingNotice();
  const [problem, setProblem] = useState<string>();
  const [isPaying, setIsPaying] = useState(false);

  const takeIn = (outcome: PaymentOutcome, element: HTMLFormElement): string | undefined => {
    if (outcome.kind === 'paid') {
      const open = props.onPaid(outcome.data);
      if (!open) form.card.reset();
      return open;
    }
    if (outcome.kind === 'no_answer') {
      toastError(outcome.wasAnswered ? props.refused : 'Failed to process payment');
      return NO_PAYMENT_ANSWER;
    }
    if (outcome.kind === 'ended') {
      form.card.refuse({});
      return outcome.message;
    }
    toastError(props.refused);
    form.card.refuse(outcome);
    if (focusFirstError(element, outcome.fields)) return undefined;
    return refusalSentence(outcome.code, outcome.message);
  };

  const pay = async (element: HTMLFormElement): Promise<void> => {
    hideToasts();
    setIsPaying(true);
    setProblem(undefined);
    const taken = await form.take();
    if (taken.kind === 'refused') {
      setIsPaying(false);
      if (!focusFirstError(element, taken.errors)) setProblem(taken.problem);
      return;
    }
    const outcome = await props.pay(taken.means);
    setIsPaying(false);
    setProblem(takeIn(outcome, element));
    if (outcome.kind !== 'paid') waiting.again();
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
    <div key="choice" className={styles['choice']}>
      {props.choice}
    </div>
  );
  const means = (
    <div key="means" className={styles['fields']}>
      <MeansFields form={form} isDisabled={isPaying || isPaid} />
    </div>
  );
  const isOpen = form.usesSaved && amountCents === undefined;
  return (
    <>
      {props.bank ? <BankAsks asked={props.bank} /> : waiting.opened}
      <form
        className={styles['form']}
        data-typed={!form.usesSaved || undefined}
        data-paid={isPaid || undefined}
        hidden={props.bank !== undefined}
        onSubmit={submit}
        noValidate
        aria-label="Secure checkout"
      >
        {form.usesSaved ? [means, choice] : [choice, means]}
        <aside className={styles['side']} aria-label="Summary">
          {props.summary}
          {/* It comes late, and pushes no field away. */}
          <div className={styles['late']}>
            {props.advice}
            {waiting.besideForm}
          </div>
        </aside>
        <LegalLinks />
        <div className={styles['pay']}>
          {waiting.byButton}
          <PaymentNotes checking={props.checking} problem={problem} />
          <div className={styles['payRow']}>
            <Button type="submit" loading={isPaying} disabled={isPaid || isOpen}>
              {isOpen ? 'Choose a package' : payLabel(form, amountCents)}
            </Button>
            <p className="c-soft text-1">{props.assurance}</p>
          </div>
        </div>
      </form>
    </>
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
        <p className="notice" data-tone="wait" role="alert">
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
      the <OutsideLink href={paths.privacy}>privacy policy</OutsideLink>. Your card number goes to
      the payment gateway and is never stored here.
    </p>
  );
}

/** A link that leaves this page open: the shell opens it, beside the app. */
function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  const { platform } = useServices();
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    // With a key held the browser has its own ways: a tab in the background, a window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    platform.openExternal(event.currentTarget.href);
  };
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={open}>
      {children}
    </a>
  );
}
