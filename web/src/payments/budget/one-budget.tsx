import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { type Budgets, findBudgets } from '#shared/contract/money/budget.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useRead } from '#web/customer/use-read.ts';
import { useServices } from '#web/platform/services.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { BudgetForm } from './budget-form.tsx';

/** One account's budget, or one client's; the server is asked when it opens. */
export function OneBudget({ igUsername, clientId }: { igUsername?: string; clientId?: string }) {
  const { userId } = useCustomer();
  const { api } = useServices();
  const read = useCallback(
    () => api.call(findBudgets, { userId, igUsername, clientId }),
    [api, userId, igUsername, clientId],
  );
  const { data, hasFailed, again } = useRead(read);
  const [saved, setSaved] = useState<Budgets>();
  const month = saved ?? data;
  const budget = month?.budgets[0];
  if (month && budget) return <BudgetForm budget={budget} month={month} onSaved={setSaved} />;
  if (!hasFailed) return <p aria-live="polite">Loading the budget…</p>;
  return (
    <Notice tone="wait">
      <p>We couldn’t load the budget. Nothing was changed.</p>
      <Button variant="default" onClick={again}>
        Try again
      </Button>
    </Notice>
  );
}
