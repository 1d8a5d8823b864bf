import { expect, test } from 'vitest';
import {
  DELIVERY_TARGET,
  type DeliveryTimes,
  deliverySentence,
  inWords,
} from './delivery-promise.ts';

const times: DeliveryTimes = {
  orders: 1240,
  detectedP50Ms: 8200,
  detectedP95Ms: 21_000,
  finishedP50Ms: 118_000,
  finishedP95Ms: 540_000,
  isDemoData: false,
};

// Shows facts 1.04, 1.21.
test('measured times stand with the 30-second target beside them', () => {
  expect(deliverySentence(times)).toBe(
    'Measured on our last 1,240 completed orders: half of the posts were detected within 9 seconds, 95% within 21 seconds. Half had all their likes within 2 minutes of detection, 95% within 9 minutes. Our target for detection is 30 seconds.',
  );
});

test('figures that stem from the sandbox are labelled demo data', () => {
  expect(deliverySentence({ ...times, isDemoData: true })).toMatch(/^Demo data, measured on/);
});

test('under 100 orders no figure is shown, only the 30-second target', () => {
  expect(deliverySentence({ ...times, orders: 99 })).toBe(DELIVERY_TARGET);
  expect(deliverySentence(undefined)).toBe(DELIVERY_TARGET);
  expect(DELIVERY_TARGET).toContain('within 30 seconds');
});

test('a duration is never said to be shorter than it was', () => {
  expect(inWords(20)).toBe('1 second');
  expect(inWords(89_001)).toBe('2 minutes');
  expect(inWords(3_600_000)).toBe('60 minutes');
  expect(inWords(5_400_001)).toBe('2 hours');
});
