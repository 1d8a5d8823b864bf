import { expect, test } from 'vitest';
import { type SavedFilter, SAVED_FILTER_LIMIT, withFilter } from './saved-filters.ts';

const filter = (name: string, search = '?sort=likes'): SavedFilter => ({ name, search });

test('a filter saved under a name again takes the place of the one before', () => {
  const saved = withFilter([filter('Best'), filter('Late')], filter('best', '?sort=comments'));
  expect(saved).toEqual([filter('best', '?sort=comments'), filter('Late')]);
});

test('a full list takes no other one, and still changes those it has', () => {
  const full = Array.from({ length: SAVED_FILTER_LIMIT }, (_, nth) => filter(`No. ${nth}`));
  expect(withFilter(full.slice(1), filter('Best'))).toHaveLength(SAVED_FILTER_LIMIT);
  expect(withFilter(full, filter('Best'))).toBeUndefined();
  expect(withFilter(full, filter('No. 3', '?filter=late'))?.[3]?.search).toBe('?filter=late');
});
