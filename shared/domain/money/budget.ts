import { type BudgetOf, whoseBudget } from './budget-of.ts';
import { dateInWords } from '../words/date-in-words.ts';
import { formatCents } from './money.ts';
import { fromLocal, toLocal } from '../time-zone.ts';

/*
 * A budget is what a workspace, one client or one account of it may cost in a calendar month.
 *
 *   spent    charged this month: paid, or on its way; declined and returned charges are none
 *   due      renewals that are still to come this month
 *   monthly  what all plans cost that go on
 *
 * What is bought, or goes on again, passes while spent + due stay within the limit, itself included, and a plan only
 * while monthly does, too. So a renewal always has its place in the budget, and no budget ever stops one (docs/decisions/0042).
 */

export interface Commitments {
  spentCents: number;
  dueCents: number;
  monthlyCents: number;
}

/** A calendar month. */
export interface BudgetMonth {
  fromMs: number;
  /** When the next one begins. */
  untilMs: number;
  timeZone: string;
}

export function budgetMonth(nowMs: number, timeZone: string): BudgetMonth {
  const { year, month } = toLocal(nowMs, timeZone);
  const first = { day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
  const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
  return {
    fromMs: fromLocal({ year, month, ...first }, timeZone),
    untilMs: fromLocal({ ...next, ...first }, timeZone),
    timeZone,
  };
}

/** Parts of a budget at which its owner is told, in percent. */
export const BUDGET_PARTS = [80, 100] as const;
type BudgetPart = (typeof BUDGET_PARTS)[number];

/** The largest part of it that is spent. */
export function partSpent(limitCents: number, spentCents: number): BudgetPart | undefined {
  return BUDGET_PARTS.findLast((percent) => spentCents * 100 >= limitCents * percent);
}

/** Said of all that counts as spent, what waits for a bank or the gateway too. */
export const SPENT = 'is spent or waiting for payment';

/** Where each is set. */
function raise({ igUsername, clientName }: BudgetOf): string {
  const place = clientName === null ? 'Billing' : 'Team';
  return `An owner can raise it under ${igUsername === null ? place : '“Manage account”'}.`;
}

/** What is about to be bought: nothing of it is part of the sums. */
interface BudgetQuestion extends Commitments, BudgetOf {
  limitCents: number;
  amountCents: number;
  /** What it adds to the renewals that are due this month. */
  addedDueCents: number;
  /** What it adds to each month from now on. */
  addedMonthlyCents: number;
}

/** Why a budget refuses a purchase, with the sums; undefined: it doesn't. */
export function budgetRefusal(
  {
    limitCents,
    igUsername,
    clientName,
    amountCents,
    addedDueCents,
    addedMonthlyCents,
    ...sums
  }: BudgetQuestion,
  month: BudgetMonth,
): string | undefined {
  const { spentCents, dueCents, monthlyCents } = sums;
  const of = { igUsername, clientName };
  const end = `You were not charged. ${raise(of)}`;
  const limit = formatCents(limitCents);
  const leftCents = limitCents - spentCents - dueCents;
  const thisMonthCents = amountCents + addedDueCents;
  if (thisMonthCents > 0 && thisMonthCents > leftCents) {
    const what =
      amountCents > 0
        ? `This costs ${formatCents(thisMonthCents)}`
        : `With this, ${formatCents(thisMonthCents)} more is due this month`;
    const lastDay = dateInWords(new Date(month.untilMs - 1), month.timeZone);
    return `${what}. Of this month’s budget of ${limit} for ${whoseBudget(of)}, ${formatCents(Math.max(0, leftCents))} is left: ${formatCents(spentCents)} ${SPENT}, and renewals of ${formatCents(dueCents)} are due by ${lastDay}. ${end}`;
  }
  const togetherCents = monthlyCents + addedMonthlyCents;
  if (addedMonthlyCents > 0 && togetherCents > limitCents) {
    return `With this, plans would cost ${formatCents(togetherCents)} a month, and the budget for ${whoseBudget(of)} is ${limit}. ${end}`;
  }
  return undefined;
}

/** Why a budget can’t be set; undefined: it can. One that is spent already can: nothing more is bought this month. */
export function budgetTooLow(
  limitCents: number,
  of: BudgetOf,
  { spentCents, dueCents, monthlyCents }: Commitments,
): string | undefined {
  const leastCents = Math.max(monthlyCents, dueCents);
  if (limitCents >= leastCents) return undefined;
  return `Plans of ${whoseBudget(of)} cost ${formatCents(monthlyCents)} a month, and this month ${formatCents(spentCents)} ${SPENT}, and ${formatCents(dueCents)} is still due. A budget stops no renewal. Please set ${formatCents(roundUp(leastCents))} or more, or stop a plan first.`;
}

/**
 * Why accounts can’t become a client’s; undefined: they can. Its budget always has room for what its plans cost, and
 * nothing comes to it that this month has no room for: what is bought elsewhere isn't brought in afterwards.
 */
export function clientBudgetTooLow(
  limitCents: number,
  clientName: string,
  { before, after }: { before: Commitments; after: Commitments },
): string | undefined {
  const end = `and the budget for ${clientName} is ${formatCents(limitCents)}. Nothing was changed. ${raise({ igUsername: null, clientName })}`;
  if (after.monthlyCents > limitCents) {
    return `With these accounts, plans of ${clientName} would cost ${formatCents(after.monthlyCents)} a month, ${end}`;
  }
  const thisMonthCents = after.spentCents + after.dueCents;
  const hasCome = thisMonthCents > before.spentCents + before.dueCents;
  if (hasCome && thisMonthCents > limitCents) {
    return `With these accounts, ${clientName} would cost ${formatCents(thisMonthCents)} this month, ${end}`;
  }
  return undefined;
}

const roundUp = (cents: number): number => Math.ceil(cents / 100) * 100;

/** How a month stands, in one sentence. */
export function budgetSentence(
  { limitCents, ...of }: BudgetOf & { limitCents: number },
  { spentCents, dueCents }: Commitments,
  { untilMs, timeZone }: BudgetMonth,
): string {
  const spent = `${formatCents(spentCents)} of ${formatCents(limitCents)} ${SPENT} this month`;
  const due = dueCents > 0 ? `, and renewals of ${formatCents(dueCents)} are still due` : '';
  const leftCents = limitCents - spentCents - dueCents;
  const next = dateInWords(new Date(untilMs), timeZone);
  const left =
    leftCents > 0
      ? `${formatCents(leftCents)} is left until ${next}.`
      : `Nothing more can be bought for ${whoseBudget(of)} until ${next}. Renewals continue.`;
  return `${spent}${due}. ${left}`;
}
