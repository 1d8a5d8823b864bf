import { findUser } from '#shared/contract/people/user.ts';
import type { Customer } from './customer.ts';
import { LiveCustomer } from './live-customer.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { watchOutboxItem } from '#web/replica/outbox/outbox.ts';
import type { Services } from '#web/platform/services.ts';
import { createChanges } from '#web/replica/outbox/make-changes.ts';
import { sleep } from '#web/platform/async.ts';
import { startEngine } from '#web/replica/engine/start-engine.ts';
import { createSyncService } from '#web/replica/engine/sync-service.ts';
import { openTabChannel, whileLeading } from '#web/replica/engine/tabs.ts';

/** Opens a customer's replica and the service that keeps it right; `follow` shows them from it until stopped. */
export function createCustomer(
  services: Services,
  userId: string,
): { customer: Omit<Customer, 'logOut' | 'continueIn'>; follow: () => () => void } {
  const { api, platform } = services;
  const db = new LocalDatabase(userId);
  const live = new LiveCustomer(services, db, userId);

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

  const changes = createChanges({
    store: createDexieStore(db),
    watchItem: (id, listener) => watchOutboxItem(db, id, listener),
    sync,
    sleep,
    now: platform.now,
    newId: platform.newId,
  });

  const keepAnswer: Customer['keepAnswer'] = async (user, show) => {
    const shown = live.keepAnswer(user, show);
    sync.wake();
    await shown;
  };
  const refresh: Customer['refresh'] = async (options) => {
    const answer = await api.call(findUser, { userId }, options);
    if (answer.kind === 'success') await keepAnswer(answer.data);
  };
  const showAccount: Customer['showAccount'] = (account) => live.showAccount(account);
  const customer = { userId, db, sync, changes, refresh, keepAnswer, showAccount };
  return { customer, follow: () => live.start() };
}
