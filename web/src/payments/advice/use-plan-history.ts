import { useState } from 'react';
import { DAY_MS } from '#shared/domain/durations.ts';
import { HISTORY_DAYS } from '#shared/domain/money/plan-adviser.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useServices } from '#web/platform/services.ts';
import { type LocalHistory, readAccountHistory } from '#web/replica/queries/post-history.ts';

/** What this device knows of an account's posts when it is asked. */
export interface PlanHistory extends LocalHistory {
  nowMs: number;
}

/** Undefined until it was read. Where it stands above a button, that waits for it: it would be pushed away. */
export function usePlanHistory(igId: string): PlanHistory | undefined {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [nowMs] = useState(() => platform.now());
  const history = useLocal(
    () => readAccountHistory(db, igId, { sinceMs: nowMs - HISTORY_DAYS * DAY_MS, nowMs }),
    [db, igId, nowMs],
  );
  return history && { ...history, nowMs };
}
