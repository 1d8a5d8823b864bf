import type { MoneyBackQuote } from '#shared/contract/subscription.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { findAccountByUsername } from '../accounts/account.repository.ts';
import { listSubscriptions } from '../billing/subscription.repository.ts';
import { hasOpenDispute } from '../disputes/disputed-card.repository.ts';
import type { AccountName } from './exits.service.ts';
import { hasEarlierMoneyBack } from './earlier-money-back.ts';
import { listMoneyReturned } from './money-back-account.repository.ts';
import { readMoneyBackFigures } from './money-back-figures.ts';
import { daysOver, disputedFirst, earlierFirst, returnedBefore } from './money-back.service.ts';
import { moneyBackUntil } from './subscription-clock.ts';
import { keyOf } from './subscription-work.repository.ts';

/**
 * What money back for the newest plan of an account would return now.
 * @throws ApiError `not_found`, `money_back_over`, `payment_disputed`
 */
export async function quoteMoneyBack(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  { workspaceId, igUsername }: AccountName,
): Promise<MoneyBackQuote> {
  const { db } = deps.database;
  const account = await findAccountByUsername(db, workspaceId, igUsername);
  if (!account) {
    throw new ApiError('not_found', `@${igUsername} isn’t one of your connected accounts.`);
  }
  const [row] = await listSubscriptions(db, workspaceId, [account.id]);
  if (!row) throw new ApiError('not_found', `@${igUsername} has no plan.`);
  const until = moneyBackUntil(row);
  if (deps.clock.now() > until.getTime()) throw daysOver();
  if ((await listMoneyReturned(db, deps, [row])).has(row.id)) throw returnedBefore(row, igUsername);
  const now = new Date(deps.clock.now());
  if (await hasOpenDispute(db, workspaceId)) throw disputedFirst();
  if (await hasEarlierMoneyBack(db, deps, row, now)) throw earlierFirst(row);
  const { least, most, facts, takenCredits } = await readMoneyBackFigures(db, deps, keyOf(row));
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
