import { applyRows } from '#web/replica/store/apply-rows.ts';
import { queueChange } from '#web/replica/outbox/outbox.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { findScope, putCursor, putScope } from '#web/replica/store/scope-state.ts';
import type { StoreReader, StoreWriter, SyncStore } from '#web/replica/store/sync-store.ts';

const SCOPE = 'w:one';
const ROWS = 300;

/** Where a write calls back; `stay` keeps its transaction open until the page is gone. */
export interface Interruption {
  afterOperations: number;
  stay: boolean;
  halfway: () => void;
}

/**
 * Raises every row, the cursor, the scope's generation and the only outbox item by one round per
 * transaction, for ever: whatever is read later must all be of one round.
 */
export async function writeRounds(store: SyncStore, interruption: Interruption): Promise<never> {
  for (;;) {
    const { round } = await readRound(store);
    await store.write((tx) => writeRound(interrupted(tx, interruption), round + 1));
  }
}

/** One more round, written to its end; answers which. */
export async function writeWholeRound(store: SyncStore): Promise<number> {
  const { round } = await readRound(store);
  await store.write((tx) => writeRound(tx, round + 1));
  return round + 1;
}

async function writeRound(tx: StoreWriter, round: number): Promise<void> {
  const place = { scope: SCOPE, entity: 'post', generation: 1 };
  await putScope(tx, { scope: SCOPE, generation: 1, complete: ['post'], loading: null });
  await putCursor(tx, SCOPE, round);
  const changes = Array.from({ length: ROWS }, (_, index) => ({
    id: `acc/${index}`,
    v: round,
    row: { id: String(index), igId: 'acc', takenAt: new Date(index * 1000).toISOString(), round },
  }));
  await applyRows(tx, place, changes);
  for (const { id } of await tx.listOutbox()) {
    await tx.deletePatchesOf(id);
    await tx.deleteOutboxItem(id);
  }
  const id = String(round);
  const item = { id, name: 'orderLikes', v: 1, args: {}, title: 'Likes', madeAt: 0 };
  const change = { kind: 'set', fields: { patchedIn: round } } as const;
  await queueChange(tx, item, [{ entity: 'post', id: 'acc/0', change }]);
}

/** The round all of the replica is of; what is of another is told in `mixed`. */
export async function readRound(
  store: SyncStore,
): Promise<{ round: number; mixed: Record<string, unknown> }> {
  return store.read(async (tx) => {
    const round = Number((await tx.getMeta(`cursor:${SCOPE}`)) ?? 0);
    if (round === 0) return { round, mixed: await whatIsThere(tx) };
    const rows = await listRows(tx, 'post');
    const outbox = (await tx.listOutbox()).map(({ id }) => id);
    const patched = rows.flatMap((row) => (row['patchedIn'] ? [Number(row['patchedIn'])] : []));
    const mixed = {
      rows: rows.length === ROWS ? undefined : rows.length,
      others: rows.find((row) => row['round'] !== round),
      outbox: outbox.join() === String(round) ? undefined : outbox,
      patched: patched.join() === String(round) ? undefined : patched,
    };
    return { round, mixed: Object.fromEntries(Object.entries(mixed).filter(([, value]) => value)) };
  });
}

async function whatIsThere(tx: StoreReader): Promise<Record<string, unknown>> {
  const keys = await tx.chunkKeys('');
  const outbox = await tx.listOutbox();
  const scope = await findScope(tx, SCOPE);
  return keys.length + outbox.length === 0 && !scope ? {} : { keys, outbox, scope };
}

/** Keeps the transaction open: IndexedDB ends it only when nothing is asked of it. */
async function readForEver(tx: StoreReader): Promise<never> {
  for (;;) await tx.getMeta('nothing');
}

/** The writer, calling back after so many operations of a transaction. */
function interrupted(tx: StoreWriter, { afterOperations, stay, halfway }: Interruption) {
  let operations = 0;
  const counted = async <Result>(operation: Promise<Result>): Promise<Result> => {
    const result = await operation;
    operations += 1;
    if (operations !== afterOperations) return result;
    halfway();
    return stay ? readForEver(tx) : result;
  };
  const writer: StoreWriter = {
    ...tx,
    putMeta: (key, value) => counted(tx.putMeta(key, value)),
    chunkKeysOfIds: (ids) => counted(tx.chunkKeysOfIds(ids)),
    getChunks: (keys) => counted(tx.getChunks(keys)),
    putChunks: (chunks) => counted(tx.putChunks(chunks)),
    deleteChunks: (keys) => counted(tx.deleteChunks(keys)),
    deletePatchesOf: (id) => counted(tx.deletePatchesOf(id)),
    deleteOutboxItem: (id) => counted(tx.deleteOutboxItem(id)),
    putOutboxItem: (item) => counted(tx.putOutboxItem(item)),
    putPatches: (patches) => counted(tx.putPatches(patches)),
  };
  return writer;
}
