import { useState } from 'react';
import type { CallData, CallInput } from '#shared/contract/call.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import {
  cancelSubscription,
  moneyBack,
  pauseSubscription,
  resumeSubscription,
  stopSubscription,
} from '#shared/contract/money/subscription.ts';
import type { User } from '#shared/contract/people/user.ts';
import { amountRange, MONEY_BACK_TIMES } from '#shared/domain/money/money-back-words.ts';
import type { Answer } from '#web/api/client.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { centsOf } from '#web/payments/price-words.ts';
import { useIdempotencyKey } from '#web/api/use-idempotency-key.ts';
import { useServices } from '#web/platform/services.ts';

const NO_ANSWER =
  'We couldn’t reach the server. It’s safe to try again: nothing will happen twice.';
const MAILED = ' We’ve emailed you.';

/** Which way out, or back in, is on its way. */
type CancellationStep = 'pause' | 'resume' | 'cancel' | 'stop' | 'money_back';

/** The ways out of a plan, and back. */
export interface Cancellation {
  /** What has happened, once something has. */
  done: string | undefined;
  problem: string | undefined;
  busy: CancellationStep | undefined;
  pause: (until: string) => void;
  resume: () => void;
  cancel: () => void;
  stop: () => void;
  moneyBack: () => void;
}

/** What each way shows is of one account. */
export interface CancellationProps {
  account: ConnectedAccount;
  cancellation: Cancellation;
}

export function useCancellation(account: ConnectedAccount): Cancellation {
  const { api, platform } = useServices();
  const { userId, refresh, keepAnswer } = useCustomer();
  const [done, setDone] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<CancellationStep>();
  const askMoneyBack = useMoneyBack();
  const of = { userId, igUsername: account.igUsername };

  async function run<Data>(
    kind: CancellationStep,
    asked: Promise<Answer<Data>>,
    read: (data: Data, message: string) => { user: User; sentence: string },
  ): Promise<void> {
    setBusy(kind);
    setProblem(undefined);
    const answer = await asked;
    if (answer.kind === 'success') {
      const { user, sentence } = read(answer.data, answer.message ?? '');
      await keepAnswer(user);
      setDone(sentence);
    } else {
      setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
      await refresh();
    }
    setBusy(undefined);
  }
  const start = (running: Promise<void>): void => {
    running.catch((error: unknown) => platform.report('The plan was left as it is', error));
  };
  // With the dates that were booked.
  const say = (user: User, message: string) => ({ user, sentence: message + MAILED });

  return {
    done,
    problem,
    busy,
    pause: (until) => start(run('pause', api.call(pauseSubscription, { ...of, until }), say)),
    resume: () => start(run('resume', api.call(resumeSubscription, of), say)),
    cancel: () => start(run('cancel', api.call(cancelSubscription, of), say)),
    stop: () => start(run('stop', api.call(stopSubscription, of), say)),
    moneyBack: () =>
      start(
        run('money_back', askMoneyBack(of), ({ user, amount, most }) => ({
          user,
          sentence: `Likes have stopped, and ${amountRange(centsOf(amount), centsOf(most))} is going back to your card. ${MONEY_BACK_TIMES}${MAILED}`,
        })),
      ),
  };
}

/** Asks for the money once, however often the answer is lost. */
function useMoneyBack() {
  const { api, platform } = useServices();
  const { key, settle } = useIdempotencyKey(platform.newId);
  return async (of: CallInput<typeof moneyBack>): Promise<Answer<CallData<typeof moneyBack>>> => {
    const answer = await api.call(moneyBack, of, { idempotencyKey: key });
    settle(answer);
    return answer;
  };
}
