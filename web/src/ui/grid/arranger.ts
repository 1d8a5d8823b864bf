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

/** Arranges the rows of a table; what it has worked out of a column it keeps. */
export class Arranger {
  readonly #data: TableData;
  readonly #ranks = new Map<string, Ranks>();

  constructor(data: TableData) {
    this.#data = data;
  }

  /** Numbers of the rows that fit, in order. */
  arrange({ search, filters, sorts }: Arrangement): Uint32Array {
    const fitting = this.#fitting(search, filters);
    const orders = sorts.flatMap(({ key, isDescending }) => {
      const ranks = this.#ranksOf(key);
      return ranks ? [isDescending ? descending(ranks) : ranks] : [];
    });
    return sortRows(fitting, orders);
  }

  #ranksOf(key: string): Ranks | undefined {
    const known = this.#ranks.get(key);
    const field = this.#data.fields[key];
    if (known || !field) return known;
    const ranks = rankField(field, this.#data.count);
    this.#ranks.set(key, ranks);
    return ranks;
  }

  #fitting(search: string, filters: readonly Wanted[]): Uint32Array {
    const { count, haystack, fields } = this.#data;
    const words = foldText(search).split(/\s+/).filter(Boolean);
    const tests = filters.flatMap((filter) => {
      const field = fields[filter.key];
      return field ? [testOf(filter, field)] : [];
    });
    const fitting = new Uint32Array(count);
    let found = 0;
    for (let row = 0; row < count; row += 1) {
      const text = haystack[row] ?? '';
      if (!words.every((word) => text.includes(word))) continue;
      if (!tests.every((test) => test(row))) continue;
      fitting[found] = row;
      found += 1;
    }
    return fitting.subarray(0, found);
  }
}

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
