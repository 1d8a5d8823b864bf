import { expect, test } from 'vitest';
import { keepSame } from './keep-same.ts';

const rows = () => ({ user: { id: '1', tags: ['a', 'b'] }, posts: [{ id: 1 }, { id: 2 }] });

test('what says the same is the older reading itself', () => {
  const before = rows();
  expect(keepSame(before, rows())).toBe(before);
  const ids = new Set(['1', '2']);
  expect(keepSame(ids, new Set(['1', '2']))).toBe(ids);
  const byId = new Map([['1', { likes: 3 }]]);
  expect(keepSame(byId, new Map([['1', { likes: 3 }]]))).toBe(byId);
});

test('of what has changed all but the change is the older one', () => {
  const before = rows();
  const kept = keepSame(before, { ...rows(), posts: [{ id: 1 }, { id: 3 }, { id: 4 }] });
  expect(kept).toEqual({ ...rows(), posts: [{ id: 1 }, { id: 3 }, { id: 4 }] });
  expect(kept.user).toBe(before.user);
  expect(kept.posts[0]).toBe(before.posts[0]);
});

test.each<[what: string, before: unknown, next: unknown]>([
  ['a row more', [1], [1, 2]],
  ['a row less', [1, 2], [1]],
  ['a field more', { a: 1 }, { a: 1, b: undefined }],
  ['a field less', { a: 1, b: undefined }, { a: 1 }],
  ['a field of another name', { a: undefined }, { b: undefined }],
  ['another member', new Set([1]), new Set([2])],
  ['another value', new Map([[1, { a: 1 }]]), new Map([[1, { a: 2 }]])],
  ['nothing', { a: 1 }, undefined],
  ['null', {}, null],
  ['a list, not a record', { 0: 1 }, [1]],
  ['another instant', new Date(1), new Date(2)],
])('%s is not the same', (_, before, next) => {
  const kept = keepSame(before, next);
  expect(kept).not.toBe(before);
  expect(kept).toStrictEqual(next);
});
