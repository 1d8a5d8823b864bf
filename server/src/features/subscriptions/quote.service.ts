import type { Selectable } from 'kysely';
import type { Quote } from '#shared/contract/subscription.ts';
import { dueAt } from '#shared/domain/billing-period.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import type { Deps } from '../../deps.ts';
import { paymentBeingChecked } from '../../http/submit.service.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { lockBalance } from './billing-balance.repository.ts';
import { type AccountName, notNow, withSubscription } from './exits.service.ts';
import { type PriceSplit, splitPrice } from './price-split.ts';
import { planOf, unusedCents } from './subscription-clock.ts';
import { isBeingCharged, keyOf } from './subscription-work.repository.ts';
import type { PlanQuoteTable } from './subscription-work.table.ts';

export type QuoteRow = Selectable<PlanQuoteTable>;

const GOOD_FOR_MS = 15 * 60_000;

/**
 * The exact price of another plan today, good for 15 minutes.
 * @throws ApiError `not_found`, `subscription_state`, `payment_unknown`
 */
export function quotePlan(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  name: AccountName,
  packageNumber: number,
): Promise<Quote> {
  return withSubscription(deps, name, async (tx, row, now) => {
    checkQuotable(row, packageNumber);
    if (await isBeingCharged(tx, keyOf(row))) throw paymentBeingChecked();
    const balanceCents = await lockBalance(tx, row.workspace_id);
    const quote = newQuote(deps.ids.uuid(), row, packageNumber, { balanceCents, now });
    await tx.insertInto('plan_quote').values(quote).execute();
    return viewQuote(quote, row, now);
  });
}

/** @throws ApiError `subscription_state` */
export function checkQuotable(row: SubscriptionRow, packageNumber: number): void {
  if (row.state === 'Paused') throw notNow('This plan is paused. Resume it before you change it.');
  if (row.ends_at)
    throw notNow('This plan is about to stop. Take the stop back before you change it.');
  if (row.package === packageNumber) throw notNow('This is your plan already.');
}

function newQuote(
  id: string,
  row: SubscriptionRow,
  packageNumber: number,
  { balanceCents, now }: { balanceCents: number; now: Date },
): QuoteRow {
  const quote = {
    workspace_id: row.workspace_id,
    id,
    subscription_id: row.id,
    package: packageNumber,
    era: row.era,
    period: row.period,
    state: row.state,
    unused_cents: unusedCents(row, now),
    balance_cents: balanceCents,
    expires_at: new Date(now.getTime() + GOOD_FOR_MS),
    used_at: null,
    used_by: null,
  };
  return { ...quote, total_cents: splitOf(quote).amountCents };
}

/** How the quoted change is paid. */
export function splitOf(
  quote: Pick<QuoteRow, 'package' | 'unused_cents' | 'balance_cents'>,
): PriceSplit {
  return splitPrice(planOf(quote.package).priceCents - quote.unused_cents, quote.balance_cents);
}

function viewQuote(quote: QuoteRow, row: SubscriptionRow, now: Date): Quote {
  const { balanceUsedCents, balanceAfterCents } = splitOf(quote);
  const clock = { anchorMs: now.getTime(), timeZone: row.time_zone, shiftDays: 0 };
  return {
    quoteId: quote.id,
    expiresAt: quote.expires_at.toISOString(),
    packageIndex: quote.package,
    price: planOf(quote.package).priceVal,
    unused: dollarsFromCents(quote.unused_cents),
    balanceUsed: dollarsFromCents(balanceUsedCents),
    totalToday: dollarsFromCents(quote.total_cents),
    balanceAfter: dollarsFromCents(balanceAfterCents),
    nextBillingDate: new Date(dueAt(clock, 1)).toISOString(),
  };
}
