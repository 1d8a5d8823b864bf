import { useEffect, useRef, useState } from 'react';
import type * as v from 'valibot';
import type { Call, CallInput } from '#shared/contract/call.ts';
import type { User } from '#shared/contract/people/user.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { sleep } from '#web/platform/async.ts';
import { useServices } from '#web/platform/services.ts';
import { type BankAsked, fetchBankStep } from './bank/bank-asks.tsx';
import { endInWords } from './bank/bank-words.ts';
import type { PaymentEnd } from './bank/use-payment-state.ts';
import { type AttemptResult, createPaymentAttempts } from './payment-attempts.ts';

/** A call that pays; it answers with the customer as they are then. */
type PayingCall = Call<v.GenericSchema, v.GenericSchema<unknown, User>>;

/** How a press of the pay button ended, with whatever the bank of the payer had to be asked. */
export type PaymentOutcome =
  | Exclude<AttemptResult<User>, { kind: 'needs_action' }>
  /** Nothing is left to be paid, because the person gave it up or after the money went back: what to say of it. */
  | { kind: 'ended'; message: string };

/** One series of attempts at a payment, from the opening of its form on: charged at most once (D4). */
interface Payment<C extends PayingCall> {
  /** Ends after the bank's question, where there is one; once it is paid, the customer is shown as they are then. */
  pay: (input: CallInput<C>) => Promise<PaymentOutcome>;
  /** The server's sentence while a payment is being checked. */
  checking: string | undefined;
  /** Meanwhile the form shows `BankAsks` in its own place. */
  bank: BankAsked | undefined;
}

/**
 * @param callOf the call of an input, where a purchase has several; they share their keys on the server
 * @param igUsername the account it is for, shown once it is paid
 */
export function usePayment<C extends PayingCall>(
  callOf: C | ((input: CallInput<C>) => C),
  igUsername?: string,
): Payment<C> {
  const { api, platform } = useServices();
  const { keepAnswer } = useCustomer();
  const [checking, setChecking] = useState<string>();
  const [bank, setBank] = useState<BankAsked>();
  const [left] = useState(() => new AbortController());
  const alive = useRef(left);
  useEffect(() => {
    const { current } = alive;
    return () => current.abort(new Error('The form was left.'));
  }, []);

  const [attempts] = useState(() =>
    createPaymentAttempts<CallInput<C>, User>({
      send: (input, idempotencyKey) => {
        const call = typeof callOf === 'function' ? callOf(input) : callOf;
        return api.call(call, input, { idempotencyKey });
      },
      newKey: () => platform.newId(),
      pause: async (delayMs) => {
        await sleep(delayMs, left.signal);
        left.signal.throwIfAborted();
      },
      onChecking: setChecking,
    }),
  );

  const askBank = async (
    asked: Extract<AttemptResult<User>, { kind: 'needs_action' }>,
  ): Promise<PaymentOutcome> => {
    const outcome = await new Promise<PaymentOutcome>((resolve) => {
      setBank({ ...asked, end: (end, isGivenUp) => resolve(outcomeOf(end, isGivenUp)) });
    });
    setBank(undefined);
    return outcome;
  };
  const pay = async (input: CallInput<C>): Promise<PaymentOutcome> => {
    fetchBankStep();
    const answered = await attempts.pay(input);
    setChecking(undefined);
    const outcome = answered.kind === 'needs_action' ? await askBank(answered) : answered;
    // Shown as paid before anything leads to the dashboard.
    if (outcome.kind === 'paid') await keepAnswer(outcome.data, igUsername);
    return outcome;
  };
  return { pay, checking, bank };
}

/** The end of a payment that waited for the bank, as the end of its press. */
export function outcomeOf(end: PaymentEnd, isGivenUp: boolean): PaymentOutcome {
  if (end.kind === 'paid') return { kind: 'paid', data: end.user, message: undefined };
  if (end.kind === 'declined' && !isGivenUp) {
    return { kind: 'refused', code: end.code, message: end.message, fields: {} };
  }
  return { kind: 'ended', message: endInWords(end, isGivenUp) ?? '' };
}
