import { expect, test } from 'vitest';
import { applauseSeats, framePath, seatDashes } from './applause.ts';

test('an empty post lights no seat', () => {
  expect(applauseSeats({ organic: 0, delivered: 0, target: 50 }, 48)).toEqual({
    organic: 0,
    purchased: 0,
  });
  expect(applauseSeats({ organic: null, delivered: 0, target: 0 }, 48)).toEqual({
    organic: 0,
    purchased: 0,
  });
});

test('the two tones share the ring as they share the likes', () => {
  expect(applauseSeats({ organic: 25, delivered: 25, target: 75 }, 40)).toEqual({
    organic: 10,
    purchased: 10,
  });
});

test('the ring is full exactly when everything ordered has arrived', () => {
  const lit = (delivered: number): number => {
    const { organic, purchased } = applauseSeats({ organic: 100, delivered, target: 1000 }, 48);
    return organic + purchased;
  };
  expect(lit(999)).toBeLessThan(48);
  expect(lit(1000)).toBe(48);
});

test('a single like among thousands still lights a seat', () => {
  expect(applauseSeats({ organic: 10_000, delivered: 1, target: 50 }, 48).purchased).toBe(1);
  expect(applauseSeats({ organic: 1, delivered: 10_000, target: 10_000 }, 48).organic).toBe(1);
});

test('without an order every seat is organic', () => {
  expect(applauseSeats({ organic: 3, delivered: 0, target: 0 }, 48)).toEqual({
    organic: 48,
    purchased: 0,
  });
});

test('hidden likes leave the delivered ones to be seen', () => {
  expect(applauseSeats({ organic: null, delivered: 25, target: 50 }, 48)).toEqual({
    organic: 0,
    purchased: 24,
  });
});

test('a dash pattern covers the whole path', () => {
  const total = (pattern: string): number =>
    pattern.split(' ').reduce((sum, part) => sum + Number(part), 0);
  expect(total(seatDashes(0, 5, 48))).toBeCloseTo(48);
  expect(total(seatDashes(5, 7, 48))).toBeCloseTo(48);
  expect(total(seatDashes(0, 48, 48))).toBeCloseTo(48);
  expect(seatDashes(0, 0, 48)).toBe('0 48');
});

test('the frame begins at the middle of its lower edge', () => {
  expect(framePath(100, 2, 6)).toMatch(/^M50 98H8A/);
});
