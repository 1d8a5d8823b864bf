import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import { postedWeeks } from './posted-weeks.ts';

test('likes are summed by the week of the post, purchased and organic apart, hidden ones left out', () => {
  const likes = (takenAt: string, organicLikes: number | null, deliveredLikes: number) =>
    postExample({ takenAt, organicLikes, deliveredLikes });
  expect(
    postedWeeks([
      likes('2026-11-22T23:59:59.000Z', 10, 5),
      likes('2026-11-16T00:00:00.000Z', null, 7),
      likes('2026-11-15T23:59:59.000Z', 3, 0),
    ]),
  ).toEqual([
    { startMs: Date.UTC(2026, 10, 9), organic: 3, delivered: 0 },
    { startMs: Date.UTC(2026, 10, 16), organic: 10, delivered: 12 },
  ]);
});

test('a week without a post stands between those with posts, with no likes', () => {
  const posts = ['2026-11-22T10:00:00.000Z', '2026-11-03T10:00:00.000Z'].map((takenAt) =>
    postExample({ takenAt, organicLikes: 1, deliveredLikes: 2 }),
  );
  expect(postedWeeks(posts).map(({ startMs, organic }) => [startMs, organic])).toEqual([
    [Date.UTC(2026, 10, 2), 1],
    [Date.UTC(2026, 10, 9), 0],
    [Date.UTC(2026, 10, 16), 1],
  ]);
});
