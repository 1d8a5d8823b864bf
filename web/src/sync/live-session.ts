import type { Scope } from '#shared/sync/scope.ts';
import { findCursor, findScope, isFollowed, listCursors } from '../local-db/scope-state.ts';
import type { StoreReader } from '../local-db/sync-store.ts';
import { applyWireRows, moveCursor } from './apply-changes.ts';
import { Mailbox } from './mailbox.ts';
import { dropScope, findAsOf, keepAsOf, pullScopes } from './pull-scopes.ts';
import { pushOutbox } from './push-outbox.ts';
import type { Sleep } from './sleep.ts';
import type { LiveEvent, SyncFailure } from './sync-network.ts';
import type { SyncWork } from './sync-work.ts';
import { verifyScopes } from './verify-scopes.ts';

/** What a live session is told, by the server or from this device. */
type Letter = LiveEvent | LocalLetter;
type LocalLetter = { kind: 'outbox' | 'verify' | 'ended' | 'pull' };

export interface LiveDeps extends SyncWork {
  sleep: Sleep;
  /** Calls back when changes were queued, here or in another tab; returns how to stop. */
  onOutbox(listener: () => void): () => void;
  /** Told whenever the copy is whole as of now. */
  onLive(): void;
  /** Told instead while a scope waits to be read anew; as of when the copy was whole. */
  onHeld(asOf: number | undefined): void;
}

/** One connection at work. */
interface Session {
  deps: LiveDeps;
  mailbox: Mailbox<Letter>;
  signal: AbortSignal;
  /** A pull is already due, after what is held may be read anew. */
  isDue: boolean;
  /** Ends the wait before what was put off is sent again. */
  resend: AbortController;
}

/** A heartbeat comes every 20 s; a connection silent for longer is dead, whatever the browser says. */
const SILENCE_MS = 50_000;
/** What is held is compared with the server soon after it was read, and then now and then. */
const VERIFY_FIRST_MS = 60_000;
const VERIFY_MS = 30 * 60_000;

/**
 * One connection: it listens, pulls, sends, and then follows the stream until it breaks. It listens
 * before it pulls, so nothing falls between the two.
 */
export async function liveSession(deps: LiveDeps, signal: AbortSignal): Promise<SyncFailure> {
  const ending = new AbortController();
  const inSession = AbortSignal.any([signal, ending.signal]);
  const mailbox = new Mailbox<Letter>();
  const stopOutbox = deps.onOutbox(() => mailbox.put({ kind: 'outbox' }));
  try {
    const streaming = await deps.network.stream(inSession);
    if (streaming.kind !== 'ok') return streaming;
    void pump(streaming.value, mailbox, deps.sleep, inSession);
    const session: Session = {
      deps,
      mailbox,
      signal: inSession,
      isDue: false,
      resend: new AbortController(),
    };
    const unpulled = await pull(session);
    if (unpulled) return unpulled;
    await tellStanding(deps);
    mailbox.put({ kind: 'outbox' });
    void remindToVerify(deps, mailbox, inSession);
    for (;;) {
      const letters = await mailbox.takeAll(inSession);
      signal.throwIfAborted();
      const failure = await answerLetters(session, letters);
      if (failure) return failure;
    }
  } finally {
    stopOutbox();
    ending.abort();
  }
}

async function remindToVerify(
  { sleep }: LiveDeps,
  mailbox: Mailbox<Letter>,
  signal: AbortSignal,
): Promise<void> {
  for (let delayMs = VERIFY_FIRST_MS; ; delayMs = VERIFY_MS) {
    await sleep(delayMs, signal);
    if (signal.aborted) return;
    mailbox.put({ kind: 'verify' });
  }
}

async function pump(
  events: AsyncIterable<LiveEvent>,
  mailbox: Mailbox<Letter>,
  sleep: Sleep,
  signal: AbortSignal,
): Promise<void> {
  let watch = new AbortController();
  const endAfterSilence = async (heard: AbortSignal): Promise<void> => {
    await sleep(SILENCE_MS, AbortSignal.any([signal, heard]));
    if (!heard.aborted && !signal.aborted) mailbox.put({ kind: 'ended' });
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
      mailbox.put(event);
      watchSilence();
    }
  } catch {
    // A connection that breaks ends like one that is closed.
  }
  watch.abort();
  mailbox.put({ kind: 'ended' });
}

