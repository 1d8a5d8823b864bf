import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import {
  confirmRenewal,
  type PaymentState,
  type WaitingPayment,
  bankAsked,
  CARD_CHECKED,
  CARD_PAGE_ASKED,
  PAYMENT_CHECKED,
} from '#shared/contract/money/payment.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { BankStep } from '#web/payments/bank/bank-step.tsx';
import { BankAsks } from '#web/payments/bank/bank-asks.tsx';
import { paidForInWords, refusedInWords, timeLeft } from '#web/payments/bank/bank-words.ts';
import {
  isEnd,
  type PaymentEnd,
  useFollowedPayment,
} from '#web/payments/bank/use-payment-state.ts';
import { NO_PAYMENT_ANSWER } from '#web/payments/payment-sentences.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { refusalSentence } from '#web/payments/refusal-sentence.ts';
import { outcomeOf, type PaymentOutcome, usePayment } from '#web/payments/use-payment.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { dateInWords } from '#web/ui/words/dates.ts';
import { BillingSection } from '../billing-section.tsx';
import styles from './waiting-payments.module.css';

/**
 * What waits for the customer: payments that their bank asks about, and renewals that can't be charged without
 * them; and what is still being checked.
 */
export function WaitingPayments({
  payments,
  again,
}: {
  payments: readonly WaitingPayment[];
  /** Reads anew what waits. */
  again: () => void;
}) {
  const [problem, setProblem] = useState<string>();
  if (payments.length === 0 && problem === undefined) return null;
  return (
    <BillingSection name="waiting" title="Waiting for you">
      <FormProblem sentence={problem} />
      <ul className="grid gap-4">
        {payments.map((one) => (
          <Waiting
            key={one.paymentId ?? one.accountId}
            payment={one}
            again={again}
            onEnd={(said) => {
              setProblem(said);
              again();
            }}
          />
        ))}
      </ul>
    </BillingSection>
  );
}

interface WaitingProps {
  payment: WaitingPayment;
  again: () => void;
  /** Told what to say of it; undefined: it is paid. */
  onEnd: (said: string | undefined) => void;
}

function Waiting({ payment, again, onEnd }: WaitingProps) {
  const takeIn = (outcome: PaymentOutcome): void => {
    if (outcome.kind === 'paid') {
      toastSuccess(payment.amount === 0 ? 'Your card is saved.' : `You paid ${amountOf(payment)}.`);
      return onEnd(undefined);
    }
    if (outcome.kind === 'refused') toastError(refusedInWords(payment.what));
    return onEnd(sentenceOf(outcome));
  };
  return (
    <li className={styles['one']}>
      <span className="flex flex-wrap justify-between gap-x-4">
        <span>{paidForInWords(payment.what, payment.igUsername)}</span>
        {payment.amount > 0 && <strong>{amountOf(payment)}</strong>}
      </span>
      <Way payment={payment} again={again} takeIn={takeIn} />
    </li>
  );
}

function Way({ payment, again, takeIn }: Omit<WaitingProps, 'onEnd'> & { takeIn: TakeIn }) {
  const { paymentId, url } = payment;
  if (paymentId === null) return <Renewal payment={payment} takeIn={takeIn} />;
  if (url !== null) return <AtBank payment={{ ...payment, paymentId, url }} takeIn={takeIn} />;
  return <BeingChecked payment={{ ...payment, paymentId }} again={again} takeIn={takeIn} />;
}

/** Shows how an end was, once the customer is shown as they are then. */
function useTakeEnd(igUsername: string | undefined, takeIn: TakeIn) {
  const { platform } = useServices();
  const { keepAnswer } = useCustomer();
  const take = async (how: PaymentEnd, isGivenUp: boolean): Promise<void> => {
    if (how.kind === 'paid') await keepAnswer(how.user, igUsername);
    takeIn(outcomeOf(how, isGivenUp));
  };
  return (how: PaymentEnd, isGivenUp = false): void => {
    take(how, isGivenUp).catch((error: unknown) =>
      platform.report('The end of a payment is not shown', error),
    );
  };
}

