import { useEffect, useMemo, useState } from 'react';
import type { BulkItem } from '#shared/contract/accounts/bulk.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { MONTH_DAYS } from '#shared/domain/money/plan-adviser.ts';
import { dryRunPlans } from '#shared/domain/accounts/plans-dry-run.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { readEachHistory } from '#web/replica/queries/post-history.ts';

type Histories = Awaited<ReturnType<typeof readEachHistory>>;

/**
 * What the plans among these changes would have bought last month, by the posts this device knows; null: none are
 * bought, undefined until it is known.
 */
export function useDryRun(items: readonly BulkItem[]): string | null | undefined {
  const { db } = useCustomer();
  const { platform } = useServices();
  const accounts = useClientState((state) => state.connectedAccounts);
  const [nowMs] = useState(() => platform.now());
  const bought = useMemo(() => items.flatMap(boughtBy), [items]);
  const isAny = bought.length > 0;
  const [histories, setHistories] = useState<Histories>();
  // Once: posts of thousands of accounts aren't read again for each one that comes meanwhile.
  useEffect(() => {
    if (!isAny) return undefined;
    let isGone = false;
    const keep = (read: Histories): void => {
      if (!isGone) setHistories(read);
    };
    readEachHistory(db, { sinceMs: nowMs - MONTH_DAYS * DAY_MS, nowMs }).then(
      keep,
      (error: unknown) => {
        platform.report('Posts of accounts could not be read', error);
        keep(new Map());
      },
    );
    return () => {
      isGone = true;
    };
  }, [db, platform, nowMs, isAny]);
  return useMemo(() => {
    if (!isAny) return null;
    if (!histories) return undefined;
    const zones = new Map(accounts.map((each) => [each.igUsername, each.timeZone]));
    const lookedAt = bought.map(({ igUsername, packageIndex, timeZone }) => {
      const known = histories.get(igUsername);
      const zone = timeZone ?? zones.get(igUsername) ?? platform.timeZone();
      return { plan: getPlan(packageIndex), history: known && { ...known, timeZone: zone } };
    });
    return dryRunPlans(lookedAt, nowMs);
  }, [isAny, histories, accounts, bought, platform, nowMs]);
}

function boughtBy({ igUsername, outcome, change }: BulkItem) {
  const isBought = outcome === 'planned' && (change.kind === 'plan' || change.kind === 'begin');
  if (!isBought) return [];
  // Days of a plan that is there begin where it began.
  const timeZone = change.kind === 'begin' ? change.timeZone : undefined;
  return [{ igUsername, packageIndex: change.packageIndex, timeZone }];
}
