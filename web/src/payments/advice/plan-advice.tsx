import { DAY_MS } from '#shared/domain/durations.ts';
import { dryRunPlan, HISTORY_DAYS, planAdvice } from '#shared/domain/plan-adviser.ts';
import type { Plan } from '#shared/domain/plans.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useServices } from '#web/platform/services.ts';
import { readAccountHistory } from '#web/replica/queries/post-history.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { useState } from 'react';
import { DryRunLine } from './dry-run-line.tsx';

/** What an account's own posts say of a plan: what a month costs in either way, and what it would have bought. */
export function PlanAdvice({
  igId,
  plan,
  timeZone,
  isDryRun = true,
}: {
  igId: string;
  plan: Plan;
  /** In which the plan's days begin. */
  timeZone: string;
  isDryRun?: boolean;
}) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [nowMs] = useState(() => platform.now());
  const history = useLocal(
    () => readAccountHistory(db, igId, { sinceMs: nowMs - HISTORY_DAYS * DAY_MS, nowMs }),
    [db, igId, nowMs],
  );
  if (!history) return null;
  const { usualLikes } = history;
  const question = { history: { ...history, timeZone }, plan, usualLikes, nowMs };
  const { comparison, advice, figures } = planAdvice(question);
  const run = isDryRun ? dryRunPlan(question) : undefined;
  return (
    <section className="grid gap-2" aria-label="What your posts say">
      <p>
        {comparison} {advice && <strong className="font-600">{advice}</strong>}
      </p>
      {figures.length > 0 && (
        <details className={parts['note']}>
          <summary className="py-2 cursor-pointer">How we counted</summary>
          <ul>
            {figures.map((figure) => (
              <li key={figure}>{figure}</li>
            ))}
          </ul>
        </details>
      )}
      {run && <DryRunLine run={run} timeZone={timeZone} />}
    </section>
  );
}
