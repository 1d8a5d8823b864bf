import type { Scope } from '#shared/contract/scope.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import {
  findAsOf,
  findCursor,
  findScope,
  isFollowed,
  keepAsOf,
  keepHeard,
  listCursors,
  findEpoch,
} from '../store/scope-state.ts';
import type { StoreReader } from '../store/sync-store.ts';
import { applyWireRows, moveCursor, dropScope, pullScopes } from './pull-scopes.ts';
import { pushOutbox } from '../outbox/push-outbox.ts';
import type { Sleep } from '#web/platform/async.ts';
import type { LiveEvent, SyncFailure, SyncWork } from '../network/sync-network.ts';
import { verifyScopes } from './verify-scopes.ts';

/** What a live connection is told, by the server or from this device. */
type Message = LiveEvent | LocalMessage;
type LocalMessage = { kind: 'outbox' | 'verify' | 'ended' | 'pull' };

export interface LiveDeps extends SyncWork {
  sleep: Sleep;
  /** Calls back when changes were queued, here or in another tab; returns how to stop. */
  onOutbox(listener: () => void): () => void;
  /** Told whenever the replica is whole as of now. */
  onLive(): void;
  /** Told instead while a scope waits to be read anew; as of when the replica was whole. */
  onBlocked(asOf: number | undefined): void;
}

/** One connection at work. */
interface Connection {
  deps: LiveDeps;
  queue: MessageQueue<Message>;
  signal: AbortSignal;
  /** A pull is planned for when the blocked scopes may be read again. */
  isDue: boolean;
  /** Ends the wait before what was deferred is sent again. */
  resend: AbortController;
}

/** A heartbeat comes every 20 s; a connection silent for longer is dead, whatever the browser says. */
const SILENCE_MS = 50_000;
/** What is held is compared with the server soon after it was read, and then now and then. */
const VERIFY_FIRST_MS = MINUTE_MS;
const VERIFY_MS = 30 * MINUTE_MS;

/**
 * One connection: it listens, pulls, sends, and then follows the stream until it breaks. It listens
 * before it pulls, so nothing falls between the two.
 */
export async function liveSession(deps: LiveDeps, signal: AbortSignal): Promise<SyncFailure> {
  const ending = new AbortController();
  const inSession = AbortSignal.any([signal, ending.signal]);
  const queue = new MessageQueue<Message>();
  const stopOutbox = deps.onOutbox(() => queue.put({ kind: 'outbox' }));
  try {
    const streaming = await deps.network.stream(inSession);
    if (streaming.kind !== 'ok') return streaming;
    void pump(streaming.value, queue, deps.sleep, inSession);
    const connection: Connection = {
      deps,
      queue,
      signal: inSession,
      isDue: false,
      resend: new AbortController(),
    };
    const unpulled = await pull(connection);
    if (unpulled) return unpulled;
    await tellStatus(deps);
    queue.put({ kind: 'outbox' });
    void remindToVerify(deps, queue, inSession);
    for (;;) {
      const messages = await queue.takeAll(inSession);
      signal.throwIfAborted();
      const failure = await handleMessages(connection, messages);
      if (failure) return failure;
    }
  } finally {
    stopOutbox();
    ending.abort();
  }
}

async function remindToVerify(
  { sleep }: LiveDeps,
  queue: MessageQueue<Message>,
  signal: AbortSignal,
): Promise<void> {
  for (let delayMs = VERIFY_FIRST_MS; ; delayMs = VERIFY_MS) {
    await sleep(delayMs, signal);
    if (signal.aborted) return;
    queue.put({ kind: 'verify' });
  }
}

async function pump(
  events: AsyncIterable<LiveEvent>,
  queue: MessageQueue<Message>,
  sleep: Sleep,
  signal: AbortSignal,
): Promise<void> {
  let watch = new AbortController();
  const endAfterSilence = async (heard: AbortSignal): Promise<void> => {
    await sleep(SILENCE_MS, AbortSignal.any([signal, heard]));
    if (!heard.aborted && !signal.aborted) queue.put({ kind: 'ended' });
  };
  const watchSilence = (): void => {
    watch.abort();
    watch = new AbortController();
    const { signal: heard } = watch;
    void endAfterSilence(heard);
  };
  watchSilence();
  try {
    for await (const event of events) {
      queue.put(event);
      watchSilence();
    }
  } catch {
    // A connection that breaks ends like one that is closed.
  }
  watch.abort();
  queue.put({ kind: 'ended' });
}

/** Pulls, and again when what is blocked may be read anew. */
async function pull(connection: Connection): Promise<SyncFailure | undefined> {
  const { deps, queue, signal } = connection;
  const pulled = await pullScopes(deps, signal);
  if (pulled.kind === 'done') return undefined;
  if (pulled.kind !== 'blocked') return pulled;
  if (connection.isDue) return undefined;
  connection.isDue = true;
  const remind = async (): Promise<void> => {
    await deps.sleep(pulled.forMs, signal);
    connection.isDue = false;
    queue.put({ kind: 'pull' });
  };
  void remind();
  return undefined;
}

