import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { type Answered, keepResults } from './keep-results.ts';
import { pendingChangeOf, replaces } from './pending-change.ts';
import type { SyncFailure, SyncWork } from '../network/sync-network.ts';
import type { Mutation } from '#shared/sync/push.ts';
import { areChangesPaused } from './outbox.ts';
import type { OutboxItem } from '../store/outbox-item.ts';
import { IDENTITY, type StoreWriter } from '../store/sync-store.ts';

/** After so many deferrals the server is in trouble, not the changes: the rest is sent later. */
const DEFERRALS_LIMIT = 5;

/** `later`: the server couldn't decide something; what can be decided was sent. */
type Pushed = { kind: 'done' } | { kind: 'later'; afterMs: number } | SyncFailure;

/** Sends what the outbox holds until nothing is queued or unanswered. */
export async function pushOutbox(
  { store, network, now, newId, report }: SyncWork,
  signal: AbortSignal,
): Promise<Pushed> {
  let gaps = 0;
  let limit: number = SYNC_LIMITS.pushMutations;
  let deferrals = 0;
  for (;;) {
    const { clientId, mutations, dueInMs } = await store.write((tx) =>
      beginSending(tx, { newId, nowMs: now(), limit }),
    );
    if (mutations.length === 0) {
      return dueInMs === undefined ? { kind: 'done' } : { kind: 'later', afterMs: dueInMs };
    }
    const pushed = await network.push({ clientId, mutations }, signal);
    if (pushed.kind === 'gap' && gaps === 0) {
      gaps += 1;
      report('The server does not know this client any more; changes are numbered anew');
      await store.write((tx) => startNumbersAnew(tx, newId));
      continue;
    }
    if (pushed.kind === 'refused') {
      const { code } = pushed;
      const [first] = mutations;
      // Which of them it is shows when each is sent by itself.
      if (limit > 1) limit = 1;
      else if (first) {
        report('The server refused a change', `${first.name} ${code}`);
        await store.write((tx) => failRefused(tx, newId, { mid: first.mid, code }));
      }
      continue;
    }
    if (pushed.kind !== 'ok') return pushed;
    const { results } = pushed.value;
    await store.write((tx) => keepResults(tx, results, { nowMs: now(), replaces: isReplaced }));
    const later = results.find(({ status }) => status === 'later');
    if (later?.status === 'later') {
      const isBurned = mutations.some((each) => each.mid === later.mid && isBurning(each));
      deferrals += 1;
      if (isBurned || deferrals >= DEFERRALS_LIMIT) {
        return { kind: 'later', afterMs: later.retryAfterMs };
      }
    }
    // An answer without results would be asked for over and over.
    if (results.length === 0) return { kind: 'unreachable' };
  }
}

const isReplaced: Answered['replaces'] = (later, earlier) => {
  const [next, before] = [pendingChangeOf(later), pendingChangeOf(earlier)];
  return next !== undefined && before !== undefined && replaces(next, before);
};

/** Room for the request around the changes. */
const PUSH_BYTES = SYNC_LIMITS.pushBytes - 8 * 1024;

/** What a customer reads of a change that the server doesn't take in any form. */
const REFUSED = 'The server couldn’t accept this change.';

/** No change has it: the server refuses it, and the number it came under is burned. */
const NO_VERSION = 0;

/** Who this replica is to the server, and the number of the next change to be sent. */
export interface SyncClient {
  clientId: string;
  nextMid: number;
}

/** The client of this replica; made at the first asking. */
export async function getClient(tx: StoreWriter, newId: () => string): Promise<SyncClient> {
  const known = (await tx.getMeta(IDENTITY.client)) as SyncClient | undefined;
  if (known) return known;
  const client = { clientId: newId(), nextMid: 1 };
  await tx.putMeta(IDENTITY.client, client);
  return client;
}

interface Sending {
  clientId: string;
  mutations: Mutation[];
  /** When the next change that was deferred is due, in milliseconds from now; undefined without one. */
  dueInMs: number | undefined;
}

