import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { changePlan, type Quote, quotePlan } from '#shared/contract/money/subscription.ts';
import { useServices } from '#web/platform/services.ts';
import { useCustomer } from '#web/customer/customer.ts';
import type { BankAsked } from '../bank/bank-asks.tsx';
import { NO_PAYMENT_ANSWER } from '../payment-sentences.ts';
import { refusalSentence } from '../refusal-sentence.ts';
import { hideToasts, toastError } from '#web/ui/toasts/toast.ts';
import { usePayment } from '../use-payment.ts';

const NO_QUOTE =
  'We couldn’t reach the server, so there’s no price yet. Nothing has changed. Please try again.';
const REFUSED = 'Unable to process the payment';

/** A plan change on its way: no quote yet, then a quote that can be confirmed. */
export interface PlanChanging {
  quote: Quote | undefined;
  problem: string | undefined;
  checking: string | undefined;
  /** What the payer's bank asks, in the quote's place. */
  bank: BankAsked | undefined;
  isBusy: boolean;
  ask: (planNumber: number) => Promise<void>;
  confirm: (quote: Quote) => Promise<void>;
  back: () => void;
}

export function usePlanChange(
  account: ConnectedAccount,
  onChanged: (quote: Quote) => void,
): PlanChanging {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const { pay, checking, bank } = usePayment(changePlan);
  const [quote, setQuote] = useState<Quote>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const ask = async (planNumber: number): Promise<void> => {
    setIsBusy(true);
    setProblem(undefined);
    const { igUsername } = account;
    const answer = await api.call(quotePlan, { userId, igUsername, packageIndex: planNumber });
    setIsBusy(false);
    if (answer.kind === 'success') setQuote(answer.data);
    else setProblem(answer.kind === 'error' ? answer.message : NO_QUOTE);
  };

  const change = async (confirmed: Quote): Promise<void> => {
    hideToasts();
    setIsBusy(true);
    setProblem(undefined);
    const outcome = await pay({ userId, quoteId: confirmed.quoteId });
    setIsBusy(false);
    switch (outcome.kind) {
      case 'paid':
        onChanged(confirmed);
        return;
      case 'no_answer':
        toastError(outcome.wasAnswered ? REFUSED : 'Failed to process payment');
        setProblem(NO_PAYMENT_ANSWER);
        return;
      case 'refused':
        if (outcome.code === 'price_changed') await ask(confirmed.packageIndex);
        else toastError(REFUSED);
        setProblem(refusalSentence(outcome.code, outcome.message));
        return;
      case 'ended':
        setProblem(outcome.message);
    }
  };

  return {
    quote,
    problem,
    checking,
    bank,
    isBusy,
    ask,
    confirm: (confirmed) =>
      change(confirmed).catch((error: unknown) =>
        platform.report('The plan change was left', error),
      ),
    back: () => {
      setQuote(undefined);
      setProblem(undefined);
    },
  };
}
