import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { BillingClock } from '#shared/domain/billing-period.ts';
import { planQuote } from '#shared/domain/plan-quote.ts';
import { findPlan, getPlan } from '#shared/domain/plans.ts';
import { nextChargeMs } from '#web/payments/price-words.ts';

/** What another plan would do with an account of the sample. */
export type SampleChange = { account: ConnectedAccount } & (
  | { kind: 'refused'; reason: string }
  | { kind: 'same' }
  | { kind: 'changed'; after: ConnectedAccount; todayCents: number; monthCents: number }
);

/** By the rules and prices of real accounts. */
export function changeSample(
  account: ConnectedAccount,
  packageIndex: number,
  nowMs: number,
): SampleChange {
  const { igUsername, subscriptionState, timeZone } = account;
  const before = findPlan(account.accountPackageId ?? 0);
  const clock = clockOf(account);
  if (!before || !clock || timeZone === null) {
    return { account, kind: 'refused', reason: `@${igUsername} has no plan.` };
  }
  if (subscriptionState === 'Paused') {
    const reason = `@${igUsername}: This plan is paused. Resume it before you change it.`;
    return { account, kind: 'refused', reason };
  }
  if (packageIndex === (account.nextPackageId ?? before.number)) return { account, kind: 'same' };
  const plan = getPlan(packageIndex);
  const prices = { oldPriceCents: before.priceCents, newPriceCents: plan.priceCents };
  const quote = planQuote({ nowMs, ...prices, clock, paidPeriod: 0, unpaid: new Set() });
  const follows = findPlan(account.nextPackageId ?? before.number) ?? before;
  const monthCents = plan.priceCents - follows.priceCents;
  const kept = { ...account, nextPackageId: null, nextPackageFrom: null };
  const next = { nextPackageId: plan.number };
  const after =
    plan.number === before.number
      ? kept
      : quote.starts === 'now'
        ? { ...kept, accountPackageId: plan.number, ...periodFrom(nowMs, timeZone) }
        : { ...kept, ...next, nextPackageFrom: instantOf(quote.atMs) };
  return { account, kind: 'changed', after, todayCents: quote.totalCents, monthCents };
}

function clockOf({
  accountPackageSubsriptionDate: begun,
  timeZone,
}: ConnectedAccount): BillingClock | undefined {
  return begun === null || timeZone === null
    ? undefined
    : { anchorMs: Date.parse(begun), timeZone, shiftDays: 0 };
}

const periodFrom = (nowMs: number, timeZone: string) => ({
  accountPackageSubsriptionDate: instantOf(nowMs),
  nextBillingDate: instantOf(nextChargeMs(nowMs, timeZone)),
});

const instantOf = (ms: number): string => new Date(ms).toISOString();
