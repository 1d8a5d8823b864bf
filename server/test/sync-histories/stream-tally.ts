import type { StoreWriter, SyncStore } from '#web/replica/store/sync-store.ts';

/** What really happened on the streams of a run; a history without it would show nothing. */
export interface StreamTally {
  /** Deltas whose transaction moved a cursor, without a pull. */
  applied: number;
  lost: number;
  doubled: number;
}

/** The store of a live session: a write that moves a cursor together with "as of" is a delta's. */
export function countApplied(store: SyncStore, tally: StreamTally): SyncStore {
  return {
    read: (work) => store.read(work),
    write: async <Result>(work: (tx: StoreWriter) => Promise<Result>): Promise<Result> => {
      const written = new Set<string>();
      const result = await store.write((tx) =>
        work({
          ...tx,
          putMeta: (key, value) => {
            written.add(key.startsWith('cursor:') ? 'cursor' : key);
            return tx.putMeta(key, value);
          },
        }),
      );
      if (written.has('cursor') && written.has('as-of')) tally.applied += 1;
      return result;
    },
  };
}
