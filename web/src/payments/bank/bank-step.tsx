import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PaymentAction } from '#shared/contract/money/payment-action.ts';
import { keepPayingFrom } from '#web/platform/paying-from.ts';
import { useServices } from '#web/platform/services.ts';
import { timeLeft } from './bank-words.ts';
import styles from './bank-step.module.css';
import {
  askedTooOften,
  type FollowedPayment,
  isEnd,
  type PaymentEnd,
  useFollowedPayment,
} from './use-payment-state.ts';

/**
 * The bank asks its customer: says so, then hands over on one press and never by itself, so that nobody is
 * taken elsewhere in the middle of a sentence. The browser goes there in its tab, an app opens the person's
 * browser and waits here. `onEnd` is told once.
 */
export function BankStep({
  message,
  action,
  onEnd,
}: {
  message: string;
  action: PaymentAction;
  onEnd: (end: PaymentEnd, isGivenUp: boolean) => void;
}) {
  const payment = useFollowedPayment(action.paymentId);
  const { state, isGivenUp } = payment;
  const tell = useRef(onEnd);
  useEffect(() => {
    tell.current = onEnd;
  }, [onEnd]);
  useEffect(() => {
    if (isEnd(state)) tell.current(state, isGivenUp);
  }, [state, isGivenUp]);
  const asked = state?.kind === 'needs_action' ? state.message : message;
  return <BankQuestion message={asked} action={action} payment={payment} />;
}

/** What the bank asks, the way there, how long it can wait, and the way out. */
export function BankQuestion({
  message,
  action,
  payment,
}: {
  message: string;
  action: PaymentAction;
  payment: FollowedPayment;
}) {
  const { paths, platform } = useServices();
  const { pathname, search } = useLocation();
  const [isOpened, setIsOpened] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const go = (): void => {
    setIsOpened(true);
    // It leads on to where the payment began, and not to itself.
    if (pathname !== paths.paymentReturn) keepPayingFrom(platform, pathname + search);
    platform.leaveFor(action.url);
  };
  return (
    <section
      className={styles['step']}
      aria-label={action.isCardPage ? 'Payment page' : 'Your bank'}
    >
      <h2 ref={heading} tabIndex={-1}>
        {message}
      </h2>
      <TimeLeft action={action} />
      {isOpened && platform.kind === 'desktop' && (
        <p role="status">
          {action.isCardPage
            ? 'The page is open in your browser. Once your card is there, this page continues automatically.'
            : 'Your bank’s page is open in your browser. Once you’ve confirmed there, this page continues automatically.'}
        </p>
      )}
      <p role="status">{statusOf(payment)}</p>
      <div className={styles['actions']}>
        <Button onClick={go}>{action.isCardPage ? 'Enter your card' : 'Go to your bank'}</Button>
        <Button variant="default" loading={payment.isGivingUp} onClick={payment.giveUp}>
          {notNow(action)}
        </Button>
      </div>
    </section>
  );
}

function notNow({ isCardPage, amount }: PaymentAction): string {
  if (isCardPage) return 'Don’t enter a card';
  return amount === 0 ? 'Don’t use this card' : 'Don’t pay';
}

function statusOf({ state, trouble }: FollowedPayment): string {
  if (trouble?.kind === 'too_often') return askedTooOften(trouble.seconds);
  if (trouble?.kind === 'unreached') {
    return 'We can’t reach the server right now. You won’t be charged twice: we’ll check as soon as it’s back.';
  }
  if (trouble?.kind === 'unknown') {
    return 'We can no longer find this payment. You can see your payments under Billing.';
  }
  return state?.kind === 'checking' ? state.message : '';
}

/** Often enough for minutes. */
const TICK_MS = 20_000;

function TimeLeft({ action: { amount, until } }: { action: PaymentAction }) {
  const { platform } = useServices();
  const [nowMs, setNowMs] = useState(platform.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(platform.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [platform]);
  const left = timeLeft(until, nowMs);
  return (
    <p className="c-soft">
      {amount === 0 ? 'Nothing is charged.' : 'You won’t be charged until you confirm.'}
      {left !== undefined && ` You have ${left}.`}
    </p>
  );
}
