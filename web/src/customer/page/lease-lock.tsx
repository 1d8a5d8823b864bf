import { lazy, type ReactNode, Suspense } from 'react';
import { LEASE_DAYS } from '#shared/domain/team.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { findAsOf } from '#web/replica/store/scope-state.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { useCustomer } from '../customer.ts';
import { roleOf } from '../rights/user-may.ts';
import { useLocal } from '../use-local.ts';
import { useSyncStatus } from '../use-sync-status.ts';

/** Hardly anybody ever sees it. */
const LeaseOver = lazy(async () => {
  const { LeaseOver: default_ } = await import('./lease-over.tsx');
  return { default: default_ };
});

const LEASE_MS = LEASE_DAYS * 24 * 3_600_000;

/**
 * Around the pages: whoever isn't the owner of what they see may have been removed. Without a word of the server for so
 * long their copy isn't shown until there is one.
 */
export function LeaseLock({ children }: { children: ReactNode }) {
  const isOwner = useClientState(({ user }) => roleOf(user) === 'Owner');
  return isOwner ? children : <Leased>{children}</Leased>;
}

function Leased({ children }: { children: ReactNode }) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const { kind } = useSyncStatus();
  const asOf = useLocal(() => readLocal(db, findAsOf), [db]);
  const isOver = asOf !== undefined && platform.now() - asOf > LEASE_MS;
  if (kind === 'live' || !isOver) return children;
  return (
    <Suspense>
      <LeaseOver />
    </Suspense>
  );
}
