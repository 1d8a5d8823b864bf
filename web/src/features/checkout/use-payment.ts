import { useEffect, useRef, useState } from 'react';
import type { CallInput } from '#shared/contract/call.ts';
import { addSubscription } from '#shared/contract/checkout.ts';
import { findConnectedAccounts } from '#shared/contract/connected-account.ts';
import type { User } from '#shared/contract/user.ts';
import { activeAccountOf, stateWithUser, withAccounts } from '#web/platform/client-state.ts';
import { type Services, useServices } from '#web/platform/services.ts';
import { sleep } from '#web/sync/sleep.ts';
import { createPaymentAttempts, type PaymentOutcome } from './payment-attempts.ts';

type Input = CallInput<typeof addSubscription>;

/** What a checkout pays with: one series of attempts from the opening of the form on. */
export interface Payment {
  pay(input: Input): Promise<PaymentOutcome<User>>;
  /** The server's sentence while a payment is being checked. */
  checking: string | undefined;
}

export function usePayment(): Payment {
  const services = useServices();
  const [checking, setChecking] = useState<string>();
  const [left] = useState(() => new AbortController());
  const alive = useRef(left);
  useEffect(() => {
    const { current } = alive;
    return () => current.abort(new Error('The checkout was left.'));
  }, []);

  const [attempts] = useState(() =>
    createPaymentAttempts<Input, User>({
      send: (input, idempotencyKey) =>
        services.api.call(addSubscription, input, { idempotencyKey }),
      newKey: () => services.platform.newId(),
      pause: async (delayMs) => {
        await sleep(delayMs, left.signal);
        left.signal.throwIfAborted();
      },
      onChecking: setChecking,
    }),
  );

  const pay = async (input: Input): Promise<PaymentOutcome<User>> => {
    const outcome = await attempts.pay(input);
    setChecking(undefined);
    if (outcome.kind === 'paid') await takeOver(services, outcome.data, input.igUsername);
    return outcome;
  };
  return { pay, checking };
}

/** The user is replaced, the paid account becomes the active one, the accounts are read anew (S§4). */
async function takeOver(services: Services, user: User, igUsername: string): Promise<void> {
  const { api, state, hints } = services;
  const paidFor = user.connectedAccounts.find((account) => account.igUsername === igUsername);
  const replaced = stateWithUser(state.getState(), user);
  state.setState(paidFor ? { ...replaced, activeAccount: activeAccountOf(paidFor) } : replaced);
  hints.remember(user);
  const accounts = await api.call(findConnectedAccounts, { userId: user.id });
  if (accounts.kind === 'success') state.setState(withAccounts(state.getState(), accounts.data));
}
