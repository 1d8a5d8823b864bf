import { moneyBack, type MoneyBackFacts, type MoneyBackRange } from '#shared/domain/money-back.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { hasFreeLikes } from './money-back-card.repository.ts';
import { type GivenCredits, readGivenCredits, readPlanUse } from './money-back-facts.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

/** What money back gives, and what it takes: the same for the quote and the request. */
export interface MoneyBackFigures extends MoneyBackRange {
  facts: MoneyBackFacts;
  given: GivenCredits;
  /** Credits that leave the balance; the others given are spent or held, and cost money. */
  takenCredits: number;
}

/** @param isFree whether its cards have their free likes; asked of the books where not given */
export async function readMoneyBackFigures(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
  isFree?: boolean,
): Promise<MoneyBackFigures> {
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
