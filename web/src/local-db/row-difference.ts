/** What has to be written so that stored rows become the new ones. */
export interface RowDifference<Row> {
  changed: Row[];
  /** Keys of rows that are no longer there. */
  gone: string[];
}

/**
 * Compares by value: a refresh that brings nothing new must write nothing, because every write
 * makes each live query read and each screen draw again.
 */
export function rowDifference<Row>(
  stored: readonly Row[],
  fresh: readonly Row[],
  keyOf: (row: Row) => string,
): RowDifference<Row> {
  const before = new Map(stored.map((row) => [keyOf(row), JSON.stringify(row)]));
  const after = new Set(fresh.map(keyOf));
  return {
    changed: fresh.filter((row) => before.get(keyOf(row)) !== JSON.stringify(row)),
    gone: stored.map(keyOf).filter((key) => !after.has(key)),
  };
}
