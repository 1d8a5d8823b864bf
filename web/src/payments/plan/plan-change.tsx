import { dateInWords } from '#web/ui/words/dates.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Quote } from '#shared/contract/money/subscription.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { findPlan, isUpgrade } from '#shared/domain/money/plans.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { NeedsNetwork } from '#web/customer/needs-network.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { PLAN_OPTIONS } from './plan-options.ts';
import { PlanQuote } from './plan-quote.tsx';
import { PlanAdvice } from '../advice/plan-advice.tsx';
import { usePlanHistory } from '../advice/use-plan-history.ts';
import { PriceRows } from '../price-rows.tsx';
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
  const history = usePlanHistory(account.igId);
  const timeZone = account.timeZone ?? platform.timeZone();
  const plan = findPlan(number);
  const next = account.nextBillingDate;
  const isSame = number === account.accountPackageId;
  const now = findPlan(account.accountPackageId ?? 0);
  const isAtOnce = plan && now ? isUpgrade(now.priceCents, plan.priceCents) : true;
  if (!history) return null;
  const advice = plan && <PlanAdvice history={history} plan={plan} timeZone={timeZone} />;
  if (change.quote) {
    return <PlanQuote quote={change.quote} change={change} timeZone={timeZone} advice={advice} />;
  }
  return (
    <form
      className={parts['form']}
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
      {!isSame && <p className={parts['note']}>{isAtOnce ? INSTANTLY : LATER}</p>}
      {advice}
      <FormProblem sentence={change.problem} />
      <NeedsNetwork what="A plan change" />
      <p className={parts['note']} role="status">
        {isSame && 'This is your current plan. Choose another to continue.'}
      </p>
      <div className={parts['actions']}>
        <Button type="submit" loading={change.isBusy} disabled={isSame}>
          Next
        </Button>
      </div>
    </form>
  );
}
