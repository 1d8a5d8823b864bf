import { expect, test } from 'vitest';
import { framePath, litSeats, seatDashes } from './applause.ts';

test('a full ring is what was ordered: it is full exactly when everything has arrived', () => {
  const lit = (delivered: number) => litSeats({ delivered, target: 1000 }, 56);
  expect([0, 119, 500, 999, 1000].map(lit)).toEqual([0, 7, 28, 55, 56]);
});

test('a single like of thousands lights a seat', () => {
  expect(litSeats({ delivered: 1, target: 10_000 }, 56)).toBe(1);
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
