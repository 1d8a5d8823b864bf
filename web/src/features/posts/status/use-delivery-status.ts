import { useEffect, useMemo, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { tomorrowStart } from '#shared/domain/money/day-use.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import type { NewestOrders } from '#web/replica/queries/watch-orders.ts';
import type { PostWatch } from '#web/replica/queries/watch-posts.ts';
import { useServices } from '#web/platform/services.ts';
import { type DeliveryStatus, STATUS_MS, deliveryStatusOf } from './delivery-status.ts';

/**
 * How things stand for these accounts, from the replica alone; undefined until their orders were read.
 * @param igId of the one account; undefined: all of them
 * @param watchOrders of the same, with the posts that are shown
 */
export function useDeliveryStatus(
  accounts: readonly ConnectedAccount[],
  igId: string | undefined,
  watchOrders: PostWatch['watchOrders'],
): DeliveryStatus | undefined {
  const { platform } = useServices();
  const [held, setHeld] = useState<{ igId: string | undefined; newest: NewestOrders }>();
  const nowMs = useDay();
  useEffect(
    () => watchOrders(platform.now() - STATUS_MS, (newest) => setHeld({ igId, newest })),
    [watchOrders, platform, igId],
  );
  const newest = held?.igId === igId ? held?.newest : undefined;
  return useMemo(
    () =>
      newest &&
      // What came since the day began is counted by the clock of now.
      deliveryStatusOf(accounts, newest, Math.max(nowMs, platform.now()), platform.timeZone()),
    [accounts, newest, nowMs, platform],
  );
}

/** The time, told again when a day of the person's zone has ended. */
function useDay(): number {
  const { platform } = useServices();
  const [nowMs, setNowMs] = useState(() => platform.now());
  useEffect(() => {
    const leftMs = tomorrowStart(nowMs, platform.timeZone()) - nowMs;
    // At least once an hour: a day may have ended, somewhere.
    const timer = setTimeout(() => setNowMs(platform.now()), Math.min(leftMs + 1000, HOUR_MS));
    return () => clearTimeout(timer);
  }, [nowMs, platform]);
  return nowMs;
}
