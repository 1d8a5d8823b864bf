import type { OutboxItem, UndoTime } from '../store/outbox-item.ts';
import type { Patch, StoreWriter, StoreReader } from '../store/sync-store.ts';
import { type LocalDatabase, readLocal, watchLocal } from '../store/local-database.ts';

/** Queues a change with what it changes for the eye; together, so that neither is ever alone. */
export async function queueChange(
  tx: StoreWriter,
  item: Omit<OutboxItem, 'state'>,
  patches: readonly Omit<Patch, 'itemId'>[],
  undo?: UndoTime,
): Promise<void> {
  await tx.putOutboxItem({ ...item, state: { kind: 'queued', ...(undo && { undo }) } });
  await tx.putPatches(patches.map((patch) => ({ ...patch, itemId: item.id })));
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

/** Ends the time in which changes can be undone. */
export async function endUndo(tx: StoreWriter): Promise<void> {
  for (const item of await tx.listOutbox()) {
    if (item.state.kind !== 'queued' || !item.state.undo) continue;
    const { undo: _, ...state } = item.state;
    await tx.putOutboxItem({ ...item, state });
  }
}

/** The key it has on devices. */
const PAUSED = 'changes-held';

/** Nothing that waits is sent until its person has said so: the session was taken from this device (D2). */
export async function pauseChanges(tx: StoreWriter): Promise<void> {
  await tx.putMeta(PAUSED, true);
}

export async function areChangesPaused(store: StoreReader): Promise<boolean> {
  return (await store.getMeta(PAUSED)) === true;
}

export async function resumeChanges(tx: StoreWriter): Promise<void> {
  await tx.deleteMeta(PAUSED);
}

/** Every change made here that isn't done yet, oldest first; those the server has done are left out. */
export async function listPendingChanges(db: LocalDatabase): Promise<OutboxItem[]> {
  const items = await readLocal(db, (store) => store.listOutbox());
  return items.filter(({ state }) => state.kind !== 'accepted');
}

/** Calls back with an item as it is now and whenever it changes, here or in another tab. */
export function watchOutboxItem(
  db: LocalDatabase,
  id: string,
  listener: (item: OutboxItem | undefined) => void,
): () => void {
  const watching = watchLocal(() => readLocal(db, (store) => store.getOutboxItem(id))).subscribe(
    listener,
  );
  return () => watching.unsubscribe();
}

/** What ids of changes are made of. */
export interface IdSource {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** A new random UUID. */
  newId: () => string;
}

/**
 * A UUID of version 7, which sorts by the time it was made: the time over the first 48 bits of a
 * random UUID. What is made in one millisecond is in no order.
 */
export function sortingId(nowMs: number, randomUuid: string): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${randomUuid.slice(15)}`;
}

/** Ids of which each sorts after the one before, made in one millisecond or after the clock went back. */
export function sortingIds({ now, newId }: IdSource): () => string {
  let lastMs = 0;
  return () => {
    lastMs = Math.max(now(), lastMs + 1);
    return sortingId(lastMs, newId());
  };
}
