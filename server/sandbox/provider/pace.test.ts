import { assert, nat, property, record, integer, string } from 'fast-check';
import { expect, test } from 'vitest';
import { likesDue, nextLikeAt } from './pace.ts';

const pace = record({
  ref: string({ minLength: 1, maxLength: 64 }),
  startAt: integer({ min: 0, max: 2_000_000_000_000 }),
  spanMs: integer({ min: 0, max: 14_400_000 }),
  likes: integer({ min: 1, max: 20_000 }),
});

// Shows fact 2.64.
test('no like is due before the start, all of them at the end, and the count never falls', () => {
  assert(
    property(pace, ({ spanMs, ...rest }) => {
      const order = { ...rest, finishBy: rest.startAt + spanMs };
      expect(likesDue(order, order.startAt - 1)).toBe(0);
      expect(likesDue(order, order.finishBy)).toBe(order.likes);
      let before = 0;
      for (let step = 0; step <= 200; step += 1) {
        const due = likesDue(order, order.startAt + (spanMs * step) / 200);
        expect(due).toBeGreaterThanOrEqual(before);
        expect(due).toBeLessThanOrEqual(order.likes);
        before = due;
      }
    }),
  );
});

test('the next like is really due at the time said, and not long before', () => {
  assert(
    property(pace, nat(), ({ spanMs, ...rest }, some) => {
      const order = { ...rest, finishBy: rest.startAt + spanMs };
      const given = some % order.likes;
      const at = nextLikeAt(order, given);
      expect(likesDue(order, at)).toBeGreaterThan(given);
      expect(at - 51 < order.startAt || likesDue(order, at - 51) <= given).toBe(true);
    }),
  );
});

test('likes come irregularly, and two orders differently', () => {
  const order = { ref: 'a', startAt: 0, finishBy: 600_000, likes: 1000 };
  const minutes = Array.from({ length: 9 }, (_, minute) => {
    const at = minute * 60_000;
    return likesDue(order, at + 60_000) - likesDue(order, at);
  });
  expect(new Set(minutes).size).toBeGreaterThan(5);
  expect(likesDue(order, 200_000)).not.toBe(likesDue({ ...order, ref: 'b' }, 200_000));
});
