/** How long to wait before what failed is tried again. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** Twice as long after each failure. @param failures in a row, 1 or more */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

/** As long as it has failed by now, which is twice the last wait: nobody counts the failures. */
export function backoffByAgeMs(ageMs: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(longestMs, Math.max(firstMs, ageMs));
}
