import { expect, test } from 'vitest';
import { holdTimers } from './held-timers.ts';

test('a timer is held until its time is over, or the page takes it back', () => {
  const [short, long] = [holdTimers(2000), holdTimers(3000)];
  const done: string[] = [];
  setTimeout(() => done.push('short'), 2000);
  const takenBack = setTimeout(() => done.push('long'), 3000);
  clearTimeout(takenBack);
  expect([short.count(), long.count()]).toEqual([1, 0]);
  short.end();
  long.end();
  expect(done).toEqual(['short']);
});

test('what a page clears without having set anything takes no held timer away', () => {
  const [short, long] = [holdTimers(2000), holdTimers(3000)];
  setTimeout(() => undefined, 2000);
  setTimeout(() => undefined, 3000);
  for (const unset of [undefined, -1, 0, 1]) clearTimeout(unset);
  expect([short.count(), long.count()]).toEqual([1, 1]);
});
