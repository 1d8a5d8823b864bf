import { lazy, type ReactNode, Suspense } from 'react';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { LEASE_DAYS } from '#shared/domain/people/team.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { type DeviceClock, findAsOf, findClock } from '#web/replica/store/scope-state.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import type { StoreReader } from '#web/replica/store/sync-store.ts';
import { useCustomer } from '../customer.ts';
import { roleOf } from '../rights/user-may.ts';
import { useLocal } from '../use-local.ts';
import { useSyncStatus } from '../use-sync-status.ts';

/** Seldom shown, and at hand without network as all that is fetched later. */
const LeaseOver = lazy(async () => ({ default: (await import('./lease-over.tsx')).LeaseOver }));

/** Clocks are put right by so much now and then. */
const CLOCK_SLACK_MS = 5 * MINUTE_MS;

/**
 * Around the pages: whoever isn't the owner of what they see may have been removed. Without a word of the server for so
 * long their replica isn't shown until there is one, nor while the clock that measures it shows less than it did.
 */
export function LeaseLock({ children }: { children: ReactNode }) {
  const isOwner = useClientState(({ user }) => roleOf(user) === 'Owner');
  return isOwner ? children : <Leased>{children}</Leased>;
}

function Leased({ children }: { children: ReactNode }) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const { kind } = useSyncStatus();
  const clock = useLocal(() => readLocal(db, clockOf), [db]);
  if (kind === 'live') return children;
  // Nothing is shown before it is known that it may be.
  if (clock === undefined) return null;
  const over = clock && whyOver(clock, platform.now());
  if (!over) return children;
  return (
    <Suspense>
      <LeaseOver what={over} />
    </Suspense>
  );
}

/** Null: the server was never heard. Replicas of before know only as of when they were whole. */
async function clockOf(store: StoreReader): Promise<DeviceClock | null> {
  const clock = await findClock(store);
  const asOf = clock ? undefined : await findAsOf(store);
  return clock ?? (asOf === undefined ? null : { heardAt: asOf, latest: asOf });
}

function whyOver({ heardAt, latest }: DeviceClock, now: number): string | undefined {
  if (now - heardAt > LEASE_DAYS * DAY_MS) {
    return `This device hasn’t heard from the server for ${LEASE_DAYS} days.`;
  }
  return now < latest - CLOCK_SLACK_MS
    ? 'This device’s clock was set back since it last heard from the server.'
    : undefined;
}
