import { Button, Modal, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { formatCents } from '#shared/domain/money.ts';
import { PLAN_OPTIONS } from '#web/payments/plan/plan-options.ts';
import { useServices } from '#web/platform/services.ts';
import { DialogHead } from '#web/ui/dialog/dialog-head.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { counted, figure } from '#web/ui/words/figures.ts';
import { signed } from '../bulk/bulk-words.ts';
import table from '../bulk/bulk.module.css';
import { ChangesTable } from '../bulk/changes-table.tsx';
import type { BillingClock } from '#shared/domain/billing-period.ts';
import { planQuote } from '#shared/domain/plan-quote.ts';
import { findPlan, getPlan } from '#shared/domain/plans.ts';
import { nextChargeMs } from '#web/payments/price-words.ts';

type Changed = Extract<SampleChange, { kind: 'changed' }>;

interface SamplePlansProps {
  accounts: readonly ConnectedAccount[];
  onClose: () => void;
  onChanged: (changed: readonly Changed[]) => void;
}

/** Another plan for the chosen accounts of the sample: first what changes and what it would cost. */
export function SamplePlans({ accounts, onClose, onChanged }: SamplePlansProps) {
  const { platform } = useServices();
  const [nowMs] = useState(() => platform.now());
  const [plan, setPlan] = useState(4);
  const all = accounts.map((account) => changeSample(account, plan, nowMs));
  const changed = all.filter((each) => each.kind === 'changed');
  const refused = all.filter((each) => each.kind === 'refused');
  const same = all.length - changed.length - refused.length;
  const [today, month] = [sum(changed, 'todayCents'), sum(changed, 'monthCents')];
  return (
    <Modal.Root opened onClose={onClose} size="40rem">
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title="Change plans of the sample" />
        <Modal.Body>
          <div className="grid grid-cols-1 gap-4 min-w-0">
            <NativeSelect
              label={`New plan for ${counted(accounts.length, 'account')}`}
              data={PLAN_OPTIONS}
              value={String(plan)}
              data-autofocus
              onChange={(event) => setPlan(Number(event.currentTarget.value))}
            />
            {refused.length > 0 && (
              <section className="notice" data-tone="bad" aria-label="Not possible">
                <ul className={table['reasons']}>
                  {refused.map(({ account, reason }) => (
                    <li key={account.igUsername}>{reason}</li>
                  ))}
                </ul>
              </section>
            )}
            {changed.length > 0 && (
              <ChangesTable
                items={changed.map(({ account, todayCents, monthCents }, position) => ({
                  position,
                  igUsername: account.igUsername,
                  change: { kind: 'plan', packageIndex: plan },
                  today: todayCents / 100,
                  month: monthCents / 100,
                }))}
                accountOf={(name) => accounts.find(({ igUsername }) => igUsername === name)}
                isMoney
              />
            )}
            {same > 0 && (
              <p className={parts['note']}>
                {same === 1
                  ? '1 account is already as you want it.'
                  : `${figure(same)} accounts are already as you want them.`}
              </p>
            )}
            <p>
              <strong>
                {changed.length === 0
                  ? 'There is nothing to change.'
                  : `With real accounts, ${formatCents(today)} would be charged today. In this sample nothing is.`}
              </strong>
            </p>
            <div className={parts['actions']}>
              {changed.length > 0 && (
                <Button onClick={() => onChanged(changed)}>
                  Change {counted(changed.length, 'plan')}
                  {month !== 0 && `, ${signed(month / 100)} a month`}
                </Button>
              )}
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
            </div>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

const sum = (changed: readonly Changed[], key: 'todayCents' | 'monthCents'): number =>
  changed.reduce((total, each) => total + each[key], 0);

/** What another plan would do with an account of the sample. */
type SampleChange = { account: ConnectedAccount } & (
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
