import { expect, test } from 'vitest';
import { filterInWords } from './filter-words.ts';
import { NO_FILTER } from '../reading/post-filter.ts';

test('a filter has a name before anybody gave it one', () => {
  const words = (changes: object): string => filterInWords({ ...NO_FILTER, ...changes });
  expect(words({ sort: 'likes' })).toBe('Most likes first');
  expect(words({ order: 'In progress', text: ' bread ', sort: 'likes' })).toBe(
    'In progress, “bread”, most likes first',
  );
  expect(words({ fromDay: '2026-11-01', toDay: '2026-11-21' })).toBe(
    'From 2026-11-01, until 2026-11-21',
  );
});
