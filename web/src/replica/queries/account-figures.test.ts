import { expect, test } from 'vitest';
import { orderExample, postExample } from '#web/testing/examples.ts';
import { areSameFigures, figuresOf, partsOf } from './account-figures.ts';

const MONTH = Date.parse('2026-11-01T00:00:00.000Z');
const ADA = '17841400000000001';

const figures = (
  posts: ReadonlyArray<Parameters<typeof postExample>[0]>,
  orders: ReadonlyArray<Parameters<typeof orderExample>[0]>,
) => figuresOf([partsOf(posts.map(postExample), orders.map(orderExample), MONTH)]);

test('posts and delivered likes are those of the month, deleted posts left out', () => {
  const old = '2026-10-31T23:59:59.000Z';
  const known = figures(
    [{}, { deletedAt: '2026-11-22T00:00:00.000Z' }, { takenAt: old }, { igId: '7' }],
    [{ delivered: 20 }, { delivered: 30, kind: 'credit' }, { delivered: 500, detectedAt: old }],
  );
  expect(known.get(ADA)).toMatchObject({ posts: 1, likes: 50 });
  expect(known.get('7')).toMatchObject({
    posts: 1,
    likes: 0,
    detectionMs: null,
    problem: undefined,
  });
});

test('likes kept are known where the network tells its count and we know the organic ones', () => {
  const post = (count: number | null, organicLikes: number | null) => ({
    edge_media_preview_like: { count },
    organicLikes,
    deliveredLikes: 20,
  });
  const retention = (...posts: Array<ReturnType<typeof post>>) =>
    figures(posts, []).get(ADA)?.retention;
  expect(retention(post(30, 10))).toBe(1);
  expect(retention(post(25, 10), post(30, 10))).toBe(35 / 40);
  expect(retention(post(null, 10), post(30, null))).toBeNull();
  // Others delivered more than the network took.
  expect(retention(post(45, 10))).toBe(1);
  expect(retention(post(0, 100))).toBe(0);
});

test('detection is what 95 of 100 automatic orders don’t exceed, over all days', () => {
  const order = (seconds: number) => ({
    postedAt: '2026-11-21T09:00:00.000Z',
    detectedAt: new Date(Date.parse('2026-11-21T09:00:00.000Z') + seconds * 1000).toISOString(),
  });
  const seconds = Array.from({ length: 100 }, (_, nth) => nth + 1);
  const parts = [seconds.slice(0, 40), seconds.slice(40)].map((some) =>
    partsOf(
      [],
      [
        ...some.map((each) => orderExample(order(each))),
        orderExample({ ...order(9999), kind: 'credit' }),
      ],
      MONTH,
    ),
  );
  expect(figuresOf(parts).get(ADA)?.detectionMs).toBe(95_000);
  expect(figuresOf([partsOf([], [orderExample(order(-3))], MONTH)]).get(ADA)?.detectionMs).toBe(0);
});

test('the last problem is the newest order that fell short, whichever day is read first', () => {
  const fell = (finishedAt: string, reason: string | null) =>
    partsOf([], [orderExample({ finishedAt, reason })], MONTH);
  const [early, late, none] = [
    fell('2026-11-20T09:00:00.000Z', 'early'),
    fell('2026-11-22T09:00:00.000Z', 'late'),
    fell('2026-11-23T09:00:00.000Z', null),
  ];
  for (const parts of [
    [early, late, none],
    [none, late, early],
  ]) {
    expect(figuresOf(parts).get(ADA)?.problem?.sentence).toBe('late');
  }
});

test('figures are the same while each account’s say the same', () => {
  const figures = { posts: 1, likes: 2, problem: undefined, retention: null, detectionMs: 3 };
  const of = (likes: number) => new Map([['one', { ...figures, likes }]]);
  expect(areSameFigures(of(2), of(2))).toBe(true);
  expect(areSameFigures(of(2), of(4))).toBe(false);
  expect(areSameFigures(of(2), new Map())).toBe(false);
  expect(areSameFigures(of(2), new Map([['two', figures]]))).toBe(false);
});
