import type { GridColumn } from './grid-column.ts';
import { type FieldValues, foldText, type TableData } from './table-data.ts';
import type { Table } from './use-arranged.ts';

/** The values of the rows by column, each worked out once. */
export function buildTable<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<GridColumn<Row>>,
): Table<Row> {
  const asked = columns.filter(({ isAction }) => !isAction);
  const fields = Object.fromEntries(asked.map((column) => [column.key, valuesOf(rows, column)]));
  const searched = columns.filter(({ isSearched }) => isSearched);
  const haystack = rows.map((row) => foldText(searched.map(({ text }) => text(row)).join('\n')));
  const data: TableData = { count: rows.length, fields, haystack };
  return { rows, data };
}

function valuesOf<Row>(
  rows: readonly Row[],
  { kind, text, value = text }: GridColumn<Row>,
): FieldValues {
  switch (kind) {
    case 'number':
    case 'date':
      return {
        kind,
        values: Float64Array.from(rows, (row) => {
          const number = value(row);
          return typeof number === 'number' ? number : Number.NaN;
        }),
      };
    case 'tags':
      return {
        kind,
        values: rows.map((row) => {
          const tags = value(row);
          return typeof tags === 'object' && tags !== null ? tags : [];
        }),
      };
    case 'text':
    case 'choice':
      return { kind, values: rows.map((row) => String(value(row) ?? '')) };
    default:
      return kind satisfies never;
  }
}

/** What these rows come to in a column; rows without a value add nothing. */
export function sumOf(data: TableData, key: string, rows: Iterable<number>): number {
  const field = data.fields[key];
  if (field?.kind !== 'number') return 0;
  let sum = 0;
  for (const row of rows) sum += field.values[row] || 0;
  return sum;
}

/** The words that stand in a column of choices or tags, each once, in their order. */
export function choicesOf(data: TableData, key: string): string[] {
  const field = data.fields[key];
  if (field?.kind !== 'choice' && field?.kind !== 'tags') return [];
  const words = new Set<string>();
  for (const value of field.values) {
    if (typeof value === 'string') words.add(value);
    else for (const word of value) words.add(word);
  }
  words.delete('');
  return [...words].sort((a, b) => (foldText(a) < foldText(b) ? -1 : 1));
}
