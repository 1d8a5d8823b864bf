import { useEffect, useRef, useState } from 'react';
import type { Call, CallData, CallInput } from '#shared/contract/call.ts';
import { createPaymentAttempts, type PaymentOutcome } from '../api/payment-attempts.ts';
import { useServices } from '../platform/services.ts';
import { sleep } from '../sync/sleep.ts';

/** One series of attempts at a payment, from the opening of its form on: charged at most once (D4). */
export interface Payment<C extends Call> {
  pay: (input: CallInput<C>) => Promise<PaymentOutcome<CallData<C>>>;
  /** The server's sentence while a payment is being checked. */
  checking: string | undefined;
}

/** @param callOf the call of an input, where a purchase has several; they share their keys on the server */
export function usePayment<C extends Call>(callOf: C | ((input: CallInput<C>) => C)): Payment<C> {
  const { api, platform } = useServices();
  const [checking, setChecking] = useState<string>();
  const [left] = useState(() => new AbortController());
  const alive = useRef(left);
  useEffect(() => {
    const { current } = alive;
    return () => current.abort(new Error('The form was left.'));
  }, []);

  const [attempts] = useState(() =>
    createPaymentAttempts<CallInput<C>, CallData<C>>({
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

  const pay = async (input: CallInput<C>): Promise<PaymentOutcome<CallData<C>>> => {
    const outcome = await attempts.pay(input);
    setChecking(undefined);
    return outcome;
  };
  return { pay, checking };
}
