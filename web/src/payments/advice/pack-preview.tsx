import type { CreditPackage } from '#shared/domain/credit-packages.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { dryRunPack, MONTH_DAYS } from '#shared/domain/plan-adviser.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useServices } from '#web/platform/services.ts';
import { readWholeHistory } from '#web/replica/queries/post-history.ts';
import { useState } from 'react';
import { DryRunLine } from './dry-run-line.tsx';

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
