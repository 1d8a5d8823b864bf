import { expect, test } from 'vitest';
import type { FirstCharge, DeliveryStatus } from './delivery-status.ts';
import { statusFacts } from './status-words.ts';

const STATUS: DeliveryStatus = {
  slots: { left: 2, of: 4 },
  likes: { count: 12_400, sinceMs: undefined },
  promise: { posts: 300, kept: 299, brokenPostIds: new Set(['1']) },
};
const CHARGE: FirstCharge = {
  cents: 2400,
  atMs: Date.parse('2026-12-21T23:30:00.000Z'),
  igUsername: 'ada.paints',
  timeZone: 'UTC',
  plans: 1,
  later: 0,
};
const PLACE = { stateWord: 'Paused', ownZone: 'UTC' };
const said = (changes: Partial<DeliveryStatus> = {}, charge: FirstCharge | undefined = CHARGE) =>
  statusFacts({ ...STATUS, ...changes }, charge, PLACE);
const inShort = (facts: ReturnType<typeof statusFacts>): string[] =>
  Object.values(facts).map(({ label, value, note }) => `${label}: ${value}. ${note}`);

test('how things stand is said with its figures and dates', () => {
  expect(inShort(said())).toEqual([
    'Posts left today: 2 of 4. With automatic likes',
    'Likes this month: 12,400. Delivered by us',
    'Next charge: $24.00. Dec 21',
    'Promise kept: 99%. 299 of 300 posts on time',
  ]);
});

test('before the orders are known no figure is made up', () => {
  const facts = Object.values(statusFacts(undefined, CHARGE, PLACE));
  expect(facts.map(({ value }) => value)).toEqual(['–', '–', '$24.00', '–']);
});

test('what can’t be counted is said as such', () => {
  const nothing = statusFacts(
    {
      slots: undefined,
      likes: { count: 7, sinceMs: Date.parse('2026-11-12T00:00:00.000Z') },
      promise: { posts: 0, kept: 0, brokenPostIds: new Set() },
    },
    undefined,
    PLACE,
  );
  expect(inShort(nothing)).toEqual([
    'Posts left today: Paused. No automatic likes',
    'Likes since Nov 12: 7. Delivered by us',
    'Next charge: None. Nothing will be charged',
    'Promise kept: –. No posts in 30 days',
  ]);
});

test('of several accounts the charges that follow are counted, and a full day points to credits', () => {
  expect(said({}, { ...CHARGE, later: 3 }).charge.note).toBe('Dec 21, then 3 more');
  expect(said({}, { ...CHARGE, plans: 4 }).charge.note).toBe('Dec 21, for 4 plans');
  expect(said({ slots: { left: 0, of: 4 } }).slots.note).toBe('More with credits');
});
