import { expect, test } from 'vitest';
import { countInWords, filterInWords } from './filter-words.ts';
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

test('how many posts are shown is said with whether that is all of them', () => {
  expect(countInWords(601, 601, true, false)).toBe('601 posts');
  expect(countInWords(1, 1, true, false)).toBe('1 post');
  expect(countInWords(100, 100, false, false)).toBe('The newest 100 posts');
  expect(countInWords(12, 2000, true, true)).toBe('12 of 2,000 posts match.');
  expect(countInWords(3, 601, true, true)).toBe('3 of 601 posts match.');
  expect(countInWords(3, 200, false, true)).toBe('3 of 200 posts checked so far match.');
});
