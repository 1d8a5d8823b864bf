import { expect, test } from 'vitest';
import { canFollow, isFinal, ORDER_STATES, parseOrderState } from './order-state.ts';

test('states go forward only and never out of a final one', () => {
  const allowed = ORDER_STATES.flatMap((from) =>
    ORDER_STATES.filter((to) => from !== to && canFollow(from, to)).map((to) => `${from} > ${to}`),
  );
  expect(allowed).toEqual([
    'Pending > Processing',
    'Pending > In progress',
    'Pending > Completed',
    'Pending > Partial',
    'Pending > Canceled',
    'Processing > In progress',
    'Processing > Completed',
    'Processing > Partial',
    'Processing > Canceled',
    'In progress > Completed',
    'In progress > Partial',
    'In progress > Canceled',
  ]);
});

test('three states are final', () => {
  expect(ORDER_STATES.filter(isFinal)).toEqual(['Completed', 'Partial', 'Canceled']);
});

test.each([
  ['In progress', 'In progress'],
  ['in_progress', 'In progress'],
  ['INPROGRESS', 'In progress'],
  ['cancelled', 'Canceled'],
  [' Complete ', 'Completed'],
  ['partial', 'Partial'],
  ['shipped', undefined],
])('%s is read as %s', (spelling, state) => {
  expect(parseOrderState(spelling)).toBe(state);
});