/**
 * What is to be sent next, oldest number first: what is on its way and unanswered, then what is
 * queued, which gets its number here; so many at most. For a change that was deferred its number alone is
 * sent, to be burned. What was deferred goes behind the others when it is due; what can still be undone
 * waits for its time. Nothing while changes are paused.
 */
export async function beginSending(
  tx: StoreWriter,
  {
    newId,
    nowMs,
    limit = SYNC_LIMITS.pushMutations,
  }: { newId: () => string; nowMs: number; limit?: number },
): Promise<Sending> {
  const client = await getClient(tx, newId);
  if (await areChangesPaused(tx)) {
    return { clientId: client.clientId, mutations: [], dueInMs: undefined };
  }
  const items = await tx.listOutbox();
  const mutations = items
    .flatMap((item) => (item.state.kind === 'sending' ? [mutationOf(item, item.state)] : []))
    .sort((a, b) => a.mid - b.mid)
    .slice(0, limit);
  // One that is too large by itself is sent, alone: the server's refusal is its reason.
  const hasRoom = (next: OutboxItem): boolean =>
    mutations.length === 0 ||
    (mutations.length < limit && bytesOf(mutations) + bytesOf(next.args) < PUSH_BYTES);
  const { due, dueInMs } = dueItems(items, nowMs);
  let { nextMid } = client;
  for (const item of due) {
    if (!hasRoom(item)) break;
    const state = { kind: 'sending', mid: nextMid } as const;
    nextMid += 1;
    await tx.putOutboxItem({ ...item, state });
    mutations.push(mutationOf(item, state));
  }
  if (nextMid !== client.nextMid) await tx.putMeta(IDENTITY.client, { ...client, nextMid });
  return { clientId: client.clientId, mutations, dueInMs };
}

function dueItems(
  items: readonly OutboxItem[],
  nowMs: number,
): { due: OutboxItem[]; dueInMs: number | undefined } {
  const first: OutboxItem[] = [];
  const again: OutboxItem[] = [];
  const waits: number[] = [];
  for (const item of items) {
    if (item.state.kind !== 'queued') continue;
    const { deferred, undo } = item.state;
    const wait = undo ? { atMs: undo.atMs, dueAtMs: undo.untilMs } : deferred;
    // A clock that was set back ends the wait.
    if (wait && nowMs < wait.dueAtMs && nowMs >= wait.atMs) waits.push(wait.dueAtMs - nowMs);
    else (deferred ? again : first).push(item);
  }
  return {
    due: [...first, ...again],
    dueInMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}

const bytesOf = (value: unknown): number => JSON.stringify(value).length;

type OnItsWay = Extract<OutboxItem['state'], { kind: 'sending' }>;

function mutationOf({ name, v, args }: OutboxItem, { mid, deferred }: OnItsWay): Mutation {
  return deferred ? { mid, name, v: NO_VERSION, args: {} } : { mid, name, v, args };
}

/** Whether a mutation only burns the number of a change that was deferred. */
const isBurning = ({ v }: Mutation): boolean => v === NO_VERSION;

/**
 * Numbers everything anew under a new client: the server lost its memory of this one (a restored
 * database, or half a year of silence). Orders carry ids of their own, so none happens twice.
 */
async function startNumbersAnew(tx: StoreWriter, newId: () => string): Promise<void> {
  await tx.putMeta(IDENTITY.client, { clientId: newId(), nextMid: 1 });
  for (const item of await tx.listOutbox()) {
    if (item.state.kind === 'sending') {
      await tx.putOutboxItem({ ...item, state: { kind: 'queued' } });
    }
  }
}

/**
 * A request with this change alone was refused as a whole: the change fails with that reason, and what
 * waits behind it goes on under a new client, because the server may have executed the number before.
 */
async function failRefused(
  tx: StoreWriter,
  newId: () => string,
  refused: { mid: number; code: string },
): Promise<void> {
  for (const item of await tx.listOutbox()) {
    if (item.state.kind !== 'sending' || item.state.mid !== refused.mid) continue;
    const state = { kind: 'failed', code: refused.code, message: REFUSED } as const;
    await tx.putOutboxItem({ ...item, state });
    await tx.deletePatchesOf(item.id);
  }
  await startNumbersAnew(tx, newId);
}
