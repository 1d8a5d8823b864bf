import { dryRunPlan, planAdvice } from '#shared/domain/plan-adviser.ts';
import type { Plan } from '#shared/domain/plans.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { DryRunLine } from './dry-run-line.tsx';
import { type PlanHistory, usePlanHistory } from './use-plan-history.ts';

interface PlanAdviceProps {
  plan: Plan;
  /** In which the plan's days begin. */
  timeZone: string;
  isDryRun?: boolean;
}

/** What an account's own posts say of a plan: what a month costs in either way, and what it would have bought. */
export function PlanAdvice({
  history: { nowMs, ...history },
  plan,
  timeZone,
  isDryRun = true,
}: PlanAdviceProps & { history: PlanHistory }) {
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

/** The same, once this device has read the posts: for a place where nothing stands below. */
export function LatePlanAdvice({ igId, ...props }: PlanAdviceProps & { igId: string }) {
  const history = usePlanHistory(igId);
  return history ? <PlanAdvice history={history} {...props} /> : null;
}
