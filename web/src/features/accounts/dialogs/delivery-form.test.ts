import { expect, test } from 'vitest';
import { belowPlanSentence, openingDelivery, readDelivery } from './delivery-form.ts';

const plain = openingDelivery({ automaticLikes: true, speed: 'Instant', range: null });
const ranged = { ...plain, isIrregular: true };

test('irregular amounts are off by default and start at 10 and 1000', () => {
  expect(plain).toMatchObject({ isIrregular: false, min: '10', max: '1000' });
  expect(readDelivery(plain)).toEqual({
    settings: { automaticLikes: true, speed: 'Instant', range: null },
  });
});

// Shows fact 5.28.
test.each([
  ['9', '100', { min: 'Please enter a number from 10 to 1000' }],
  ['10', '1001', { max: 'Please enter a number from 10 to 1000' }],
  ['', '100', { min: 'Please enter a number from 10 to 1000' }],
  ['10.5', '100', { min: 'Please enter a number from 10 to 1000' }],
  ['-50', '100', { min: 'Please enter a number from 10 to 1000' }],
  ['10', '10000', { max: 'Please enter a number from 10 to 1000' }],
  ['200', '100', { min: 'The minimum can’t be higher than the maximum' }],
])('a range of %j to %j is refused beside its field', (min, max, errors) => {
  expect(readDelivery({ ...ranged, min, max })).toEqual({ errors });
});

test('10 to 1000 is taken', () => {
  expect(readDelivery(ranged)).toMatchObject({ settings: { range: { min: 10, max: 1000 } } });
});

test('a range below the plan is warned about', () => {
  expect(belowPlanSentence({ ...ranged, max: '90' }, 100)).toMatch('at most 90 of the 100 likes');
  expect(belowPlanSentence({ ...ranged, max: '100' }, 100)).toBeUndefined();
  expect(belowPlanSentence({ ...plain, max: '90' }, 100)).toBeUndefined();
  expect(belowPlanSentence({ ...ranged, max: '9.5' }, 100)).toBeUndefined();
});
