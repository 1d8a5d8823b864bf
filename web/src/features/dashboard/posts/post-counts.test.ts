import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import { postCounts } from './post-counts.ts';

const order = { id: 'x', target: 50, delivered: 20 };

test('a running order is awaited to its end', () => {
  const post = postExample({ deliveredLikes: 20, order: { ...order, state: 'In progress' } });
  expect(postCounts(post)).toEqual({ organic: 10, delivered: 20, target: 50 });
});

test('an order that ended short leaves no seat waiting', () => {
  const post = postExample({ deliveredLikes: 20, order: { ...order, state: 'Partial' } });
  expect(postCounts(post).target).toBe(20);
});

test('likes of an earlier order count beside those of the running one', () => {
  const post = postExample({ deliveredLikes: 70, order: { ...order, state: 'In progress' } });
  expect(postCounts(post)).toMatchObject({ delivered: 70, target: 100 });
});
