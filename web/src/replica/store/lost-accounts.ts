import type { StoreReader, StoreWriter } from './sync-store.ts';

/*
 * That accounts are gone from the replica whose pictures are kept beside it: recorded in the transaction that takes the
 * rows, so no crash forgets it.
 *
 *   none ──account gone, or its scope──> recorded ──pictures let go──> none, unless more went meanwhile
 */

const LOST = 'lost-accounts';

export async function countLost(tx: StoreWriter): Promise<void> {
  await tx.putMeta(LOST, ((await findLost(tx)) ?? 0) + 1);
}

/** How often accounts went; undefined: none since pictures were let go of. */
export async function findLost(store: StoreReader): Promise<number | undefined> {
  return (await store.getMeta(LOST)) as number | undefined;
}

/** Pictures of those that had gone by then are let go of. */
export async function endLost(tx: StoreWriter, lost: number): Promise<void> {
  if ((await findLost(tx)) === lost) await tx.deleteMeta(LOST);
}
