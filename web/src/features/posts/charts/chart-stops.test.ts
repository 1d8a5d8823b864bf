import { expect, test } from 'vitest';
import { gutterPx, labelsThatFit, nearest } from './chart-stops.ts';

const stops = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    at: (nth + 0.5) / count,
    label: `week ${nth}`,
    text: '',
    heights: [],
  }));

test('the longest figure of the axis has room at the left', () => {
  expect(gutterPx(['0', '10,000'])).toBeGreaterThan(48);
  expect(gutterPx(['0', '20'])).toBeLessThan(gutterPx(['0', '10,000']));
});

test('a label stands under its own bar, and none over another', () => {
  expect(labelsThatFit(stops(3), 600).map(({ at }) => at)).toEqual([5 / 6, 0.5, 1 / 6]);
  const places = labelsThatFit(stops(52), 600).map(({ at }) => at * 600);
  expect(places.length).toBeGreaterThan(4);
  for (const [nth, px] of places.slice(1).entries()) {
    expect((places[nth] ?? 0) - px).toBeGreaterThanOrEqual(70);
  }
});

test('in the first minutes a time that has no room beside the last one is left out', () => {
  const minutes = (...places: number[]) =>
    places.map((at, nth) => ({ at, label: `11:2${nth} PM`, text: '', heights: [] }));
  // Of 56 px each: the last one ends at 600 and begins at 544, one at 510 would reach to 538.
  const labels = (...places: number[]) =>
    labelsThatFit(minutes(...places), 600).map(({ label }) => label);
  expect(labels(0, 510 / 600, 1)).toEqual(['11:22 PM', '11:20 PM']);
  expect(labels(0, 490 / 600, 1)).toEqual(['11:22 PM', '11:21 PM', '11:20 PM']);
  expect(labels(0, 70 / 600, 1)).toEqual(['11:22 PM', '11:21 PM']);
});

test('a single label stands under the single bar, and one at an end stays inside', () => {
  expect(labelsThatFit(stops(1), 600)).toMatchObject([{ at: 0.5, anchor: 'middle' }]);
  const ends = labelsThatFit(
    [
      { at: 0, label: 'a', text: '', heights: [] },
      { at: 1, label: 'b', text: '', heights: [] },
    ],
    600,
  );
  expect(ends.map(({ anchor }) => anchor)).toEqual(['end', 'start']);
});

test('what is nearest to the pointer is read out', () => {
  expect([-1, 0.2, 0.45, 2].map((at) => nearest(stops(3), at))).toEqual([0, 0, 1, 2]);
});
