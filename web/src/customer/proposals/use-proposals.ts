import type { Proposal } from '#shared/contract/accounts/bulk.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { isTeam } from '#web/customer/rights/user-may.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useClientState, useServices } from '#web/platform/services.ts';

/** Where the replica keeps them as they were answered last. */
export const PROPOSALS_KEY = 'proposals';

/** Whether somebody could approve, or has to ask; nobody does who is alone. */
export function useHasProposals(): boolean {
  const hasTeam = useClientState(({ user }) => isTeam(user));
  return useMay('spend') && hasTeam;
}

/** Changes that wait for approval and those decided about, as the server said last; none for a customer alone. */
export function useProposals(): readonly Proposal[] {
  const { db } = useCustomer();
  const hasProposals = useHasProposals();
  const kept = useLocal(
    async () => (await db.meta.get(PROPOSALS_KEY))?.value as readonly Proposal[] | undefined,
    [db],
  );
  return (hasProposals && kept) || [];
}

/** Those that wait for this person's approval. */
export function useWaitingProposals(): readonly Proposal[] {
  const { platform } = useServices();
  return useProposals().filter(
    ({ state, isOwn, until }) =>
      state === 'proposed' && !isOwn && Date.parse(until) > platform.now(),
  );
}
