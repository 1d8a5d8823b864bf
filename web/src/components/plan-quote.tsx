import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Quote } from '#shared/contract/subscription.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { useClientState, useServices } from '../platform/services.ts';
import { FormProblem } from './form-problem.tsx';
import { HONEST_SENTENCE } from './honest-sentence.ts';
import { NeedsNetwork } from './needs-network.tsx';
import styles from './plan-change.module.css';
import { dateInWords, dollarsInWords } from './price-words.ts';
import { type PriceRow, PriceRows } from './price-rows.tsx';
import type { PlanChanging } from './use-plan-change.ts';

/** The price of a plan change to the cent, and the button that pays it. */
export function PlanQuote({ quote, change }: { quote: Quote; change: PlanChanging }) {
  const card = useClientState((state) => state.user?.billingInfo);
  const { platform } = useServices();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const likes = findPlan(quote.packageIndex)?.description ?? '';
  const isFree = quote.totalToday === 0;
  return (
    <form
      className={styles['step']}
      aria-label="Confirm the plan change"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void change.confirm(quote);
      }}
    >
      <h3 ref={heading} tabIndex={-1}>
        {likes} likes per post, from now on
      </h3>
      <PriceRows rows={quoteRows(quote, platform.timeZone())} />
      <p className={styles['note']}>
        {isFree ? 'Nothing is charged today.' : cardSentence(card?.ccNum)} The plan applies to the
        next post and then costs {dollarsInWords(quote.price)} each month.
      </p>
      <p className={styles['note']}>{HONEST_SENTENCE}</p>
      {change.checking && (
        <p className={styles['checking']} role="alert">
          {change.checking}
        </p>
      )}
      <FormProblem sentence={change.problem} />
      <NeedsNetwork what="A plan change" />
      <div className={styles['actions']}>
        <Button type="submit" loading={change.isBusy}>
          {isFree ? 'Change plan' : 'Confirm & Pay'}
        </Button>
        <p className={styles['amount']}>
          <strong>{dollarsInWords(quote.totalToday)}</strong> today
        </p>
        <Button variant="default" disabled={change.isBusy} onClick={change.back}>
          Back
        </Button>
      </div>
    </form>
  );
}

function cardSentence(maskedNumber: string | undefined): string {
  const card = maskedNumber ? `your saved card ending in ${maskedNumber.slice(-3)}` : 'your card';
  return `This is charged to ${card}.`;
}

/** The lines of a quote; those of nothing are left out. */
function quoteRows(quote: Quote, timeZone: string): PriceRow[] {
  const rows: PriceRow[] = [{ label: 'New plan, one month', value: dollarsInWords(quote.price) }];
  if (quote.unused !== 0) {
    rows.push({ label: 'Unused part of the old plan', value: dollarsInWords(-quote.unused) });
  }
  if (quote.balanceUsed !== 0) {
    const label = quote.balanceUsed > 0 ? 'Balance used' : 'Kept as balance';
    rows.push({ label, value: dollarsInWords(-quote.balanceUsed) });
  }
  rows.push({ label: 'Total today', value: dollarsInWords(quote.totalToday), isTotal: true });
  if (quote.balanceAfter !== 0) {
    rows.push({
      label: quote.balanceAfter > 0 ? 'Your balance afterwards' : 'Added to the next charge',
      value: dollarsInWords(Math.abs(quote.balanceAfter)),
    });
  }
  rows.push({
    label: 'Next billing date',
    value: dateInWords(Date.parse(quote.nextBillingDate), timeZone),
  });
  return rows;
}
