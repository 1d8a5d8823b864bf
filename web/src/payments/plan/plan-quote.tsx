import { dateInWords } from '#web/ui/words/dates.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Quote } from '#shared/contract/money/subscription.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { useClientState } from '#web/platform/services.ts';
import { BankAsks } from '../bank/bank-asks.tsx';
import { cardInWords } from '../card-in-words.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { HONEST_SENTENCE } from '../honest-sentence.ts';
import { NeedsNetwork } from '#web/customer/needs-network.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { arithmeticSentence, plannedSentence } from './plan-change-words.ts';
import { dollarsInWords } from '../price-words.ts';
import { PriceRows } from '../price-rows.tsx';
import type { PlanChanging } from './use-plan-change.ts';

/** The price of a plan change to the cent, and the button that pays it; dates in the subscription's zone. */
export function PlanQuote({
  quote,
  change,
  timeZone,
  advice,
}: {
  quote: Quote;
  change: PlanChanging;
  timeZone: string;
  /** What the account's posts say of the plan. */
  advice: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  if (change.bank) return <BankAsks asked={change.bank} />;
  const isNow = quote.starts === 'now';
  const day = dateInWords(Date.parse(quote.nextBillingDate), timeZone);
  return (
    <form
      className={parts['form']}
      aria-label="Confirm the plan change"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void change.confirm(quote);
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        {getPlan(quote.packageIndex).description} likes per post,{' '}
        {isNow ? 'from now on' : `from ${day}`}
      </h3>
      {isNow ? <Today quote={quote} day={day} /> : <Later quote={quote} timeZone={timeZone} />}
      {advice}
      {change.checking && (
        <p className="notice" data-tone="wait" role="alert">
          {change.checking}
        </p>
      )}
      <FormProblem sentence={change.problem} />
      <NeedsNetwork what="A plan change" />
      <div className={parts['actions']}>
        <Button type="submit" loading={change.isBusy}>
          {isNow ? 'Confirm & Pay' : `Change on ${day}`}
        </Button>
        <p className="mr-auto">
          <strong className="font-display text-3 font-600">
            {dollarsInWords(quote.totalToday)}
          </strong>{' '}
          today
        </p>
        <Button variant="default" disabled={change.isBusy} onClick={change.back}>
          Back
        </Button>
      </div>
    </form>
  );
}

function Today({ quote, day }: { quote: Quote; day: string }) {
  const card = useClientState((state) => state.user?.billingInfo);
  return (
    <>
      <PriceRows
        rows={[
          { label: 'Total today', value: dollarsInWords(quote.totalToday), isTotal: true },
          { label: 'Next billing date', value: day },
        ]}
      />
      <p>{arithmeticSentence(quote)}</p>
      <p className={parts['note']}>
        We’ll charge {card ? `the ${cardInWords(card)}` : 'your card'}. Your new plan starts with
        your next post and then costs {dollarsInWords(quote.price)} a month.
      </p>
      <p className={parts['note']}>{HONEST_SENTENCE}</p>
    </>
  );
}

/** Nothing is paid today, and nothing comes back: the plan of now is served until the day. */
function Later({ quote, timeZone }: { quote: Quote; timeZone: string }) {
  const planned = { plan: getPlan(quote.packageIndex), atMs: Date.parse(quote.nextBillingDate) };
  return (
    <>
      <p>{plannedSentence(planned, timeZone)}</p>
      <p className={parts['note']}>
        Nothing is charged or refunded today. You can keep your current plan any time before that
        day.
      </p>
    </>
  );
}
