import { AsyncLocalStorage } from 'node:async_hooks';

const askers = new AsyncLocalStorage<string>();

/** Works on somebody's behalf: what queues gives each asker as much as any other. */
export function onBehalfOf<T>(asker: string, work: () => T): T {
  return askers.run(asker, work);
}

/** On whose behalf the calling code works; undefined for the product's own work, which is one asker, too. */
export const currentAsker = (): string | undefined => askers.getStore();
