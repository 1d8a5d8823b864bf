import type { AskedChange, BulkItem } from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { changeTags } from '#shared/domain/accounts/account-tags.ts';
import type { BillingClock } from '#shared/domain/money/billing-period.ts';
import { changeDelivery } from '#shared/domain/delivery/delivery-change.ts';
import { planQuote } from '#shared/domain/money/plan-quote.ts';
import { findPlan, getPlan } from '#shared/domain/money/plans.ts';
import { nextChargeMs } from '#web/payments/price-words.ts';

/** What can be tried with the sample. */
export type SampleChange = Extract<AskedChange, { kind: 'plan' | 'tags' | 'delivery' }>;

/** What a change would do with an account of the sample, as the server says it of real ones. */
export interface SampleItem extends BulkItem {
  /** The account once it is done. */
  after: ConnectedAccount;
}

export function changeSample(
  accounts: readonly ConnectedAccount[],
  change: SampleChange,
  nowMs: number,
): SampleItem[] {
  return accounts.map((account, position) => {
    const { igUsername } = account;
    const told = { outcome: 'planned', reason: null, today: 0, month: 0 } as const;
    const done = outcomeOf(account, change, nowMs);
    return { position, igUsername, change, after: account, ...told, ...done };
  });
}

type Outcome = Partial<Omit<SampleItem, 'position' | 'igUsername'>>;

function outcomeOf(account: ConnectedAccount, change: SampleChange, nowMs: number): Outcome {
  switch (change.kind) {
    case 'plan':
      return planOutcome(account, change.packageIndex, nowMs);
    case 'tags':
      return { after: { ...account, tags: changeTags(account.tags, change) } };
    case 'delivery': {
      const delivery = changeDelivery(account.delivery, change.settings);
      const isSame = JSON.stringify(delivery) === JSON.stringify(account.delivery);
      return isSame ? { outcome: 'same' } : { after: { ...account, delivery } };
    }
    default:
      return change satisfies never;
  }
}

/** By the rules and prices of real accounts. */
function planOutcome(account: ConnectedAccount, packageIndex: number, nowMs: number): Outcome {
  const { igUsername, subscriptionState, timeZone } = account;
  if (account.accountPackageId === null && timeZone !== null) {
    return begunOutcome(account, packageIndex, { nowMs, timeZone });
  }
  const before = findPlan(account.accountPackageId ?? 0);
  const clock = clockOf(account);
  if (!before || !clock || timeZone === null) {
    return { outcome: 'refused', reason: `@${igUsername} has no plan.` };
  }
  if (subscriptionState === 'Paused') {
    const reason = `@${igUsername}: This plan is paused. Resume it before you change it.`;
    return { outcome: 'refused', reason };
  }
  if (packageIndex === (account.nextPackageId ?? before.number)) return { outcome: 'same' };
  const plan = getPlan(packageIndex);
  const prices = { oldPriceCents: before.priceCents, newPriceCents: plan.priceCents };
  const quote = planQuote({ nowMs, ...prices, clock, paidPeriod: 0, unpaid: new Set() });
  const follows = findPlan(account.nextPackageId ?? before.number) ?? before;
  const kept = { ...account, nextPackageId: null, nextPackageFrom: null };
  const next = { nextPackageId: plan.number };
  const after =
    plan.number === before.number
      ? kept
      : quote.starts === 'now'
        ? { ...kept, accountPackageId: plan.number, ...periodFrom(nowMs, timeZone) }
        : { ...kept, ...next, nextPackageFrom: instantOf(quote.atMs) };
  const month = (plan.priceCents - follows.priceCents) / 100;
  return { after, today: quote.totalCents / 100, month };
}

/** A first plan: a month of it is charged at once. */
function begunOutcome(
  account: ConnectedAccount,
  packageIndex: number,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): Outcome {
  const { priceCents } = getPlan(packageIndex);
  const begun = { accountPackageId: packageIndex, subscriptionState: 'Active' as const };
  return {
    change: { kind: 'begin', packageIndex, timeZone },
    after: { ...account, ...begun, ...periodFrom(nowMs, timeZone) },
    today: priceCents / 100,
    month: priceCents / 100,
  };
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
