import { expect, test } from 'vitest';
import { orderExample, postExample } from '#web/testing/examples.ts';
import { likeRuns, likeSeries } from './like-series.ts';

const at = (time: string): string => `2026-11-20T${time}.000Z`;
const post = postExample({ takenAt: at('10:00:00') });

test('likes over time begin with none, go on with the receipt, then with what this device saw', () => {
  const order = orderExample({ startedAt: at('10:00:20'), startCount: 3 });
  const samples = [{ atMs: Date.parse(at('10:01:00')), organic: 4, delivered: 60 }];
  expect(likeSeries(post, [order], samples)).toEqual([
    { atMs: Date.parse(at('10:00:00')), organic: 0, delivered: 0, source: 'posted' },
    { atMs: Date.parse(at('10:00:20')), organic: 3, delivered: 0, source: 'delivery_started' },
    { atMs: Date.parse(at('10:01:00')), organic: 4, delivered: 60, source: 'seen' },
  ]);
});

test('a later order says nothing of organic likes: its start count has delivered ones among it', () => {
  const orders = [
    orderExample({ id: 'b', startedAt: at('12:00:00'), startCount: 90 }),
    orderExample({ id: 'a', startedAt: at('10:00:20'), startCount: 3 }),
  ];
  const known = likeSeries(post, orders, []).map(({ organic }) => organic);
  expect(known).toEqual([0, 3]);
});

test.each([
  ['organic likes', { organic: 5, delivered: 0 }],
  ['delivered ones, by another clock', { organic: 3, delivered: 2 }],
])('a start count below what this device had seen before adds no dent: %s', (_what, seen) => {
  const order = orderExample({ startedAt: at('10:00:20'), startCount: 3 });
  const samples = [
    { atMs: Date.parse(at('10:00:15')), ...seen },
    { atMs: Date.parse(at('10:01:00')), organic: 5, delivered: 60 },
  ];
  const points = likeSeries(post, [order], samples);
  expect(points.map(({ source }) => source)).toEqual(['posted', 'seen', 'seen']);
});

test('hidden likes stay hidden, and an order that waits adds no point', () => {
  const waiting = orderExample({ startedAt: null, startCount: null });
  const samples = [{ atMs: Date.parse(at('11:00:00')), organic: null, delivered: 5 }];
  const points = likeSeries(post, [waiting], samples);
  expect(points.map(({ organic }) => organic)).toEqual([0, null]);
});

test('a stretch that was watched is one shape, however many points it has', () => {
  const point = (atMs: number) => ({ atMs, organic: 0, delivered: atMs, source: 'seen' as const });
  const runs = likeRuns([0, 1, 2, 90, 91].map(point), (from, to) => to.atMs - from.atMs > 10);
  expect(runs.map(({ run, isGuessed }) => [run.map(({ atMs }) => atMs), isGuessed])).toEqual([
    [[0, 1, 2], false],
    [[2, 90], true],
    [[90, 91], false],
  ]);
});
