import { dateInWords } from '#web/components/dates.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { Quote } from '#shared/contract/subscription.ts';
import { formatCents } from '#shared/domain/money.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { useServices } from '../platform/services.ts';
import { FormProblem } from './form-problem.tsx';
import { NeedsNetwork } from './needs-network.tsx';
import styles from './plan-change.module.css';
import { PLAN_OPTIONS } from './plan-options.ts';
import { PlanQuote } from './plan-quote.tsx';
import { PriceRows } from './price-rows.tsx';
import { usePlanChange } from './use-plan-change.ts';

const INSTANTLY =
  'Plan changes apply instantly to the likes sent, and you are billed for the new plan. You’ll see the exact amount before you pay.';
const LATER =
  'A smaller plan starts on the next due date. Until then, nothing is charged or refunded, and you can keep the plan you have.';

/** Another plan for an account that has one: choose, see the exact price today, confirm (D5). */
export function PlanChange({
  account,
  firstPlan,
  onChanged,
}: {
  account: ConnectedAccount;
  /** Plan number chosen when this opens. */
  firstPlan: number;
  onChanged: (quote: Quote) => void;
}) {
  const { platform } = useServices();
  const [number, setNumber] = useState(firstPlan);
  const change = usePlanChange(account, onChanged);
  const timeZone = account.timeZone ?? platform.timeZone();
  const plan = findPlan(number);
  const next = account.nextBillingDate;
  const isSame = number === account.accountPackageId;
  const now = findPlan(account.accountPackageId ?? 0);
  const isUpgrade = plan && now ? plan.priceCents > now.priceCents : true;
  if (change.quote) return <PlanQuote quote={change.quote} change={change} timeZone={timeZone} />;
  return (
    <form
      className={styles['step']}
      aria-label="Choose a plan"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSame) void change.ask(number);
      }}
    >
      <NativeSelect
        label="Choose Your plan"
        name="packageIndex"
        data={PLAN_OPTIONS}
        value={String(number)}
        onChange={(event) => setNumber(Number(event.currentTarget.value))}
      />
      <PriceRows
        rows={[
          { label: 'Price', value: plan ? `${formatCents(plan.priceCents)} per month` : '' },
          {
            label: 'Next billing date',
            value: next ? dateInWords(Date.parse(next), timeZone) : 'None',
          },
        ]}
      />
      {!isSame && <p className={styles['note']}>{isUpgrade ? INSTANTLY : LATER}</p>}
      <FormProblem sentence={change.problem} />
      <NeedsNetwork what="A plan change" />
      <p className={styles['note']} role="status">
        {isSame && 'This is your current plan. Choose another to continue.'}
      </p>
      <div className={styles['actions']}>
        <Button type="submit" loading={change.isBusy} disabled={isSame}>
          Next
        </Button>
      </div>
    </form>
  );
}
