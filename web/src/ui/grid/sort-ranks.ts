import { type FieldValues, foldText } from './table-data.ts';

/** Where each row stands in the order of a column; rows that are equal share a place. */
export interface Ranks {
  ranks: Uint32Array;
  /** How many places there are. Rows without a value have this very number: they stand last, either way. */
  places: number;
}

/** The order of a column, from the lowest value. */
export function rankField(field: FieldValues, count: number): Ranks {
  switch (field.kind) {
    case 'number':
    case 'date':
      return rankNumbers(field.values, count);
    case 'tags':
      return rankTexts(count, (row) => field.values[row]?.join('\u0001') ?? '');
    case 'text':
    case 'choice':
      return rankTexts(count, (row) => field.values[row] ?? '');
    default:
      return field satisfies never;
  }
}

/** A text that stands in order by its code units: numbers in it by their size, `post9` before `post10`. */
export function sortingKey(text: string): string {
  return foldText(text).replaceAll(/0*(\d+)/g, byLength);
}

/** The longer a number, the later; its length is a character that sorts before letters, as digits do. */
const byLength = (_whole: string, digits: string): string =>
  String.fromCharCode(48 + Math.min(digits.length, 9)) + digits;

function rankNumbers(values: Float64Array, count: number): Ranks {
  const sorted = values.slice(0, count).sort();
  const placeOf = new Map<number, number>();
  // NaN is sorted to the end.
  for (const value of sorted) {
    if (Number.isNaN(value)) break;
    if (!placeOf.has(value)) placeOf.set(value, placeOf.size);
  }
  const ranks = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) {
    ranks[row] = placeOf.get(values[row] ?? Number.NaN) ?? placeOf.size;
  }
  return { ranks, places: placeOf.size };
}

function rankTexts(count: number, textOf: (row: number) => string): Ranks {
  const keys = Array.from({ length: count }, (_, row) => sortingKey(textOf(row)));
  const distinct = [...new Set(keys)].filter((key) => key !== '').sort();
  const placeOf = new Map(distinct.map((key, place) => [key, place]));
  const ranks = Uint32Array.from(keys, (key) => placeOf.get(key) ?? distinct.length);
  return { ranks, places: distinct.length };
}

/** The same the other way round; rows without a value stay last. */
export function descending({ ranks, places }: Ranks): Ranks {
  return { ranks: ranks.map((rank) => (rank === places ? places : places - 1 - rank)), places };
}

/**
 * The rows in the order of the ranks, the first one before the next ones; equal rows keep the order they came in.
 * Ranks are packed into numbers, which engines sort without calling back.
 */
export function sortRows(rows: Uint32Array, orders: readonly Ranks[]): Uint32Array {
  let [first, ...others] = orders;
  if (!first) return rows;
  for (const next of others) first = combine(rows, first, next);
  const position = rows.length;
  const packed = new Float64Array(position);
  for (let at = 0; at < position; at += 1) {
    packed[at] = (first.ranks[rows[at] ?? 0] ?? 0) * position + at;
  }
  packed.sort();
  const sorted = new Uint32Array(position);
  for (let at = 0; at < position; at += 1) sorted[at] = rows[(packed[at] ?? 0) % position] ?? 0;
  return sorted;
}

/** The places by both orders, as one. */
function combine(rows: Uint32Array, first: Ranks, next: Ranks): Ranks {
  const width = next.places + 1;
  const packed = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    packed[at] = (first.ranks[row] ?? 0) * width + (next.ranks[row] ?? 0);
  }
  const { ranks: byPosition, places } = rankNumbers(packed, rows.length);
  const ranks = new Uint32Array(first.ranks.length);
  for (let at = 0; at < rows.length; at += 1) ranks[rows[at] ?? 0] = byPosition[at] ?? places;
  return { ranks, places };
}
