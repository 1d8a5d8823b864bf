import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { MoneyBackQuote } from '#shared/contract/money/subscription.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { getAccountByUsername } from '#server/network/accounts/account.repository.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '../subscriptions/subscription.repository.ts';
import { hasOpenDispute } from '../cards/disputed-card.repository.ts';
import type { AccountName } from '../cancellation/cancellation.service.ts';
import {
  hasEarlierRefundRight,
  hasFreeLikes,
  listMoneyReturned,
} from '../subscriptions/refund-right.repository.ts';
import { moneyBackUntil } from '../subscriptions/subscription-clock.ts';
import { keyOf, type SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';
import {
  moneyBack,
  type MoneyBackFacts,
  type MoneyBackRange,
} from '#shared/domain/money/money-back.ts';
import type { Db } from '#server/kit/db/database.ts';
import { type GivenCredits, readGivenCredits, readPlanUse } from './refund-figures.repository.ts';

/**
 * What money back for the newest plan of an account would return now.
 * @throws ApiError `not_found`, `money_back_over`, `payment_disputed`
 */
export async function quoteRefund(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  { workspaceId, igUsername }: AccountName,
): Promise<MoneyBackQuote> {
  const { db } = deps.database;
  const account = await getAccountByUsername(db, workspaceId, igUsername);
  const [row] = await listSubscriptions(db, workspaceId, [account.id]);
  if (!row) throw new ApiError('not_found', `@${igUsername} has no plan.`);
  const until = moneyBackUntil(row);
  if (deps.clock.now() > until.getTime()) throw daysOver();
  if ((await listMoneyReturned(db, deps, [row])).has(row.id)) throw returnedBefore(row, igUsername);
  const now = new Date(deps.clock.now());
  if (await hasOpenDispute(db, workspaceId)) throw disputedFirst();
  if (await hasEarlierRefundRight(db, deps, row, now)) throw earlierFirst(row);
  const { least, most, facts, takenCredits } = await readRefundFigures(db, deps, keyOf(row));
  return {
    least: dollarsFromCents(least.cents),
    most: dollarsFromCents(most.cents),
    until: until.toISOString(),
    charged: dollarsFromCents(facts.chargedCents),
    hasFreeLikes: facts.hasFreeLikes,
    paidLikes: least.paidLikes,
    likesCost: dollarsFromCents(least.likesCents),
    takenCredits,
    usedCredits: facts.usedCredits,
    creditsCost: dollarsFromCents(least.creditsCents),
  };
}

export function daysOver(): ApiError {
  return new ApiError(
    'money_back_over',
    'You can get your money back in the first 30 days of a new plan. Those are over, but you can stop the plan anytime.',
  );
}

export function returnedBefore(row: SubscriptionRow, igUsername: string): ApiError {
  return new ApiError(
    'money_back_over',
    `Money back for @${igUsername} has already been claimed. That’s possible once per account.${orStop(row)}`,
  );
}

export function earlierFirst(row: SubscriptionRow): ApiError {
  return new ApiError(
    'money_back_over',
    `Money back for this account still belongs to an earlier plan, so it isn’t possible for this one yet.${orStop(row)}`,
  );
}

export function disputedFirst(): ApiError {
  return new ApiError(
    'payment_disputed',
    'One of your payments is disputed at your bank. We can’t return any money until that’s decided. Please ask again then.',
  );
}

function orStop({ state }: SubscriptionRow): string {
  return isUnended(state) ? ' You can stop the plan anytime.' : '';
}

/** What money back gives, and what it takes: the same for the quote and the request. */
interface RefundFigures extends MoneyBackRange {
  facts: MoneyBackFacts;
  given: GivenCredits;
  /** Credits that leave the balance; the others given are spent or held, and cost money. */
  takenCredits: number;
}

/** @param isFree whether its cards have their free likes; asked of the books where not given */
export async function readRefundFigures(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
  isFree?: boolean,
): Promise<RefundFigures> {
  const given = await readGivenCredits(db, key);
  const givenCredits = given.orderCredits + given.bonusCredits;
  const takenCredits = Math.min(given.balance, givenCredits);
  const facts = {
    ...(await readPlanUse(db, key)),
    hasFreeLikes: isFree ?? (await hasFreeLikes(db, deps, key)),
    usedCredits: givenCredits - takenCredits,
  };
  return { ...moneyBack(facts), facts, given, takenCredits };
}
