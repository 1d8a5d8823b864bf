/** What rows have to fulfil in one column. */
export type Filter =
  | { key: string; kind: 'text'; has: string }
  /** Both ends belong to it; one of them may be missing. */
  | { key: string; kind: 'number'; from?: number; to?: number }
  /** Days, as `2026-11-23`, of the zone of whoever asks. */
  | { key: string; kind: 'date'; from?: string; to?: string }
  /** One of these, or has one of these tags; the empty one: none at all. */
  | { key: string; kind: 'oneOf'; of: readonly string[] };

/** Which way a column is sorted. */
export interface SortBy {
  key: string;
  isDescending: boolean;
}

/** A filter as rows are compared with it. */
export type Wanted =
  | { key: string; kind: 'text'; has: string }
  /** Milliseconds since the epoch for dates; both ends belong to it. */
  | { key: string; kind: 'range'; from: number; to: number }
  | { key: string; kind: 'oneOf'; of: readonly string[] };

/** @param dayMs when a day begins, milliseconds since the epoch; `days` 1: when it ends */
export function wantedBy(filter: Filter, dayMs: (day: string, days: number) => number): Wanted {
  switch (filter.kind) {
    case 'number': {
      const { key, from = -Infinity, to = Infinity } = filter;
      return { key, kind: 'range', from, to };
    }
    case 'date': {
      const { key, from, to } = filter;
      return {
        key,
        kind: 'range',
        from: from === undefined ? -Infinity : dayMs(from, 0),
        to: to === undefined ? Infinity : dayMs(to, 1) - 1,
      };
    }
    case 'text':
    case 'oneOf':
      return filter;
    default:
      return filter satisfies never;
  }
}
