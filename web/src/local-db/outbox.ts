import type { Mutation } from '#shared/sync/push.ts';
import type { MutationResult } from '#shared/sync/push.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { Patch } from './patch.ts';
import { findCursor, findScope } from './scope-state.ts';
import type { StoreReader, StoreWriter } from './sync-store.ts';

const CLIENT = 'client';
/** Room for the request around the changes. */
const PUSH_BYTES = SYNC_LIMITS.pushBytes - 8 * 1024;

/** What a customer reads of a change that the server doesn't take in any form. */
const REFUSED = 'The server couldn’t take this change as it is.';

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

/** Queues a change with what it changes for the eye; together, so that neither is ever alone. */
export async function queueChange(
  tx: StoreWriter,
  item: Omit<OutboxItem, 'state'>,
  patches: readonly Omit<Patch, 'itemId'>[],
): Promise<void> {
  await tx.putOutboxItem({ ...item, state: { kind: 'queued' } });
  await tx.putPatches(patches.map((patch) => ({ ...patch, itemId: item.id })));
}

/**
 * What is to be sent next, oldest number first: what is on its way and unanswered, then what is
 * queued, which gets its number here; so many at most.
 */
export async function beginSending(
  tx: StoreWriter,
  newId: () => string,
  atMost: number = SYNC_LIMITS.pushMutations,
): Promise<{ clientId: string; mutations: Mutation[] }> {
  const client = await getClient(tx, newId);
  const items = await tx.listOutbox();
  const mutations = items
    .flatMap((item) => (item.state.kind === 'sending' ? [mutationOf(item, item.state.mid)] : []))
    .sort((a, b) => a.mid - b.mid)
    .slice(0, atMost);
  // One that is too large by itself is sent, alone: the server's refusal is its reason.
  const hasRoom = (next: OutboxItem): boolean =>
    mutations.length === 0 ||
    (mutations.length < atMost && bytesOf(mutations) + bytesOf(next.args) < PUSH_BYTES);
  let { nextMid } = client;
  for (const item of items.filter(({ state }) => state.kind === 'queued')) {
    if (!hasRoom(item)) break;
    const mid = nextMid;
    nextMid += 1;
    await tx.putOutboxItem({ ...item, state: { kind: 'sending', mid } });
    mutations.push(mutationOf(item, mid));
  }
  if (nextMid !== client.nextMid) await tx.putMeta(CLIENT, { ...client, nextMid });
  return { clientId: client.clientId, mutations };
}

const bytesOf = (value: unknown): number => JSON.stringify(value).length;

function mutationOf({ name, v, args }: OutboxItem, mid: number): Mutation {
  return { mid, name, v, args };
}

/** Takes over what the server answered to the changes of this client. */
export async function keepResults(
  tx: StoreWriter,
  results: readonly MutationResult[],
): Promise<void> {
  const byMid = new Map(results.map((result) => [result.mid, result]));
  for (const item of await tx.listOutbox()) {
    const result = item.state.kind === 'sending' ? byMid.get(item.state.mid) : undefined;
    if (result?.status === 'ok') {
      await tx.putOutboxItem({
        ...item,
        state: { kind: 'accepted', versions: { ...result.versions } as Record<string, number> },
      });
    } else if (result?.status === 'rejected') {
      const { code, message } = result;
      await tx.putOutboxItem({ ...item, state: { kind: 'failed', code, message } });
      await tx.deletePatchesOf(item.id);
    }
  }
  await dropSettled(tx);
}

/** Accepted changes go, with their patches, once the copy holds what they changed: nothing flickers. */
export async function dropSettled(tx: StoreWriter): Promise<void> {
  for (const { id, state } of await tx.listOutbox()) {
    if (state.kind !== 'accepted') continue;
    if (await isReached(tx, state.versions)) {
      await tx.deletePatchesOf(id);
      await tx.deleteOutboxItem(id);
    }
  }
}

async function isReached(tx: StoreReader, versions: Record<string, number>): Promise<boolean> {
  for (const [scope, v] of Object.entries(versions)) {
    const isHeld = (await findScope(tx, scope)) !== undefined;
    const cursor = await findCursor(tx, scope);
    if (isHeld && (cursor === undefined || cursor < v)) return false;
  }
  return true;
}

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

/** After another database took over, the versions that accepted changes wait for mean nothing. */
export async function dropAccepted(tx: StoreWriter): Promise<void> {
  for (const { id, state } of await tx.listOutbox()) {
    if (state.kind !== 'accepted') continue;
    await tx.deletePatchesOf(id);
    await tx.deleteOutboxItem(id);
  }
}

/** Queues a refused change again; false when it isn't refused any more. */
export async function retryChange(
  tx: StoreWriter,
  id: string,
  patches: readonly Omit<Patch, 'itemId'>[],
): Promise<boolean> {
  const item = await tx.getOutboxItem(id);
  if (item?.state.kind !== 'failed') return false;
  await queueChange(tx, item, patches);
  return true;
}

/** Forgets a change that isn't on its way; false when it is, or was never there. */
export async function discardChange(tx: StoreWriter, id: string): Promise<boolean> {
  const item = await tx.getOutboxItem(id);
  if (item?.state.kind !== 'queued' && item?.state.kind !== 'failed') return false;
  await tx.deletePatchesOf(id);
  await tx.deleteOutboxItem(id);
  return true;
}
