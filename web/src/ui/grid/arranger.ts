import type { SortBy, Wanted } from './filter.ts';
import { descending, rankField, type Ranks, sortRows } from './sort-ranks.ts';
import { type FieldValues, foldText, hasValue, type TableData } from './table-data.ts';

/** Which rows, and in what order. */
export interface Arrangement {
  /** Every word must be found in a row. */
  search: string;
  filters: readonly Wanted[];
  /** The first one counts most. */
  sorts: readonly SortBy[];
}

/** Arranges the rows of tables; what it has worked out of a column it keeps as long as that is the same object. */
export class Arranger {
  readonly #ranks = new WeakMap<FieldValues, Ranks>();

  /** Numbers of the rows that fit, in order. */
  arrange(data: TableData, { search, filters, sorts }: Arrangement): Uint32Array {
    const orders = sorts.flatMap(({ key, isDescending }) => {
      const field = data.fieldOf(key);
      const ranks = field && this.#ranksOf(field, data.count);
      return ranks ? [isDescending ? descending(ranks) : ranks] : [];
    });
    return sortRows(fitting(data, search, filters), orders);
  }

  #ranksOf(field: FieldValues, count: number): Ranks {
    const ranks = this.#ranks.get(field) ?? rankField(field, count);
    this.#ranks.set(field, ranks);
    return ranks;
  }
}

function fitting(data: TableData, search: string, filters: readonly Wanted[]): Uint32Array {
  const words = wordsOf(search);
  const haystacks = words.length > 0 ? data.haystacks() : [];
  const tests = filters.flatMap((filter) => {
    const field = data.fieldOf(filter.key);
    return field ? [testOf(filter, field)] : [];
  });
  const rows = new Uint32Array(data.count);
  let found = 0;
  for (let row = 0; row < data.count; row += 1) {
    if (!words.every((word) => haystacks.some((texts) => texts[row]?.includes(word)))) continue;
    if (!tests.every((test) => test(row))) continue;
    rows[found] = row;
    found += 1;
  }
  return rows.subarray(0, found);
}

export const wordsOf = (search: string): string[] => foldText(search).split(/\s+/).filter(Boolean);

type Test = (row: number) => boolean;

function testOf(filter: Wanted, field: FieldValues): Test {
  switch (filter.kind) {
    case 'text': {
      const has = foldText(filter.has);
      return (row) => textOf(field, row).includes(has);
    }
    case 'range': {
      if (field.kind !== 'number' && field.kind !== 'date') return () => true;
      const { values } = field;
      const { from, to } = filter;
      return (row) => {
        const value = values[row] ?? Number.NaN;
        return value >= from && value <= to;
      };
    }
    case 'oneOf':
      return oneOf(new Set(filter.of.map(foldText)), field);
    default:
      return filter satisfies never;
  }
}

function oneOf(wanted: ReadonlySet<string>, field: FieldValues): Test {
  const isNoneWanted = wanted.has('');
  return (row) => {
    if (!hasValue(field, row)) return isNoneWanted;
    if (field.kind === 'tags') {
      return field.values[row]?.some((tag) => wanted.has(foldText(tag))) ?? false;
    }
    return wanted.has(textOf(field, row));
  };
}

function textOf(field: FieldValues, row: number): string {
  const value = field.values[row] ?? '';
  return foldText(typeof value === 'object' ? value.join(', ') : String(value));
}
