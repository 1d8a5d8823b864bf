import type { Patch, StoreWriter, StoreReader } from '../store/sync-store.ts';
import { type LocalDatabase, readLocal, watchLocal } from '../store/local-database.ts';

/**
 * A change made here, on its way to the server:
 *
 *   queued ──> sending ──> accepted ──> gone, once the replica holds what it changed
 *     │  ^       │  └────> failed ──> queued again (retry) or gone (discard)
 *     │  └───────┤ delayed by the server: its number is burned first
 *     └── discarded (only while queued)
 *
 * A change that can be undone stays queued for that time.
 *
 * It gets its number (`mid`) when sending starts: a discarded change leaves no gap in the numbers.
 * Once numbered it is sent again and again under the same number until the server has answered,
 * so it happens exactly once. The answer that it isn't decided is no exception: a request that is still
 * on its way may carry the change out under the number, so no other change ever gets it.
 */
export interface OutboxItem {
  /** Sorts by the time of making. */
  id: string;
  name: string;
  /** Version of the arguments' form. */
  v: number;
  args: Record<string, unknown>;
  /** The change in the customer's words, for the list of what is pending. */
  title: string;
  /** Milliseconds since the epoch. */
  madeAt: number;
  state: OutboxState;
}

/** The server's answer that it couldn't decide yet; instants in milliseconds since the epoch. */
export interface Deferral {
  code: string;
  message: string;
  atMs: number;
  /** Not sent again before this. */
  dueAtMs: number;
}

/** The time in which a change can be undone before it is sent; instants in milliseconds since the epoch. */
export interface UndoTime {
  atMs: number;
  /** Not sent before this. */
  untilMs: number;
}

export type OutboxState =
  /** `deferred`: the server couldn't decide when it was sent last. */
  | { kind: 'queued'; deferred?: Deferral; undo?: UndoTime }
  /** `deferred`: the number is being burned, and then the change is queued again. */
  | { kind: 'sending'; mid: number; deferred?: Deferral }
  /** Waits until each scope has reached its version, so that nothing flickers. */
  | { kind: 'accepted'; versions: Record<string, number> }
  | { kind: 'failed'; code: string; message: string };

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
