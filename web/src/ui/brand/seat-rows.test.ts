import { expect, test } from 'vitest';
import { dotsPath, seatRows } from './seat-rows.ts';

const hall = {
  centerX: 100,
  centerY: 100,
  rows: 3,
  firstRadius: 40,
  rowGap: 20,
  seatPitch: 10,
  spanDegrees: 180,
};

test('rows are arcs around the stage, each with more seats than the one before', () => {
  const seats = seatRows(hall);
  const perRow = [0, 1, 2].map((row) => seats.filter((seat) => seat.row === row).length);
  expect(perRow).toEqual([13, 19, 26]);
  for (const seat of seats) {
    expect(Math.hypot(seat.x - 100, seat.y - 100)).toBeCloseTo(40 + seat.row * 20, 1);
    expect(seat.y).toBeLessThanOrEqual(100);
  }
});

test('a row runs from the left end to the right end', () => {
  const [first, ...others] = seatRows({ ...hall, rows: 1 });
  expect(first).toEqual({ x: 60, y: 100, row: 0, place: 0 });
  expect(others.at(-1)).toMatchObject({ x: 140, y: 100 });
});

test('a hall is drawn as one path with a dot per seat', () => {
  const seats = seatRows(hall);
  expect(dotsPath(seats, 2).split('M')).toHaveLength(seats.length + 1);
});