/** Pulls, and again when what is held back may be read anew. */
async function pull(session: Session): Promise<SyncFailure | undefined> {
  const { deps, mailbox, signal } = session;
  const pulled = await pullScopes(deps, signal);
  if (pulled.kind === 'done') return undefined;
  if (pulled.kind !== 'held') return pulled;
  if (session.isDue) return undefined;
  session.isDue = true;
  const remind = async (): Promise<void> => {
    await deps.sleep(pulled.forMs, signal);
    session.isDue = false;
    mailbox.put({ kind: 'pull' });
  };
  void remind();
  return undefined;
}

/** What is told of the copy: that it is as of now, or as of when it was whole. */
async function tellStanding(deps: LiveDeps): Promise<void> {
  const standing = await deps.store.read(async (tx) => ({
    isWhole: await isFollowed(tx),
    asOf: await findAsOf(tx),
  }));
  if (standing.isWhole) deps.onLive();
  else deps.onHeld(standing.asOf);
}

async function answerLetters(
  session: Session,
  letters: readonly Letter[],
): Promise<SyncFailure | undefined> {
  const { deps, signal } = session;
  if (letters.some(({ kind }) => kind === 'reauth')) {
    // The stream doesn't say why the session is over; the answer to whatever is asked next does.
    const asked = await pullScopes(deps, signal);
    return asked.kind === 'done' || asked.kind === 'held' ? { kind: 'log_in_again' } : asked;
  }
  const mustPull = await applyLetters(deps, letters);
  if (mustPull || letters.some(({ kind }) => kind === 'pull')) {
    const unpulled = await pull(session);
    if (unpulled) return unpulled;
  }
  if (letters.some(({ kind }) => kind === 'verify')) {
    const verified = await verifyScopes(deps, signal);
    if (verified.kind !== 'done') return verified;
    const unpulled = await pull(session);
    if (unpulled) return unpulled;
  }
  if (letters.some(({ kind }) => kind === 'outbox')) {
    const pushed = await pushOutbox(deps, signal);
    if (pushed.kind === 'later') sendAgainAfter(session, pushed.afterMs);
    else if (pushed.kind !== 'done') return pushed;
  }
  if (letters.some(({ kind }) => kind === 'ended')) return { kind: 'unreachable' };
  await tellStanding(deps);
  return undefined;
}

/** One wait for all that was put off: the last push knows what is due first. */
function sendAgainAfter(session: Session, afterMs: number): void {
  session.resend.abort();
  const resend = new AbortController();
  session.resend = resend;
  const remind = async (): Promise<void> => {
    await session.deps.sleep(afterMs, AbortSignal.any([session.signal, resend.signal]));
    if (!resend.signal.aborted) session.mailbox.put({ kind: 'outbox' });
  };
  void remind();
}

/**
 * Applies the deltas that join on, in one transaction with their cursors; true when something only a
 * pull can bring has happened.
 */
async function applyLetters(
  { store, now }: LiveDeps,
  letters: readonly Letter[],
): Promise<boolean> {
  const told = letters.filter(isTold);
  if (told.length === 0) return false;
  return store.write(async (tx) => {
    let mustPull = false;
    for (const letter of told) {
      if (letter.kind === 'hello') {
        const cursors = await listCursors(tx);
        const isOther = (await tx.getMeta('epoch')) !== letter.epoch;
        mustPull ||= isOther || Object.entries(letter.heads).some(([s, v]) => cursors[s] !== v);
      } else if (letter.kind === 'delta') mustPull ||= !(await applyDelta(tx, letter));
      else if (letter.kind === 'head') mustPull ||= await isBehind(tx, letter);
      else if (letter.kind === 'drop') await dropScope(tx, letter.scope);
      else if (letter.kind === 'resync') mustPull = true;
    }
    const before = await findAsOf(tx);
    // Clocks differ: the copy's time only ever goes on, by what this device measures.
    const isNow = !mustPull && before !== undefined && (await isFollowed(tx));
    if (isNow) await keepAsOf(tx, Math.max(before, now()));
    return mustPull;
  });
}

const isTold = (letter: Letter): letter is LiveEvent =>
  !['outbox', 'verify', 'ended', 'pull'].includes(letter.kind);

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
