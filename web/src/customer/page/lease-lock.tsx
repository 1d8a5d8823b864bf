import type { ReactNode } from 'react';
import { LEASE_DAYS } from '#shared/domain/team.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { findAsOf } from '#web/replica/store/scope-state.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { useCustomer } from '../customer.ts';
import { roleOf } from '../rights/user-may.ts';
import { useLocal } from '../use-local.ts';
import { useSyncStatus } from '../use-sync-status.ts';
import { BarePage } from '#web/ui/page/bare-page.tsx';

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
  return kind === 'live' || !isOver ? children : <LeaseOver />;
}

/** In place of a workspace of others from which nothing was heard for too long. */
function LeaseOver() {
  const { paths } = useServices();
  return (
    <BarePage
      title="Connect to continue"
      what={`This device hasn’t heard from the server for ${LEASE_DAYS} days.`}
      home={paths.landing}
    >
      <p>Connect, and the workspace is shown again. Changes you made here are still kept.</p>
    </BarePage>
  );
}
