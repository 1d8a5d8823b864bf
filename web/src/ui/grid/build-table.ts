import type { GridColumn } from './grid-column.ts';
import { type FieldValues, foldText, type TableData } from './table-data.ts';
import type { Table } from './use-arranged.ts';

type Value = ReturnType<NonNullable<GridColumn<never>['value']>>;

/** What a row says, worked out once: of thousands few change at a time. */
interface RowCells {
  /** In the order of the columns. */
  values: readonly Value[];
  haystack: string;
}

const known = new WeakMap<object, WeakMap<object, RowCells>>();

/** The values of the rows by column. A row that is the same object says the same. */
export function buildTable<Row extends object>(
  rows: readonly Row[],
  columns: ReadonlyArray<GridColumn<Row>>,
): Table<Row> {
  const cellsOf = known.get(columns) ?? new WeakMap<object, RowCells>();
  known.set(columns, cellsOf);
  const asked = columns.filter(({ isAction }) => !isAction);
  const searched = columns.filter(({ isSearched }) => isSearched);
  const cells = rows.map((row) => {
    const before = cellsOf.get(row);
    if (before) return before;
    const worked: RowCells = {
      values: asked.map(({ text, value = text }) => value(row)),
      haystack: foldText(searched.map(({ text }) => text(row)).join('\n')),
    };
    cellsOf.set(row, worked);
    return worked;
  });
  const fields = Object.fromEntries(
    asked.map(({ key, kind }, nth) => [key, valuesOf(kind, cells, nth)]),
  );
  const haystack = cells.map((each) => each.haystack);
  const data: TableData = { count: rows.length, fields, haystack };
  return { rows, data };
}

function valuesOf(
  kind: GridColumn<never>['kind'],
  cells: readonly RowCells[],
  nth: number,
): FieldValues {
  switch (kind) {
    case 'number':
    case 'date':
      return {
        kind,
        values: Float64Array.from(cells, ({ values }) => {
          const number = values[nth];
          return typeof number === 'number' ? number : Number.NaN;
        }),
      };
    case 'tags':
      return {
        kind,
        values: cells.map(({ values }) => {
          const tags = values[nth];
          return typeof tags === 'object' && tags !== null ? tags : [];
        }),
      };
    case 'text':
    case 'choice':
      return { kind, values: cells.map(({ values }) => String(values[nth] ?? '')) };
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
