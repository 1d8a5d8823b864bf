import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Mutation } from '#shared/sync/push.ts';
import { areChangesHeld } from './held-changes.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { StoreWriter } from './sync-store.ts';

const CLIENT = 'client';
/** Room for the request around the changes. */
const PUSH_BYTES = SYNC_LIMITS.pushBytes - 8 * 1024;

/** What a customer reads of a change that the server doesn't take in any form. */
const REFUSED = 'The server couldn’t accept this change.';

/** No change has it: the server refuses it, and the number it came under is spent. */
const NO_VERSION = 0;

/** Who this copy is to the server, and the number of the next change to be sent. */
export interface SyncClient {
  clientId: string;
  nextMid: number;
}

/** The client of this copy; made at the first asking. */
export async function getClient(tx: StoreWriter, newId: () => string): Promise<SyncClient> {
  const known = (await tx.getMeta(CLIENT)) as SyncClient | undefined;
  if (known) return known;
  const client = { clientId: newId(), nextMid: 1 };
  await tx.putMeta(CLIENT, client);
  return client;
}

export interface Sending {
  clientId: string;
  mutations: Mutation[];
  /** When the next change that was put off is due, in milliseconds from now; undefined without one. */
  dueInMs: number | undefined;
}

/**
 * What is to be sent next, oldest number first: what is on its way and unanswered, then what is
 * queued, which gets its number here; so many at most. For a change that was put off its number alone is
 * sent, to be spent. What was put off goes behind the others when it is due; what can still be undone
 * waits for its time. Nothing while changes are held.
 */
export async function beginSending(
  tx: StoreWriter,
  {
    newId,
    nowMs,
    atMost = SYNC_LIMITS.pushMutations,
  }: { newId: () => string; nowMs: number; atMost?: number },
): Promise<Sending> {
  const client = await getClient(tx, newId);
  if (await areChangesHeld(tx)) {
    return { clientId: client.clientId, mutations: [], dueInMs: undefined };
  }
  const items = await tx.listOutbox();
  const mutations = items
    .flatMap((item) => (item.state.kind === 'sending' ? [mutationOf(item, item.state)] : []))
    .sort((a, b) => a.mid - b.mid)
    .slice(0, atMost);
  // One that is too large by itself is sent, alone: the server's refusal is its reason.
  const hasRoom = (next: OutboxItem): boolean =>
    mutations.length === 0 ||
    (mutations.length < atMost && bytesOf(mutations) + bytesOf(next.args) < PUSH_BYTES);
  const { due, dueInMs } = dueItems(items, nowMs);
  let { nextMid } = client;
  for (const item of due) {
    if (!hasRoom(item)) break;
    const state = { kind: 'sending', mid: nextMid } as const;
    nextMid += 1;
    await tx.putOutboxItem({ ...item, state });
    mutations.push(mutationOf(item, state));
  }
  if (nextMid !== client.nextMid) await tx.putMeta(CLIENT, { ...client, nextMid });
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
    const { putOff, undo } = item.state;
    const wait = undo ? { atMs: undo.atMs, dueAtMs: undo.untilMs } : putOff;
    // A clock that was set back ends the wait.
    if (wait && nowMs < wait.dueAtMs && nowMs >= wait.atMs) waits.push(wait.dueAtMs - nowMs);
    else (putOff ? again : first).push(item);
  }
  return {
    due: [...first, ...again],
    dueInMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}

const bytesOf = (value: unknown): number => JSON.stringify(value).length;

type OnItsWay = Extract<OutboxItem['state'], { kind: 'sending' }>;

function mutationOf({ name, v, args }: OutboxItem, { mid, putOff }: OnItsWay): Mutation {
  return putOff ? { mid, name, v: NO_VERSION, args: {} } : { mid, name, v, args };
}

/** Whether a mutation only spends the number of a change that was put off. */
export const isSpending = ({ v }: Mutation): boolean => v === NO_VERSION;

/**
 * Numbers everything anew under a new client: the server lost its memory of this one (a restored
 * database, or half a year of silence). Orders carry ids of their own, so none happens twice.
 */
export async function startNumbersAnew(tx: StoreWriter, newId: () => string): Promise<void> {
  await tx.putMeta(CLIENT, { clientId: newId(), nextMid: 1 });
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
export async function failRefused(
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
