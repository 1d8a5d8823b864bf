import { findUser } from '#shared/contract/user.ts';
import type { CallOptions } from '../api/client.ts';
import type { Customer } from '../components/customer.ts';
import { createDexieStore } from '../local-db/dexie-store.ts';
import { LocalDatabase } from '../local-db/local-database.ts';
import { watchOutboxItem } from '../local-db/local-outbox.ts';
import { stateWithUser } from '../platform/client-state.ts';
import type { Services } from '../platform/services.ts';
import { createActions } from '../sync/actions.ts';
import { sleep } from '../sync/sleep.ts';
import { startEngine } from '../sync/start-engine.ts';
import { createSyncService } from '../sync/sync-service.ts';
import { openTabChannel } from '../sync/tab-channel.ts';
import { whileLeading } from '../sync/tab-lead.ts';

/** Opens a customer's local copy and the service that keeps it right. */
export function createCustomer(services: Services, userId: string): Omit<Customer, 'logOut'> {
  const { api, state, hints, platform } = services;
  const db = new LocalDatabase(userId);

  const refreshUser = async (options?: CallOptions): Promise<void> => {
    const answer = await api.call(findUser, { userId }, options);
    if (answer.kind !== 'success') return;
    hints.remember(answer.data);
    state.setState(stateWithUser(state.getState(), answer.data));
  };

  const sync = createSyncService({
    channel: openTabChannel(userId),
    whileLeading: (signal, work) => whileLeading(userId, signal, work),
    startEngine: (host, signal) => {
      const { now, newId, report } = platform;
      const settings = { userId, apiOrigin: platform.apiOrigin };
      const engineHost = { ...host, now, newId, report, random: Math.random };
      return startEngine(settings, engineHost, signal, services.takeWorker());
    },
    sleep,
    onWake: (listener) => platform.onWake(listener),
    onConnectivityChange: (listener) => platform.onConnectivityChange(listener),
    isOnline: () => platform.isOnline(),
    report: (event, detail) => platform.report(event, detail),
  });

  const actions = createActions({
    store: createDexieStore(db),
    watchItem: (id, listener) => watchOutboxItem(db, id, listener),
    sync,
    sleep,
    now: platform.now,
    newId: platform.newId,
  });

  return { userId, db, sync, actions, refreshUser };
}
