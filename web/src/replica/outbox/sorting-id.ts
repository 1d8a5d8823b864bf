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
