import { useEffect, useRef, useState } from 'react';
import {
  findPaymentState,
  giveUpPayment,
  type PaymentState,
} from '#shared/contract/money/payment.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Answer } from '#web/api/client.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { sleep } from '#web/platform/async.ts';
import { useServices } from '#web/platform/services.ts';

/**
 * Why nothing new is known. `unreached` and `too_often` (so many seconds at most): asked again by itself. `unknown`:
 * there is no such payment of this customer.
 */
export type PaymentTrouble =
  | { kind: 'unreached' }
  | { kind: 'too_often'; seconds: number }
  | { kind: 'unknown' };

/** How a payment ended. */
export type PaymentEnd = Exclude<PaymentState, { kind: 'needs_action' | 'checking' }>;

/**
 * A payment as the server says it stands. Where it stands is the server's word alone: this page asks when it
 * opens, when the person or the network is back, and in between less and less often.
 *
 *   undefined -> needs_action <-> checking -> paid | declined | returned
 *
 * After one of the last three nothing is asked any more.
 */
export interface FollowedPayment {
  state: PaymentState | undefined;
  trouble: PaymentTrouble | undefined;
  /** Cancels it at the gateway, which decides when the bank says yes at the same moment. */
  giveUp: () => void;
  isGivingUp: boolean;
  /** The person ended it here. */
  isGivenUp: boolean;
}

const FIRST_MS = 3000;
const LAST_MS = 30_000;
const SLOWER = 1.5;

export const isEnd = (state: PaymentState | undefined): state is PaymentEnd =>
  state !== undefined && state.kind !== 'needs_action' && state.kind !== 'checking';

/** @param paymentId stays the same as long as the component stands */
export function useFollowedPayment(paymentId: string): FollowedPayment {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const [state, setState] = useState<PaymentState>();
  const [trouble, setTrouble] = useState<FollowedPayment['trouble']>();
  const [isGivingUp, setIsGivingUp] = useState(false);
  const [isGivenUp, setIsGivenUp] = useState(false);
  const hasEnded = useRef(false);

  const [take] = useState(() => (answer: Answer<PaymentState>): void => {
    if (answer.kind === 'success') {
      hasEnded.current = isEnd(answer.data);
      setState(answer.data);
      setTrouble(undefined);
    } else {
      const found = troubleOf(answer);
      hasEnded.current = found.kind === 'unknown';
      setTrouble(found);
    }
  });

  useEffect(() => {
    const left = new AbortController();
    let woken = new AbortController();
    const follow = async (): Promise<void> => {
      let delayMs = FIRST_MS;
      while (!left.signal.aborted && !hasEnded.current) {
        const answer = await api.call(findPaymentState, { userId, paymentId });
        // What was given up meanwhile has its own answer.
        if (left.signal.aborted || hasEnded.current) return;
        take(answer);
        if (hasEnded.current) return;
        if (woken.signal.aborted) woken = new AbortController();
        const waitMs = Math.max(delayMs, waitOf(answer));
        await sleep(waitMs, AbortSignal.any([left.signal, woken.signal]));
        delayMs = woken.signal.aborted ? FIRST_MS : Math.min(LAST_MS, delayMs * SLOWER);
      }
    };
    follow().catch((error: unknown) => platform.report('A payment is not followed', error));
    const stop = platform.onWake(() => woken.abort());
    return () => {
      left.abort();
      stop();
    };
  }, [api, platform, userId, paymentId, take]);

  const giveUp = async (): Promise<void> => {
    setIsGivingUp(true);
    const answer = await api.call(giveUpPayment, { userId, paymentId });
    setIsGivingUp(false);
    if (hasEnded.current) return;
    setIsGivenUp(answer.kind === 'success');
    take(answer);
  };
  return {
    state,
    trouble,
    isGivingUp,
    isGivenUp,
    giveUp: () => {
      giveUp().catch((error: unknown) => platform.report('A payment was not given up', error));
    },
  };
}

/** A refusal that doesn't say how long to wait is over by then. */
const WINDOW_MS = MINUTE_MS;

const waitOf = (answer: Answer<unknown>): number =>
  answer.kind === 'error' && answer.code === 'rate_limited'
    ? (answer.retryAfterMs ?? WINDOW_MS)
    : 0;

function troubleOf(answer: Exclude<Answer<unknown>, { kind: 'success' }>): PaymentTrouble {
  if (answer.kind === 'error' && UNKNOWN.has(answer.code)) return { kind: 'unknown' };
  const waitMs = waitOf(answer);
  // Never one second: the sentence counts them.
  return waitMs === 0
    ? { kind: 'unreached' }
    : { kind: 'too_often', seconds: Math.max(2, Math.ceil(waitMs / 1000)) };
}

/** Asked again by itself, within the time that the server says. */
export const askedTooOften = (seconds: number): string =>
  `Too many tries. We’ll check again automatically in ${seconds} seconds.`;

const UNKNOWN: ReadonlySet<string> = new Set([
  'not_found',
  'not_yours',
  'not_allowed',
  'invalid_input',
]);
