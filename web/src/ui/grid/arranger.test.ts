import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Arranger, type Arrangement } from './arranger.ts';
import { sumOf } from './build-table.ts';
import { type Filter, wantedBy } from './filter.ts';
import { sortingKey } from './sort-ranks.ts';
import { type FieldValues, foldText, type TableData } from './table-data.ts';

interface Row {
  name: string;
  plan: number | null;
  state: string;
  tags: string[];
}

const row = fc.record<Row>({
  name: fc.stringMatching(/^[a-cA-C0-9]{0,4}$/),
  plan: fc.option(fc.constantFrom(1, 2, 50, 100), { nil: null }),
  state: fc.constantFrom('', 'Active', 'Paused'),
  tags: fc.uniqueArray(fc.constantFrom('VIP', 'new', 'old'), { maxLength: 2 }),
});
const rows = fc.array(row, { maxLength: 30 });

const dataOf = (all: readonly Row[]): TableData => ({
  count: all.length,
  fieldOf: (key) => fieldsOf(all).get(key),
  haystacks: () => [
    all.map(({ name, tags }) => foldText([name, ...tags].join('\n'))),
    all.map(({ state }) => foldText(state)),
  ],
});

const fieldsOf = (all: readonly Row[]) =>
  new Map<string, FieldValues>([
    ['name', { kind: 'text', values: all.map(({ name }) => name) }],
    ['plan', { kind: 'number', values: Float64Array.from(all, ({ plan }) => plan ?? Number.NaN) }],
    ['state', { kind: 'choice', values: all.map(({ state }) => state) }],
    ['tags', { kind: 'tags', values: all.map(({ tags }) => tags) }],
  ]);

const arranged = (all: readonly Row[], wanted: Partial<Arrangement>): Row[] =>
  Array.from(
    new Arranger().arrange(dataOf(all), { search: '', filters: [], sorts: [], ...wanted }),
    (nth) => all[nth] as Row,
  );

const sorts = fc.uniqueArray(
  fc.record({ key: fc.constantFrom('name', 'plan', 'state', 'tags'), isDescending: fc.boolean() }),
  { selector: ({ key }) => key, maxLength: 4 },
);

/** Slowly, by comparing. */
function compare(a: Row, b: Row, key: string): number {
  const valueOf = (one: Row): string | number | null => {
    if (key === 'plan') return one.plan;
    const text = key === 'tags' ? one.tags.join('\u0001') : one[key === 'name' ? 'name' : 'state'];
    return text === '' ? null : sortingKey(text);
  };
  const [left, right] = [valueOf(a), valueOf(b)];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return left < right ? -1 : Number(left > right);
}

test('rows stand by the first column, then the next ones, those without a value last, equal ones as they came', () => {
  fc.assert(
    fc.property(rows, sorts, (all, by) => {
      const wanted = all.toSorted((a, b) => {
        for (const { key, isDescending } of by) {
          const up = compare(a, b, key);
          const isNone = compare(a, { name: '', plan: null, state: '', tags: [] }, key) === 0;
          const isOtherNone = compare(b, { name: '', plan: null, state: '', tags: [] }, key) === 0;
          if (up !== 0) return isDescending && !isNone && !isOtherNone ? -up : up;
        }
        return 0;
      });
      expect(arranged(all, { sorts: by })).toEqual(wanted);
    }),
  );
});

test('what fits is what fits every filter and every word, in the order it came', () => {
  const filters = fc.array(
    fc.oneof(
      fc.record({
        key: fc.constant('name'),
        kind: fc.constant('text' as const),
        has: fc.constantFrom('a', 'B', '1'),
      }),
      fc.record({
        key: fc.constant('plan'),
        kind: fc.constant('range' as const),
        from: fc.constantFrom(-Infinity, 2, 60),
        to: fc.constantFrom(50, Infinity),
      }),
      fc.record({
        key: fc.constantFrom('state', 'tags'),
        kind: fc.constant('oneOf' as const),
        of: fc.subarray(['', 'active', 'VIP', 'new']),
      }),
    ),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(rows, filters, fc.constantFrom('', 'a', 'B act', 'vip'), (all, wanted, search) => {
      const fits = (one: Row): boolean =>
        wanted.every((filter) => {
          if (filter.kind === 'text')
            return one.name.toLowerCase().includes(filter.has.toLowerCase());
          if (filter.kind === 'range') {
            return one.plan !== null && one.plan >= filter.from && one.plan <= filter.to;
          }
          const has = filter.key === 'tags' ? one.tags : [one.state].filter(Boolean);
          const of = filter.of.map((each) => each.toLowerCase());
          return has.length === 0
            ? of.includes('')
            : has.some((each) => of.includes(each.toLowerCase()));
        });
      const text = ({ name, state, tags }: Row): string =>
        [name, state, ...tags].join('\n').toLowerCase();
      const isFound = (one: Row): boolean =>
        search
          .toLowerCase()
          .split(' ')
          .every((word) => text(one).includes(word));
      expect(arranged(all, { filters: wanted, search })).toEqual(
        all.filter((one) => fits(one) && isFound(one)),
      );
    }),
  );
});

test('numbers in names stand by their size, and columns that are not there change nothing', () => {
  const all = ['post10', 'Post9', 'post009b', 'a'].map((name) => ({
    name,
    plan: null,
    state: '',
    tags: [],
  }));
  const byName = [{ key: 'name', isDescending: false }];
  expect(arranged(all, { sorts: byName }).map(({ name }) => name)).toEqual([
    'a',
    'Post9',
    'post009b',
    'post10',
  ]);
  const gone = [{ key: 'gone', isDescending: false }];
  const filters = [{ key: 'gone', kind: 'text' as const, has: 'x' }];
  expect(arranged(all, { sorts: gone, filters })).toEqual(all);
});

test('a filter of days takes the whole last day', () => {
  const dayMs = (day: string, days: number): number => Date.parse(day) + days * 86_400_000;
  const filter: Filter = { key: 'next', kind: 'date', from: '2026-11-01', to: '2026-11-02' };
  expect(wantedBy(filter, dayMs)).toEqual({
    key: 'next',
    kind: 'range',
    from: Date.parse('2026-11-01'),
    to: Date.parse('2026-11-02T23:59:59.999Z'),
  });
  expect(wantedBy({ key: 'plan', kind: 'number', from: 3 }, dayMs)).toMatchObject({
    from: 3,
    to: Infinity,
  });
});

test('rows come to the sum of those that have a value, and to nothing while none has one', () => {
  const plans = (...all: Array<number | null>) =>
    sumOf(dataOf(all.map((plan) => ({ name: '', plan, state: '', tags: [] }))), 'plan', all.keys());
  expect([plans(50, null, 2), plans(null, null), plans()]).toEqual([52, undefined, undefined]);
});
