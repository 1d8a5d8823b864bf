import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Filter } from './filter.ts';
import {
  addressOfView,
  type GridView,
  unreadFilters,
  usualView,
  type ViewField,
  viewOfAddress,
} from './grid-view.ts';

const FIELDS: ViewField[] = [
  { key: 'name', kind: 'text', isUsual: true },
  { key: 'plan', kind: 'number', isUsual: true },
  { key: 'next', kind: 'date', isUsual: true },
  { key: 'state', kind: 'choice', isUsual: false },
  { key: 'tags', kind: 'tags', isUsual: false },
];
const USUAL = usualView(FIELDS, [{ key: 'name', isDescending: false }]);

const number = fc.integer({ min: -5, max: 5 });
const day = fc.constantFrom('2026-02-28', '2026-11-23', '2027-01-01');
const word = fc.string({ maxLength: 6 });
const range = <End>(end: fc.Arbitrary<End>, compare: (a: End, b: End) => boolean) =>
  fc
    .record({ from: end, to: end }, { requiredKeys: [] })
    .filter(({ from, to }) =>
      from !== undefined && to !== undefined ? compare(from, to) : from !== to,
    );
const filter: fc.Arbitrary<Filter> = fc.oneof(
  word.filter((has) => has !== '').map((has): Filter => ({ key: 'name', kind: 'text', has })),
  range(number, (a, b) => a <= b).map((ends): Filter => ({ key: 'plan', kind: 'number', ...ends })),
  range(day, (a, b) => a <= b).map((ends): Filter => ({ key: 'next', kind: 'date', ...ends })),
  fc
    .tuple(fc.constantFrom('state', 'tags'), fc.array(word, { minLength: 1, maxLength: 3 }))
    .map(([key, of]): Filter => ({ key, kind: 'oneOf', of })),
);
const keys = FIELDS.map(({ key }) => key);
const view: fc.Arbitrary<GridView> = fc.record({
  search: word,
  filters: fc.uniqueArray(filter, { selector: ({ key }) => key }),
  sorts: fc.uniqueArray(fc.record({ key: fc.constantFrom(...keys), isDescending: fc.boolean() }), {
    selector: ({ key }) => key,
  }),
  columns: fc.shuffledSubarray(keys, { minLength: 1 }),
});

test('what an address says of a view is that view', () => {
  fc.assert(
    fc.property(view, (one) => {
      expect(viewOfAddress(addressOfView(one, USUAL), FIELDS, USUAL)).toEqual(one);
    }),
  );
});

test('the usual view needs no words, and an address without any is the usual view', () => {
  expect(addressOfView(USUAL, USUAL)).toBe('');
  expect(viewOfAddress('', FIELDS, USUAL)).toEqual(USUAL);
});

test('what an address says that can’t be is left out, whatever somebody typed there', () => {
  const read = (address: string): GridView => viewOfAddress(address, FIELDS, USUAL);
  expect(read('?where.gone=1&sort=gone&columns=gone')).toEqual({ ...USUAL, sorts: [] });
  expect(read('?where.plan=9..1&where.next=yesterday..').filters).toEqual([]);
  expect(read('?where.plan=..7').filters).toEqual([{ key: 'plan', kind: 'number', to: 7 }]);
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('where.plan', 'where.next', 'where.tags', 'sort', 'columns', 'q'),
      (text, name) => {
        const said = `?${new URLSearchParams({ [name]: text }).toString()}`;
        const once = read(said);
        expect(read(addressOfView(once, USUAL))).toEqual(once);
      },
    ),
  );
});

test('filters of an address that can’t be read are named, and no other', () => {
  const address =
    '?where.plan=none&where.gone=1&where.name=ada&where.tags=VIP&where.next=2026-11-23..&q=x';
  expect(unreadFilters(address, FIELDS)).toEqual(['plan=none', 'gone=1']);
});
