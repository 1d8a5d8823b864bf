import { useEffect } from 'react';
import { findProposals, type Proposal } from '#shared/contract/bulk.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';

/** Where the replica keeps them as they were answered last. */
const KEY = 'proposals';

/** Changes that wait for approval and those decided about, as the server said last; none for a customer alone. */
export function useProposals(): {
  proposals: readonly Proposal[];
  /** Asks again, after one was made or decided about: every list shows it. */
  refresh: () => Promise<void>;
} {
  const { api, platform } = useServices();
  const { db, userId } = useCustomer();
  const isOnline = useOnline();
  const isTeam = useClientState(({ user }) => (user?.membership?.people ?? 1) > 1);
  const isAsked = useMay('spend') && isTeam;
  const kept = useLocal(
    async () => (await db.meta.get(KEY))?.value as readonly Proposal[] | undefined,
    [db],
  );
  const refresh = async (): Promise<void> => {
    const answer = await api.call(findProposals, { userId }, { isUnasked: true });
    if (answer.kind === 'success') await db.meta.put({ key: KEY, value: answer.data });
  };
  useEffect(() => {
    if (!isAsked || !isOnline) return;
    refresh().catch((error: unknown) => platform.report('Proposals could not be kept', error));
    // oxlint-disable-next-line react/exhaustive-deps -- `refresh` is made of these
  }, [api, db, isAsked, isOnline, platform, userId]);
  return { proposals: (isAsked && kept) || [], refresh };
}
