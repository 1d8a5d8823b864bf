import {
  dryRunPlan,
  planAdvice,
  dryRunPack,
  MONTH_DAYS,
  type DryRun,
} from '#shared/domain/money/plan-adviser.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { type PlanHistory, usePlanHistory } from './use-plan-history.ts';
import type { CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useServices } from '#web/platform/services.ts';
import { readWholeHistory } from '#web/replica/queries/post-history.ts';
import { useState } from 'react';
import { shortTime } from '#web/ui/words/dates.ts';

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

/** What a package of credits would have bought in the last 30 days. */
export function PackPreview({ pack }: { pack: CreditPackage }) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [nowMs] = useState(() => platform.now());
  const history = useLocal(
    () => readWholeHistory(db, { sinceMs: nowMs - MONTH_DAYS * DAY_MS, nowMs }),
    [db, nowMs],
  );
  if (!history) return null;
  const { postsMs, usualLikes } = history;
  const run = dryRunPack({ postsMs, usualLikes, credits: pack.credits });
  return <DryRunLine run={run} timeZone={platform.timeZone()} />;
}

/** So many posts are listed, the newest. */
const LISTED_LIMIT = 30;

/** What a purchase would have bought, in one line that opens to the posts. */
function DryRunLine({ run, timeZone }: { run: DryRun; timeZone: string }) {
  if (run.posts.length === 0) return <p className={parts['note']}>{run.line}</p>;
  const listed = run.posts.slice(-LISTED_LIMIT).toReversed();
  const more = run.posts.length - listed.length;
  return (
    <details className={parts['note']}>
      <summary className="py-2 cursor-pointer">{run.line}</summary>
      <ul>
        {listed.map(({ atMs, isServed }, nth) => (
          <li key={`${atMs} ${nth}`}>
            {shortTime(atMs, timeZone)}: {isServed ? 'likes' : 'no likes'}
          </li>
        ))}
        {more > 0 && <li>and {more.toLocaleString('en-US')} older</li>}
      </ul>
    </details>
  );
}
