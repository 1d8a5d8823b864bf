import { joinSmallChunks } from '../store/apply-rows.ts';
import { scopeKind, type Scope } from '#shared/contract/scope.ts';
import { SCOPE_ENTITIES } from '#shared/sync/scope-entities.ts';
import { findAsOf, keepPassed, listScopes } from '../store/scope-state.ts';
import { IDENTITY, raiseTerm, type SyncStore, type StoreWriter } from '../store/sync-store.ts';
import { type LiveDeps, liveSession } from './live-session.ts';
import { isStorageFull, makeRoom } from './make-room.ts';
import type { SyncFailure } from '../network/sync-network.ts';
import type { SyncStatus } from '../network/sync-status.ts';

export interface EngineDeps extends Omit<LiveDeps, 'onLive' | 'onBlocked'> {
  /** Removes the kept pictures; false when there were none. */
  freePictures: () => Promise<boolean>;
  /** Between 0 and 1. */
  random: () => number;
  onStatus(status: SyncStatus): void;
  /** Calls back when it is worth trying again at once; returns how to stop. */
  onWake(listener: () => void): () => void;
}

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 30_000;
const IDLE_MS = 3000;

/** How long to wait after so many failures in a row: doubled each time, a random half taken off. */
export function reconnectDelayMs(failures: number, random: () => number): number {
  const fullMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(fullMs * (0.5 + random() / 2));
}

/** Why a leader stopped leading. */
export type LeadEnd = 'stopped' | 'fenced' | 'log_in_again' | 'upgrade';

/**
 * Leads until stopped:
 *
 *   connect ──> pull, send ──> live ──> broken ──> wait (0.5-30 s, or a wake) ──> connect ...
 *      └── 401: log in again      └── 426: upgrade      └── another leader wrote: fenced
 */
export async function lead(deps: EngineDeps, signal: AbortSignal): Promise<LeadEnd> {
  let failures = 0;
  const rest = restUntilWoken(deps);
  try {
    const store = await takeLead(deps.store).catch(async (error: unknown) => {
      // Without any room not even the lead can be taken; whoever runs this tries again.
      if (isStorageFull(error)) await deps.freePictures();
      throw error;
    });
    const asOf = await store.read(findAsOf);
    deps.onStatus({ kind: 'syncing', asOf });
    while (!signal.aborted) {
      let wasLive = false;
      rest.begin();
      const onLive = (): void => {
        rest.begin();
        if (!wasLive) void joinWhenIdle(deps, store, signal);
        wasLive = true;
        deps.onStatus({ kind: 'live' });
      };
      const onBlocked = (lastAsOf: number | undefined): void => {
        rest.begin();
        wasLive = true;
        deps.onStatus({ kind: 'syncing', asOf: lastAsOf });
      };
      const ended = await connection({ ...deps, store, onLive, onBlocked }, signal);
      if (signal.aborted) break;
      failures = wasLive ? 0 : failures + 1;
      const lastAsOf = await store.read(findAsOf);
      if (ended.kind === 'log_in_again' || ended.kind === 'upgrade') {
        deps.onStatus({ ...ended, asOf: lastAsOf });
        return ended.kind;
      }
      if (failures === 1) deps.report('Nothing could be fetched; what is kept stays', ended.kind);
      deps.onStatus({ kind: 'offline', asOf: lastAsOf });
      await rest.wait(reconnectDelayMs(failures, deps.random), signal);
      if (!signal.aborted && !wasLive) deps.onStatus({ kind: 'syncing', asOf: lastAsOf });
    }
    return 'stopped';
  } catch (error) {
    if (error instanceof FencedError) {
      // What is shown is no longer kept right by this leader, whatever it said last.
      deps.onStatus({ kind: 'offline', asOf: await deps.store.read(findAsOf) });
      return 'fenced';
    }
    if (signal.aborted) return 'stopped';
    throw error;
  } finally {
    rest.stop();
  }
}

/** What breaks inside (a full disk, a closed database) counts as a broken connection. */
async function connection(
  deps: LiveDeps & Pick<EngineDeps, 'freePictures'>,
  signal: AbortSignal,
): Promise<SyncFailure> {
  try {
    const ended = await liveSession(deps, signal);
    if (ended.kind === 'unreachable') await deps.store.write((tx) => keepPassed(tx, deps.now()));
    return ended;
  } catch (error) {
    if (error instanceof FencedError) throw error;
    if (!signal.aborted) deps.report('A sync session broke', error);
    if (isStorageFull(error)) {
      const freed = await makeRoom(deps.store, deps.freePictures);
      deps.report('The device has no more room', freed);
    }
    return { kind: 'unreachable' };
  }
}

/** Waits that a wake ends. One that comes while an attempt is still failing ends the wait after it. */
function restUntilWoken(deps: EngineDeps): {
  /** Wakes of before are answered by what begins now. */
  begin: () => void;
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
  stop: () => void;
} {
  let woken = new AbortController();
  const stop = deps.onWake(() => woken.abort());
  return {
    begin: () => {
      woken = new AbortController();
    },
    wait: (delayMs, signal) => deps.sleep(delayMs, AbortSignal.any([signal, woken.signal])),
    stop,
  };
}

/** Puts in order what full memtables left behind, a little at a time, once nothing else is to do. */
async function joinWhenIdle(
  { sleep, report }: EngineDeps,
  store: SyncStore,
  signal: AbortSignal,
): Promise<void> {
  try {
    await sleep(IDLE_MS, signal);
    for (const { scope, generation, loading } of await store.read(listScopes)) {
      if (loading) continue;
      for (const entity of SCOPE_ENTITIES[scopeKind(scope as Scope)]) {
        const join = (): Promise<boolean> =>
          store.write((tx) => joinSmallChunks(tx, { scope, entity, generation }));
        while (!signal.aborted && (await join())) await sleep(0, signal);
      }
    }
  } catch (error) {
    if (!(error instanceof FencedError) && !signal.aborted) report('Joining chunks broke', error);
  }
}

/** Another tab has taken the lead: this one must not write any more. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/**
 * The store as the leader sees it. Taking the lead raises the term; every write checks it again in
 * its own transaction, so a leader that lost the lead without noticing changes nothing.
 */
export async function takeLead(store: SyncStore): Promise<SyncStore> {
  const term = await store.write(raiseTerm);
  return {
    read: (work) => store.read(work),
    write: <Result>(work: (tx: StoreWriter) => Promise<Result>) =>
      store.write(async (tx) => {
        if ((await tx.getMeta(IDENTITY.term)) !== term)
          throw new FencedError('Another tab leads now');
        return work(tx);
      }),
  };
}
