import { dateInWords } from '#web/ui/words/dates.ts';
import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { quoteMoneyBack } from '#shared/contract/money/subscription.ts';
import { amountRange, MONEY_BACK_TIMES } from '#shared/domain/money/money-back-words.ts';
import { hasRunningPlan } from '#web/customer/account-state.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { arithmeticOf } from '../overview/money-back-arithmetic.ts';
import { centsOf } from '#web/payments/price-words.ts';
import { useRead } from '#web/customer/use-read.ts';
import { useServices } from '#web/platform/services.ts';
import type { CancellationProps } from './use-cancellation.ts';

const STANDS = {
  Requested: 'You’ve asked for your money back. We answer within 3 days.',
  Approved: 'Your money back is approved and on its way to your card.',
  Paid: 'Your money back was sent to your card.',
} as const;

/** Money of a plan back in its first 30 days, also once the plan has ended in them (D5). */
export function MoneyBackOption({ account, cancellation }: CancellationProps) {
  const { platform } = useServices();
  const { moneyBackState: state, moneyBackUntil: until } = account;
  if (state) return <Said sentence={`${STANDS[state]} See it under Billing.`} />;
  if (!until || Date.parse(until) < platform.now()) {
    return (
      <Said sentence="You can get your money back in the first 30 days of a new plan, once per account. This plan doesn’t qualify." />
    );
  }
  return <Offer account={account} cancellation={cancellation} />;
}

function Said({ sentence }: { sentence: string }) {
  return (
    <section>
      <h4>Money back</h4>
      <p>{sentence}</p>
    </section>
  );
}

function Offer({ account, cancellation }: CancellationProps) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const { igUsername } = account;
  const read = useCallback(
    () => api.call(quoteMoneyBack, { userId, igUsername }),
    [api, userId, igUsername],
  );
  const { data: quote, hasFailed, again } = useRead(read);
  if (!quote) {
    return (
      <section>
        <h4>Money back</h4>
        <p>{hasFailed ? 'We couldn’t load the amount. Nothing was changed.' : 'One moment.'}</p>
        {hasFailed && (
          <Button variant="default" onClick={again}>
            Try again
          </Button>
        )}
      </section>
    );
  }
  const amount = amountRange(centsOf(quote.least), centsOf(quote.most));
  const stops = hasRunningPlan(account) ? 'likes stop right away and ' : '';
  return (
    <section>
      <h4>Money back</h4>
      <p>
        Until {dateInWords(Date.parse(quote.until), account.timeZone ?? platform.timeZone())}, no
        questions asked: {stops}
        {amount} goes back to your card. {arithmeticOf(quote)}
        {quote.least < quote.most &&
          ' Orders in progress stop, and we add back what they don’t deliver.'}{' '}
        {MONEY_BACK_TIMES} Once per account.
      </p>
      <Button
        variant="default"
        loading={cancellation.busy === 'money_back'}
        disabled={cancellation.busy !== undefined || quote.most === 0}
        onClick={cancellation.moneyBack}
      >
        {`Get ${amount} back`}
      </Button>
    </section>
  );
}
