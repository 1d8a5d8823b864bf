import { lead } from '#web/replica/engine/sync-engine.ts';
import { createHttpNetwork } from '#web/replica/network/http-network.ts';
import { sleep } from '#web/platform/async.ts';

const nothing = () => undefined;

/** The product's own engine on a store; returns how to stop it. `onLive` is called when all is there. */
export function follow(store, onLive) {
  const stop = new AbortController();
  const deps = {
    store,
    network: createHttpNetwork({ baseUrl: '', fetch: (...asked) => globalThis.fetch(...asked) }),
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    report: (event, detail) => console.error(event, detail),
    sleep,
    onOutbox: () => nothing,
    onWake: () => nothing,
    random: Math.random,
    onStatus: ({ kind }) => kind === 'live' && onLive(),
  };
  const ended = lead(deps, stop.signal);
  return async () => {
    stop.abort();
    await ended;
  };
}
