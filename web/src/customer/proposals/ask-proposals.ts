import { useCallback, useEffect } from 'react';
import { findProposals } from '#shared/contract/accounts/bulk.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import type { LocalDatabase } from '#web/replica/store/local-database.ts';
import { PROPOSALS_KEY } from './use-proposals.ts';

/** How often a replica asked: of answers that overtake each other, the one asked for last is kept. */
const asked = new WeakMap<LocalDatabase, number>();

/**
 * Asks the server for them, as after one was made or decided about: whatever shows them does so then. It never
 * rejects: whoever waits for it has done something that counts, whether or not the device has room for this.
 */
export function useAskProposals(): () => Promise<void> {
  const { api, platform } = useServices();
  const { db, userId } = useCustomer();
  return useCallback(async () => {
    const mine = (asked.get(db) ?? 0) + 1;
    asked.set(db, mine);
    try {
      const answer = await api.call(findProposals, { userId }, { isUnasked: true });
      if (answer.kind === 'success' && asked.get(db) === mine)
        await db.meta.put({ key: PROPOSALS_KEY, value: answer.data });
    } catch (error) {
      platform.report('Proposals could not be kept', error);
    }
  }, [api, db, platform, userId]);
}

/** Asks for them when a page opens, and when there is a connection again. */
export function AskProposals() {
  const isOnline = useOnline();
  const ask = useAskProposals();
  useEffect(() => {
    if (isOnline) void ask();
  }, [ask, isOnline]);
  return null;
}
