import { findUser } from '#shared/contract/user.ts';
import type { Customer } from '../components/customer.ts';
import { LocalDatabase } from '../local-db/local-database.ts';
import { stateWithUser, withAccounts } from '../platform/client-state.ts';
import type { Services } from '../platform/services.ts';
import { refresh } from '../sync/refresh.ts';
import { sleep } from '../sync/sleep.ts';
import { createSyncService } from '../sync/sync-service.ts';

/** Credits and subscription change rarely: the user is read with every so many refreshes. */
const REFRESHES_PER_USER = 10;

/** Opens a customer's local copy and the service that keeps it fresh. */
export function createCustomer(services: Services, userId: string): Omit<Customer, 'logOut'> {
  const { api, state, hints, platform } = services;
  const db = new LocalDatabase(userId);

  const refreshUser = async (): Promise<void> => {
    const answer = await api.call(findUser, { userId });
    if (answer.kind !== 'success') return;
    hints.remember(answer.data);
    state.setState(stateWithUser(state.getState(), answer.data));
  };

  const deps = {
    api,
    db,
    userId,
    activeUsername: () => state.getState().activeAccount?.activeusername,
    onAccounts: (accounts: Parameters<typeof withAccounts>[1]) =>
      state.setState(withAccounts(state.getState(), accounts)),
  };
  let refreshes = 0;
  const sync = createSyncService({
    refresh: async (signal) => {
      refreshes += 1;
      if (refreshes % REFRESHES_PER_USER === 0) await refreshUser();
      return refresh(deps, signal);
    },
    sleep,
    isVisible: () => platform.isVisible(),
    onWake: (listener) => platform.onWake(listener),
    report: (event, detail) => platform.report(event, detail),
  });

  return { userId, db, sync, refreshUser };
}
