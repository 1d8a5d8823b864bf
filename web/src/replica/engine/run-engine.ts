import { freePictures } from '../pictures/browser-pictures.ts';
import { pageFetch } from '#web/api/page-fetch.ts';
import {
  createDexieStore,
  closeWhenReplaced,
  LocalDatabase,
  watchLocal,
  readLocal,
} from '../store/local-database.ts';
import { findLost } from '../store/lost-accounts.ts';
import { listLocalPinned } from '../queries/accounts.ts';
import { createHttpNetwork } from '../network/http-network.ts';
import { keepPictures } from '../pictures/keep-pictures.ts';
import { Listeners, sleep } from '#web/platform/async.ts';
import { type LeadEnd, lead } from './sync-engine.ts';
import type { SyncStatus } from '../network/sync-status.ts';

/** What the engine needs to know wherever it runs; a worker gets it as a message. */
export interface EngineSettings {
  userId: string;
  /** Empty for the page's own origin. */
  apiOrigin: string;
}

/** What a page tells its engine. */
export type EngineCommand =
  /** It is worth trying again at once, and there may be changes to send. */
  { kind: 'wake' } | { kind: 'connectivity'; isOnline: boolean };

/** The engine's side of the page, or of whatever runs it. */
export interface EngineHost {
  /** Milliseconds since the epoch. */
  now: () => number;
  newId: () => string;
  /** Between 0 and 1. */
  random: () => number;
  onStatus: (status: SyncStatus) => void;
  report: (event: string, detail?: unknown) => void;
  onCommand: (listener: (command: EngineCommand) => void) => () => void;
}

/** `gone`: the replica was deleted, or brought to a newer form, by another tab. */
export type EngineEnd = LeadEnd | 'gone';

/** Follows the server into the user's replica until stopped, or until it can't go on. */
export async function runEngine(
  { userId, apiOrigin }: EngineSettings,
  host: EngineHost,
  signal: AbortSignal,
): Promise<EngineEnd> {
  const db = new LocalDatabase(userId);
  const gone = new AbortController();
  const ended = new AbortController();
  closeWhenReplaced(db, () => gone.abort());
  const connections = createConnections(host);
  const on = (kinds: readonly EngineCommand['kind'][]) => (listener: () => void) =>
    host.onCommand((command) => {
      if (kinds.includes(command.kind)) listener();
    });
  const store = createDexieStore(db);
  const { fetch } = connections;
  const network = createHttpNetwork({ baseUrl: apiOrigin, fetch, userId });
  const work = { ...host, store, network, sleep };
  const stopping = AbortSignal.any([signal, gone.signal, ended.signal]);
  const status = new Listeners<SyncStatus>();
  status.add(host.onStatus);
  const onChange = (listener: () => void): (() => void) => {
    const stops = [onLiveAgain(status, listener), onPinned(db, listener), onLost(db, listener)];
    return () => stops.forEach((stop) => stop());
  };
  const rules = { mayBeKept, isMetered, onChange };
  void keepPictures({ ...work, ...rules, fetch, apiOrigin }, stopping);
  const onStatus = (next: SyncStatus): void => status.tell(next);
  const [onWake, onOutbox] = [on(['wake', 'connectivity']), on(['wake'])];
  try {
    const end = await lead({ ...work, onStatus, freePictures, onWake, onOutbox }, stopping);
    return gone.signal.aborted && !signal.aborted ? 'gone' : end;
  } finally {
    ended.abort();
    connections.stop();
    db.close();
  }
}

/**
 * Ends every connection when the shell says that it is offline: a stream that is already open would
 * look alive until its heartbeat is missed.
 */
function createConnections({ onCommand }: EngineHost): {
  fetch: typeof globalThis.fetch;
  stop: () => void;
} {
  let open = new AbortController();
  const stop = onCommand((command) => {
    if (command.kind !== 'connectivity') return;
    open.abort();
    if (command.isOnline) open = new AbortController();
  });
  return {
    stop,
    fetch: (input, init) => {
      const signals = init?.signal ? [init.signal, open.signal] : [open.signal];
      return pageFetch(input, { ...init, signal: AbortSignal.any(signals) });
    },
  };
}

function onLiveAgain(status: Listeners<SyncStatus>, listener: () => void): () => void {
  let isLive = false;
  return status.add(({ kind }) => {
    const wasLive = isLive;
    isLive = kind === 'live';
    if (isLive && !wasLive) listener();
  });
}

/** Calls back when other accounts are pinned than before, here or elsewhere. */
function onPinned(db: LocalDatabase, listener: () => void): () => void {
  let known: string | undefined;
  const watching = watchLocal(() => listLocalPinned(db)).subscribe((igIds) => {
    if (igIds === undefined) return;
    const now = [...igIds].join(' ');
    const isFirst = known === undefined;
    if (now === known) return;
    known = now;
    if (!isFirst) listener();
  });
  return () => watching.unsubscribe();
}

/** Calls back when accounts went, here or before. */
function onLost(db: LocalDatabase, listener: () => void): () => void {
  const watching = watchLocal(() => readLocal(db, findLost)).subscribe((lost) => {
    if (lost !== undefined) listener();
  });
  return () => watching.unsubscribe();
}

/** By the desktop app, or by a service worker once it has kept the app's files. */
async function mayBeKept(): Promise<boolean> {
  if (location.protocol === 'app:') return true;
  if (!('caches' in globalThis)) return false;
  return (await caches.keys()).some((name) => name.startsWith('workbox-precache'));
}

/** Some browsers tell; the others count as not metered. */
function isMetered(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  if (typeof connection !== 'object' || connection === null) return false;
  if ('saveData' in connection && connection.saveData === true) return true;
  return 'type' in connection && connection.type === 'cellular';
}

/** From a page to its worker. */
export type ToEngine =
  | { kind: 'start'; settings: EngineSettings }
  | { kind: 'command'; command: EngineCommand }
  | { kind: 'stop' };

/** From a worker to its page. */
export type FromEngine =
  | { kind: 'status'; status: SyncStatus }
  | { kind: 'report'; event: string; detail: string }
  | { kind: 'ended'; end: EngineEnd }
  /** It broke; another one may do better. */
  | { kind: 'broke'; detail: string };
