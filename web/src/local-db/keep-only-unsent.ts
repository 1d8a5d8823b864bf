import { holdChanges } from './held-changes.ts';
import { dropAccepted } from './outbox.ts';
import type { StoreWriter } from './sync-store.ts';

/** Who the copy is to the server: what is on its way must go on under the same number. */
const CLIENT = 'client';
/** Raised, so that whoever led before writes nothing any more; see `takeLead`. */
const TERM = 'term';

/**
 * Takes everything out of a copy but the changes that were made here and never sent, with what they
 * show; they wait until their person has logged in again and says so. False when there are none.
 */
export async function keepOnlyUnsent(tx: StoreWriter): Promise<boolean> {
  await dropAccepted(tx);
  await tx.deleteChunksFrom('');
  for (const [key] of await tx.listMeta('')) {
    if (key !== CLIENT && key !== TERM) await tx.deleteMeta(key);
  }
  await tx.putMeta(TERM, Number((await tx.getMeta(TERM)) ?? 0) + 1);
  const isAnyUnsent = (await tx.listOutbox()).length > 0;
  if (isAnyUnsent) await holdChanges(tx);
  return isAnyUnsent;
}
