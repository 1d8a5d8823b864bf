import { useEffect, useRef, useState } from 'react';
import { findPaymentState, giveUpPayment, type PaymentState } from '#shared/contract/payment.ts';
import type { Answer } from '#web/api/client.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { sleep } from '#web/platform/async.ts';
import { useServices } from '#web/platform/services.ts';

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
  /** `unreached`: asked again by itself. `unknown`: there is no such payment of this customer. */
  trouble: 'unreached' | 'unknown' | undefined;
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
      const isUnknown = answer.kind === 'error' && UNKNOWN.has(answer.code);
      hasEnded.current = isUnknown;
      setTrouble(isUnknown ? 'unknown' : 'unreached');
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
        await sleep(delayMs, AbortSignal.any([left.signal, woken.signal]));
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

const UNKNOWN: ReadonlySet<string> = new Set([
  'not_found',
  'not_yours',
  'not_allowed',
  'invalid_input',
]);