/** Nobody has heard yet what the gateway says of it; asked until it is known. */
function BeingChecked({
  payment: { paymentId, what, igUsername },
  again,
  takeIn,
}: {
  payment: WaitingPayment & { paymentId: string };
  again: () => void;
  takeIn: TakeIn;
}) {
  const { state } = useFollowedPayment(paymentId);
  const tell = useRef<(state: PaymentState) => void>(() => undefined);
  const takeEnd = useTakeEnd(igUsername, takeIn);
  useEffect(() => {
    tell.current = (told) => {
      if (isEnd(told)) takeEnd(told);
      // Its address comes with what is read anew.
      else if (told.kind === 'needs_action') again();
    };
  });
  useEffect(() => {
    if (state) tell.current(state);
  }, [state]);
  const said = what === 'card' ? CARD_CHECKED : PAYMENT_CHECKED;
  return <p role="status">{state?.kind === 'checking' ? state.message : said}</p>;
}

/** Told how it ended; what is paid is shown by then. */
type TakeIn = (outcome: PaymentOutcome) => void;

function AtBank({
  payment,
  takeIn,
}: {
  payment: WaitingPayment & { paymentId: string; url: string };
  takeIn: TakeIn;
}) {
  const takeEnd = useTakeEnd(payment.igUsername, takeIn);
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <>
        <Until payment={payment} />
        <p>
          <Button onClick={() => setIsOpen(true)}>
            {payment.isCardPage ? 'Enter your card' : 'Confirm with your bank'}
          </Button>
        </p>
      </>
    );
  }
  const { paymentId, url, isCardPage = false, amount, until } = payment;
  const asked = amount === 0 ? 'your card' : dollarsInWords(amount);
  const message = isCardPage ? CARD_PAGE_ASKED : bankAsked(asked);
  return (
    <BankStep
      message={message}
      action={{ paymentId, url, isCardPage, amount, until }}
      onEnd={takeEnd}
    />
  );
}

/** A renewal that the bank lets through only with its customer there: begun by one press. */
function Renewal({ payment, takeIn }: { payment: WaitingPayment; takeIn: TakeIn }) {
  const { platform } = useServices();
  const { userId } = useCustomer();
  const { pay, checking, bank } = usePayment(confirmRenewal, payment.igUsername);
  const [isPaying, setIsPaying] = useState(false);
  const { accountId } = payment;
  const confirm = async (): Promise<void> => {
    if (accountId === undefined) return;
    setIsPaying(true);
    const outcome = await pay({ userId, accountId });
    setIsPaying(false);
    takeIn(outcome);
  };
  if (bank) return <BankAsks asked={bank} />;
  return (
    <>
      <p>Your bank wants you to confirm this payment yourself. Nothing has been charged.</p>
      <Until payment={payment} />
      <FormProblem sentence={checking} />
      <p>
        <Button
          loading={isPaying}
          onClick={() => {
            confirm().catch((error: unknown) => platform.report('A renewal was left', error));
          }}
        >
          Pay {amountOf(payment)}
        </Button>
      </p>
    </>
  );
}

function Until({ payment: { until } }: { payment: WaitingPayment }) {
  const { platform } = useServices();
  const nowMs = platform.now();
  const isLong = Date.parse(until) - nowMs > DAY_MS;
  const left = isLong ? undefined : timeLeft(until, nowMs);
  const day = `You have until ${dateInWords(Date.parse(until), platform.timeZone())}.`;
  return <p className="c-soft">{left === undefined ? day : `You have ${left}.`}</p>;
}

const amountOf = ({ amount }: WaitingPayment): string => dollarsInWords(amount);

function sentenceOf(outcome: Exclude<PaymentOutcome, { kind: 'paid' }>): string {
  if (outcome.kind === 'no_answer') return NO_PAYMENT_ANSWER;
  if (outcome.kind === 'ended') return outcome.message;
  return refusalSentence(outcome.code, outcome.message);
}