/** What is told of the replica: that it is as of now, or as of when it was whole. */
async function tellStatus(deps: LiveDeps): Promise<void> {
  const known = await deps.store.read(async (tx) => ({
    isWhole: await isFollowed(tx),
    asOf: await findAsOf(tx),
  }));
  if (known.isWhole) deps.onLive();
  else deps.onBlocked(known.asOf);
}

async function handleMessages(
  connection: Connection,
  messages: readonly Message[],
): Promise<SyncFailure | undefined> {
  const { deps, signal } = connection;
  if (messages.some(({ kind }) => kind === 'reauth')) {
    // The stream doesn't say why the session is over; the answer to whatever is asked next does.
    const asked = await pullScopes(deps, signal);
    return asked.kind === 'done' || asked.kind === 'blocked' ? { kind: 'log_in_again' } : asked;
  }
  const mustPull = await applyMessages(deps, messages);
  if (mustPull || messages.some(({ kind }) => kind === 'pull')) {
    const unpulled = await pull(connection);
    if (unpulled) return unpulled;
  }
  if (messages.some(({ kind }) => kind === 'verify')) {
    const verified = await verifyScopes(deps, signal);
    if (verified.kind !== 'done') return verified;
    const unpulled = await pull(connection);
    if (unpulled) return unpulled;
  }
  if (messages.some(({ kind }) => kind === 'outbox')) {
    const pushed = await pushOutbox(deps, signal);
    if (pushed.kind === 'later') sendAgainAfter(connection, pushed.afterMs);
    else if (pushed.kind !== 'done') return pushed;
  }
  if (messages.some(({ kind }) => kind === 'ended')) return { kind: 'unreachable' };
  await tellStatus(deps);
  return undefined;
}

/** One wait for all that was deferred: the last push knows what is due first. */
function sendAgainAfter(connection: Connection, afterMs: number): void {
  connection.resend.abort();
  const resend = new AbortController();
  connection.resend = resend;
  const remind = async (): Promise<void> => {
    await connection.deps.sleep(afterMs, AbortSignal.any([connection.signal, resend.signal]));
    if (!resend.signal.aborted) connection.queue.put({ kind: 'outbox' });
  };
  void remind();
}

/**
 * Applies the deltas that join on, in one transaction with their cursors; true when something only a
 * pull can bring has happened.
 */
async function applyMessages(
  { store, now }: LiveDeps,
  messages: readonly Message[],
): Promise<boolean> {
  const told = messages.filter(isTold);
  if (told.length === 0) return false;
  return store.write(async (tx) => {
    let mustPull = false;
    for (const message of told) {
      if (message.kind === 'hello') {
        const cursors = await listCursors(tx);
        const isOther = (await findEpoch(tx)) !== message.epoch;
        mustPull ||= isOther || Object.entries(message.heads).some(([s, v]) => cursors[s] !== v);
      } else if (message.kind === 'delta') mustPull ||= !(await applyDelta(tx, message));
      else if (message.kind === 'head') mustPull ||= await isBehind(tx, message);
      else if (message.kind === 'drop') await dropScope(tx, message.scope);
      else if (message.kind === 'resync') mustPull = true;
    }
    await keepHeard(tx, now());
    const before = await findAsOf(tx);
    // Clocks differ: the replica's time only ever goes on, by what this device measures.
    const isNow = !mustPull && before !== undefined && (await isFollowed(tx));
    if (isNow) await keepAsOf(tx, Math.max(before, now()));
    return mustPull;
  });
}

const isTold = (message: Message): message is LiveEvent =>
  !['outbox', 'verify', 'ended', 'pull'].includes(message.kind);

async function isBehind(
  tx: StoreReader,
  { scope, v }: Extract<LiveEvent, { kind: 'head' }>,
): Promise<boolean> {
  const cursor = await findCursor(tx, scope);
  // What waits to be read anew is no nearer by a pull.
  if (cursor === undefined) return (await findScope(tx, scope)) === undefined;
  return cursor < v;
}

type Delta = Extract<LiveEvent, { kind: 'delta' }>;

/** False when the delta doesn't join on: something is missing in between. */
async function applyDelta(
  tx: Parameters<typeof moveCursor>[0],
  { scope, from, to, rows }: Delta,
): Promise<boolean> {
  const cursor = await findCursor(tx, scope);
  if (cursor !== undefined && to <= cursor) return true;
  const state = await findScope(tx, scope satisfies Scope);
  // What waits to be read anew holds this then.
  if (state && cursor === undefined) return true;
  if (!state || cursor !== from) return false;
  await applyWireRows(tx, state, rows);
  await moveCursor(tx, scope, to);
  return true;
}

/** Messages wait until they are taken, all at once: while one is worked on, the next ones gather. */
class MessageQueue<Message> {
  #messages: Message[] = [];
  #arrived: (() => void) | undefined;

  put(message: Message): void {
    this.#messages.push(message);
    this.#arrived?.();
  }

  /** Waits for at least one message; none when aborted. */
  async takeAll(signal: AbortSignal): Promise<Message[]> {
    if (this.#messages.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#arrived = wake;
        signal.addEventListener('abort', wake);
      });
    }
    return this.#messages.splice(0);
  }
}
