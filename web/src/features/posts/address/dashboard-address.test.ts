import { expect, test } from 'vitest';
import { NO_FILTER } from '../reading/post-filter.ts';
import {
  type DashboardAddress,
  filterOf,
  readAddress,
  searchOf,
  searchOfFilter,
} from './dashboard-address.ts';

const USUAL: DashboardAddress = {
  postId: undefined,
  isAllAccounts: false,
  isChartOpen: false,
  filter: NO_FILTER,
};

test('as usual the address is clean', () => {
  expect(searchOf(USUAL)).toBe('');
  expect(readAddress('')).toEqual(USUAL);
  expect(searchOf({ ...USUAL, filter: { ...NO_FILTER, text: '  ' } })).toBe('');
});

test('what is filtered, sorted, searched and open stands in the address, and is read from it', () => {
  const address: DashboardAddress = {
    postId: '18000000000000001',
    isAllAccounts: true,
    isChartOpen: true,
    filter: {
      text: 'naïve & café #1',
      order: 'In progress',
      fromDay: '2026-11-01',
      toDay: '2026-11-21',
      sort: 'likes',
    },
  };
  const search = searchOf(address);
  expect(search).toContain('sort=likes&filter=in-progress');
  expect(readAddress(search)).toEqual(address);
});

test.each([
  '?sort=price',
  '?filter=everything',
  '?from=yesterday',
  '?from=2026-99-99',
  '?to=2026-02-30',
  '?accounts=none',
  '?chart=1',
])('an address that makes no sense is as if it weren’t there: %s', (search) =>
  expect(readAddress(search)).toEqual(USUAL),
);

test('a search of endless length is cut', () => {
  expect(readAddress(`?q=${'a'.repeat(5000)}`).filter.text.length).toBe(200);
});

test('a filter alone is read from what it is written as', () => {
  const filter = { ...NO_FILTER, text: 'naïve & café', sort: 'likes' as const };
  expect(filterOf(searchOfFilter(filter))).toEqual(filter);
  expect(searchOfFilter(NO_FILTER)).toBe('');
});
