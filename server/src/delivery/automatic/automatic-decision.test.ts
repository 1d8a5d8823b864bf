import { expect, test } from 'vitest';
import { decideAutomatic, type LikesTerms } from './automatic-decision.ts';

/** Of a month with 31 days; the coming one, from 15 February on, has 28. */
const TERMS: LikesTerms = {
  subscriptionId: 's',
  automaticLikes: true,
  range: undefined,
  pastPlans: [],
  package: 2,
  nextPackage: 1,
  unpaidFrom: new Date('2027-02-15T00:00:00Z'),
  anchorAt: new Date('2026-11-15T12:00:00Z'),
  period: 2,
  timeZone: 'UTC',
};

const decide = (takenAt: string, isInAdvance: boolean) =>
  decideAutomatic(
    'secret',
    TERMS,
    { id: '1', mediaType: 'IMAGE', takenAt: new Date(takenAt), isInAdvance },
    [],
  );

test('a post costs its share of the month it is paid for: of the coming one where it is served in advance', () => {
  expect(decide('2027-02-14T23:59:00Z', false)).toMatchObject({ periodDays: 31 });
  expect(decide('2027-02-15T00:01:00Z', false)).toMatchObject({ periodDays: 28 });
  expect(decide('2027-02-15T00:01:00Z', true)).toMatchObject({ periodDays: 28 });
});
