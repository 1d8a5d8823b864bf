/** What the values of a column are, which says how they are sorted and asked for. */
export type FieldKind = 'text' | 'number' | 'date' | 'choice' | 'tags';

/** The values of one column, by row. */
export type FieldValues =
  | { kind: 'text' | 'choice'; values: readonly string[] }
  /** Dates are days, each as its midnight in UTC, milliseconds since the epoch; NaN: there is none. */
  | { kind: 'number' | 'date'; values: Float64Array }
  | { kind: 'tags'; values: ReadonlyArray<readonly string[]> };

/** A table by its columns: quick to sort, and to hand to a worker. */
export interface TableData {
  count: number;
  /** The column of this key: the same object as long as it says the same. */
  fieldOf: (key: string) => FieldValues | undefined;
  /** What is searched in, by row, as `foldText` makes it; a word may stand in any of them. */
  haystacks: () => ReadonlyArray<readonly string[]>;
}

/** As it is compared: capitals, and other ways to write the same letters, don't count. */
export const foldText = (text: string): string =>
  (PLAIN.test(text) ? text : text.normalize('NFKC')).toLowerCase();

/** Which there is one way to write; normalizing takes longer than asking. */
const PLAIN = /^[ -~\n]*$/;

/** The column of this key has a value in this row. */
export function hasValue(field: FieldValues, row: number): boolean {
  switch (field.kind) {
    case 'number':
    case 'date':
      return !Number.isNaN(field.values[row]);
    case 'tags':
      return (field.values[row]?.length ?? 0) > 0;
    case 'text':
    case 'choice':
      return (field.values[row] ?? '') !== '';
    default:
      return field satisfies never;
  }
}
