import { useCallback, useEffect } from 'react';
import { findProposals } from '#shared/contract/accounts/bulk.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import type { LocalDatabase } from '#web/replica/store/local-database.ts';
import { PROPOSALS_KEY } from './use-proposals.ts';

/** How often a replica asked: of answers that overtake each other, the one asked for last is kept. */
const asked = new WeakMap<LocalDatabase, number>();

/** Asks the server for them, as after one was made or decided about: whatever shows them does so then. */
export function useAskProposals(): () => Promise<void> {
  const { api } = useServices();
  const { db, userId } = useCustomer();
  return useCallback(async () => {
    const mine = (asked.get(db) ?? 0) + 1;
    asked.set(db, mine);
    const answer = await api.call(findProposals, { userId }, { isUnasked: true });
    if (answer.kind === 'success' && asked.get(db) === mine)
      await db.meta.put({ key: PROPOSALS_KEY, value: answer.data });
  }, [api, db, userId]);
}

/** Asks for them when a page opens, and when there is a connection again. */
export function AskProposals() {
  const { platform } = useServices();
  const isOnline = useOnline();
  const ask = useAskProposals();
  useEffect(() => {
    if (!isOnline) return;
    ask().catch((error: unknown) => platform.report('Proposals could not be kept', error));
  }, [ask, isOnline, platform]);
  return null;
}
