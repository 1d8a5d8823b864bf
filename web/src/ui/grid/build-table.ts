import type { GridColumn } from './grid-column.ts';
import { type FieldValues, foldText, type TableData } from './table-data.ts';
import type { Table } from './use-arranged.ts';

/** Something of all rows, with the part of each row that it is read from. */
type OfRows<Row, Result> = (rows: readonly Row[], parts: readonly unknown[]) => Result;
type PartOf<Row> = (row: Row) => unknown;

/**
 * Makes tables of the same columns, one after the other. A column is worked out when it is first asked for; a row whose
 * part is the same object as in the table before is reused, and a column of which all are stays the same object.
 */
export class TableBuilder<Row extends object> {
  readonly #fields: ReadonlyMap<string, { part: PartOf<Row>; read: OfRows<Row, FieldValues> }>;
  readonly #haystacks: ReadonlyArray<{ part: PartOf<Row>; read: OfRows<Row, readonly string[]> }>;

  constructor(columns: ReadonlyArray<GridColumn<Row>>) {
    this.#fields = new Map(
      columns
        .filter(({ isAction }) => !isAction)
        .map((column) => [column.key, { part: partOf(column), read: readField(column) }]),
    );
    const searched = columns.filter(({ isSearched }) => isSearched);
    this.#haystacks = [...new Set(searched.map(partOf))].map((part) => {
      const texts = searched.filter((column) => partOf(column) === part).map(({ text }) => text);
      return {
        part,
        read: rowByRow((row) => foldText(texts.map((text) => text(row)).join('\n'))),
      };
    });
  }

  build(rows: readonly Row[]): Table<Row> {
    const partsBy = remembered((part: PartOf<Row>) => rows.map(part));
    const data: TableData = {
      count: rows.length,
      fieldOf: remembered((key: string) => {
        const field = this.#fields.get(key);
        return field?.read(rows, partsBy(field.part));
      }),
      haystacks: () => this.#haystacks.map(({ part, read }) => read(rows, partsBy(part))),
    };
    return { rows, data };
  }
}

const itself = (row: object): unknown => row;
const partOf = <Row extends object>({ of }: GridColumn<Row>): PartOf<Row> => of ?? itself;

function remembered<Key, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>();
  return (key) => {
    const result = known.get(key) ?? work(key);
    known.set(key, result);
    return result;
  };
}

function rowByRow<Row, Value extends number | string | readonly string[]>(
  work: (row: Row) => Value,
): OfRows<Row, readonly Value[]> {
  let before: readonly unknown[] = [];
  let values: readonly Value[] = [];
  return (rows, parts) => {
    const isSame =
      parts.length === before.length && parts.every((part, nth) => part === before[nth]);
    if (isSame) return values;
    // Where some came or went, the others stand elsewhere.
    const places = parts.length === before.length ? undefined : placesOf(before);
    const known = values;
    values = rows.map((row, nth) => {
      const place = places ? places.get(parts[nth]) : nth;
      const isKnown = place !== undefined && before[place] === parts[nth];
      return (isKnown ? known[place] : undefined) ?? work(row);
    });
    before = parts;
    return values;
  };
}

const placesOf = (parts: readonly unknown[]): ReadonlyMap<unknown, number> =>
  new Map(parts.map((part, nth) => [part, nth]));

function readField<Row>({ kind, text, value = text }: GridColumn<Row>): OfRows<Row, FieldValues> {
  switch (kind) {
    case 'number':
    case 'date': {
      const numbers = rowByRow((row: Row) => {
        const number = value(row);
        return typeof number === 'number' ? number : Number.NaN;
      });
      return whileSame(numbers, (values) => ({ kind, values: new Float64Array(values) }));
    }
    case 'tags': {
      const tags = rowByRow((row: Row) => {
        const all = value(row);
        return typeof all === 'object' && all !== null ? all : [];
      });
      return whileSame(tags, (values) => ({ kind, values }));
    }
    case 'text':
    case 'choice': {
      const texts = rowByRow((row: Row) => String(value(row) ?? ''));
      return whileSame(texts, (values) => ({ kind, values }));
    }
    default:
      return kind satisfies never;
  }
}

function whileSame<Row, Values extends object>(
  read: OfRows<Row, Values>,
  make: (values: Values) => FieldValues,
): OfRows<Row, FieldValues> {
  let last: { values: Values; field: FieldValues } | undefined;
  return (rows, parts) => {
    const values = read(rows, parts);
    last = last?.values === values ? last : { values, field: make(values) };
    return last.field;
  };
}

/** What these rows come to in a column; undefined while none of them has a value there. */
export function sumOf(data: TableData, key: string, rows: Iterable<number>): number | undefined {
  const field = data.fieldOf(key);
  if (field?.kind !== 'number') return undefined;
  let sum: number | undefined;
  for (const row of rows) {
    const value = field.values[row];
    if (value !== undefined && !Number.isNaN(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}

/** The words that stand in a column of choices or tags, each once, in their order. */
export function choicesOf(data: TableData, key: string): string[] {
  const field = data.fieldOf(key);
  if (field?.kind !== 'choice' && field?.kind !== 'tags') return [];
  const words = new Set<string>();
  for (const value of field.values) {
    if (typeof value === 'string') words.add(value);
    else for (const word of value) words.add(word);
  }
  words.delete('');
  return [...words].sort((a, b) => (foldText(a) < foldText(b) ? -1 : 1));
}
