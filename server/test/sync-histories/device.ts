import { setTimeout } from 'node:timers/promises';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { patiently } from '../patience.ts';
import { seededRandom } from '../seeded.ts';
import { createMemoryStore, type MemoryStore } from '#web/replica/store/memory-store.fake.ts';
import { queueChange } from '#web/replica/outbox/outbox.ts';
import { FencedError, takeLead } from '#web/replica/engine/sync-engine.ts';
import { Listeners } from '#web/platform/async.ts';
import { liveSession } from '#web/replica/engine/live-session.ts';
import { pullScopes } from '#web/replica/engine/pull-scopes.ts';
import { pushOutbox } from '#web/replica/outbox/push-outbox.ts';
import type { SyncWork } from '#web/replica/network/sync-network.ts';
import { countApplied, type StreamTally } from './stream-tally.ts';
import { createFaultyNetwork, type Faults } from './faulty-network.ts';

const CRASH = 0.006;

class Crash extends Error {}

/** Runs on until the history says so. */
const never = new AbortController().signal;

/** A replica with the client's own engine, which may crash at every await. */
export interface Device {
  store: MemoryStore;
  /** A new leader pulls and sends; what goes wrong is for the next one. */
  sync(): Promise<void>;
  /** Two leaders at once, of which only the later may write. */
  syncTwice(): Promise<void>;
  /** Follows the stream while something happens at the server; `heard` waits for the stream's next event. */
  follow(meanwhile: (heard: () => Promise<void>) => Promise<void>): Promise<void>;
  /** False when a crash came before the change was kept. */
  queue(name: string, args: Record<string, unknown>): Promise<boolean>;
  /** From now on nothing goes wrong; returns the last leader's work. */
  calm(): Promise<SyncWork>;
}

export function createDevice(options: {
  seed: number;
  fetch: typeof globalThis.fetch;
  newId: () => string;
  startsAtMs: number;
  tally: StreamTally;
}): Device {
  const { fetch, newId, tally } = options;
  const random = seededRandom(options.seed);
  const events = new Listeners<void>();
  const faults: Faults = { random, areOn: true, tally, onEvent: () => events.tell() };
  let nowMs = options.startsAtMs;
  const store = createMemoryStore(async () => {
    if (faults.areOn && random() < CRASH) throw new Crash('on purpose');
  });
  const network = createFaultyNetwork(fetch, faults);
  const lead = async (): Promise<SyncWork> => {
    const leading = await takeLead(store);
    return { store: leading, network, now: () => nowMs, newId, report: () => undefined };
  };
  const run = async (): Promise<void> => {
    const work = await lead();
    await pullScopes(work, never);
    await pushOutbox(work, never);
  };
  const survived = async (work: () => Promise<void>): Promise<void> => {
    // A clock that is set back now and then.
    nowMs += (random() < 0.1 ? -24 * 60 : 20) * MINUTE_MS;
    await work().catch(ignoreCrash);
  };
  return {
    store,
    sync: () => survived(run),
    syncTwice: () =>
      survived(async () => {
        const first = run().catch(ignoreCrash);
        await Promise.all([first, run()]);
      }),
    follow: (meanwhile) =>
      survived(async () => {
        const leading = await lead();
        const work = { ...leading, store: countApplied(leading.store, tally) };
        await followWhile(work, { faults, events, meanwhile });
      }),
    queue: async (name, args) => {
      let isKept = false;
      await survived(async () => {
        const item = { id: newId(), name, v: 1, args, title: '', madeAt: 0 };
        await store.write((tx) => queueChange(tx, item, []));
        isKept = true;
      });
      return isKept;
    },
    calm: async () => {
      faults.areOn = false;
      nowMs += 24 * 60 * MINUTE_MS;
      return lead();
    },
  };
}

async function followWhile(
  work: SyncWork,
  {
    faults,
    events,
    meanwhile,
  }: {
    faults: Faults;
    events: Listeners<void>;
    meanwhile: (heard: () => Promise<void>) => Promise<void>;
  },
): Promise<void> {
  const stop = new AbortController();
  const live = new Listeners<void>();
  const begun = next(live);
  // Most would end before the first event: what goes wrong in a pull is seen by `sync`.
  faults.areOn = false;
  const session = followed(work, stop.signal, () => live.tell());
  await Promise.race([begun, session]);
  faults.areOn = true;
  const answered = async (): Promise<void> => {
    await next(events);
    await next(live);
  };
  await meanwhile(() => Promise.race([answered(), session, passed()]));
  stop.abort();
  await session;
}

/** A hint may be lost, and a session held up: a history goes on without it. */
const passed = (): Promise<void> => setTimeout(patiently(1000));

function next(listeners: Listeners<void>): Promise<void> {
  return new Promise((resolve) => {
    const stop = listeners.add(() => {
      stop();
      resolve();
    });
  });
}

async function followed(work: SyncWork, signal: AbortSignal, onLive: () => void): Promise<void> {
  const quiet = (_ms: number, waiting: AbortSignal): Promise<void> =>
    new Promise((resolve) => waiting.addEventListener('abort', () => resolve(), { once: true }));
  const nothing = (): void => undefined;
  const deps = { ...work, sleep: quiet, onOutbox: () => nothing, onLive, onBlocked: onLive };
  await liveSession(deps, signal).catch((error: unknown) => {
    if (!signal.aborted) ignoreCrash(error);
  });
}

function ignoreCrash(error: unknown): void {
  if (!(error instanceof Crash) && !(error instanceof FencedError)) throw error;
}
