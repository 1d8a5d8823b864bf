import type { StoreWriter, SyncStore } from '../local-db/sync-store.ts';

const TERM = 'term';

/** Another tab has taken the lead: this one must not write any more. */
export class FencedError extends Error {
  override name = 'FencedError';
}

/**
 * The store as the leader sees it. Taking the lead raises the term; every write checks it again in
 * its own transaction, so a leader that lost the lead without noticing changes nothing.
 */
export async function takeLead(store: SyncStore): Promise<SyncStore> {
  const term = await store.write(async (tx) => {
    const next = Number((await tx.getMeta(TERM)) ?? 0) + 1;
    await tx.putMeta(TERM, next);
    return next;
  });
  return {
    read: (work) => store.read(work),
    write: <Result>(work: (tx: StoreWriter) => Promise<Result>) =>
      store.write(async (tx) => {
        if ((await tx.getMeta(TERM)) !== term) throw new FencedError('Another tab leads now');
        return work(tx);
      }),
  };
}
