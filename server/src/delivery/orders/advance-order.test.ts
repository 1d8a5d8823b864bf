import { expect, test } from 'vitest';
import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import type { LikeOrderRow } from './like-order.repository.ts';
import {
  acceptOrder,
  type Advanced,
  advanceOrder,
  nextPollAt,
  refuseOrder,
} from './advance-order.ts';

const start = new Date('2026-11-20T12:00:00Z');
const later = (ms: number): Date => new Date(start.getTime() + ms);

const pending: LikeOrderRow = {
  workspace_id: '00000000-0000-7000-8000-000000000001',
  id: '00000000-0000-7000-8000-000000000002',
  kind: 'automatic',
  account_id: '00000000-0000-7000-8000-000000000003',
  post_id: '17900000000000001',
  ig_id: '17800000000000001',
  shortcode: 'Cabc',
  subscription_id: '00000000-0000-7000-8000-000000000004',
  local_day: '2026-11-20',
  slot: 1,
  state: 'Pending',
  reason: null,
  speed: 'Instant',
  ordered: 10,
  bonus: 1,
  views: 11,
  start_count: null,
  delivered: 0,
  views_delivered: 0,
  remains: 11,
  known_at: null,
  provider_seq: -1,
  posted_at: start,
  detected_at: start,
  start_at: start,
  finish_by: later(20_000),
  started_at: null,
  finished_at: null,
  cancel_requested: false,
  next_attempt_at: start,
  fence: 1,
  attempts: 1,
  attempted_at: start,
  credits_settled_at: null,
  credits_returned: null,
  settle_after: null,
  plan_price_cents: 999,
  plan_likes: 50,
  period_days: 30,
  in_advance: false,
};

const news = (seq: number, change: Partial<ProviderProgress>): ProviderProgress => ({
  ref: pending.id,
  seq,
  status: 'In progress',
  startCount: 3,
  delivered: 0,
  views: 0,
  remains: 11,
  ...change,
});

/** Applies steps in turn, the placing answer included, as the database would under its lock. */
function live(steps: Array<ProviderProgress | 'accepted'>): Advanced {
  let current: Advanced = { order: pending, events: [] };
  for (const [index, step] of steps.entries()) {
    const { order, events } = current;
    const at = later(index);
    // The worker that placed it claimed fence 1: an order moved since isn't its own any more.
    const isMine = order.fence === 1;
    const next =
      step === 'accepted' ? isMine && acceptOrder(order, at) : advanceOrder(order, step, at);
    if (next) current = { order: next.order, events: [...events, ...next.events] };
  }
  return current;
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

const history: Array<ProviderProgress | 'accepted'> = [
  'accepted',
  news(2, { status: 'Processing' }),
  news(3, { delivered: 4, views: 4 }),
  news(3, { delivered: 4, views: 4 }),
  news(5, { status: 'Completed', delivered: 11, views: 11, remains: 0 }),
];

test('in whatever order the answer and the news arrive, the receipt and its effects are the same', () => {
  const orders = permutations(history);
  expect(orders).toHaveLength(120);
  for (const steps of orders) {
    const { order, events } = live(steps);
    expect(order).toMatchObject({
      state: 'Completed',
      delivered: 11,
      views_delivered: 11,
      remains: 0,
      start_count: 3,
      provider_seq: 5,
      next_attempt_at: null,
      reason: null,
    });
    expect(events).toEqual(['placed', 'started', 'finished']);
    expect(order.started_at).not.toBeNull();
    expect(order.finished_at).not.toBeNull();
  }
});

test('every part of the history, in any order, leaves a state that delivered and remains agree with', () => {
  const parts = permutations(history).flatMap((steps) =>
    steps.map((_, end) => steps.slice(0, end)),
  );
  for (const steps of parts) {
    const { order, events } = live(steps);
    expect(order.delivered + order.remains).toBe(11);
    expect(new Set(events).size).toBe(events.length);
    expect(events.includes('finished')).toBe(order.finished_at !== null);
  }
});

test('news of the same number or an older one changes nothing', () => {
  const { order } = live([news(4, { delivered: 6 })]);
  expect(advanceOrder(order, news(4, { delivered: 9 }), later(9))).toBeUndefined();
  expect(advanceOrder(order, news(3, { delivered: 2 }), later(9))).toBeUndefined();
});

test('a state never goes back, though newer news says so', () => {
  const { order } = live([news(2, { delivered: 5 }), news(3, { status: 'Pending', delivered: 5 })]);
  expect(order).toMatchObject({ state: 'In progress', provider_seq: 3 });
});

test('a final order stays as it is', () => {
  const { order } = live([news(2, { status: 'Partial', delivered: 5 })]);
  expect(
    advanceOrder(order, news(9, { status: 'Completed', delivered: 11 }), start),
  ).toBeUndefined();
});

test.each([
  ['Completed', 11, 'Completed', null],
  ['Completed', 7, 'Partial', 'ended_early'],
  ['Completed', 0, 'Canceled', 'ended_early'],
  ['Partial', 11, 'Completed', null],
  ['Partial', 7, 'Partial', 'ended_early'],
  ['Partial', 0, 'Canceled', 'ended_early'],
  ['Canceled', 7, 'Partial', 'ended_early'],
  ['Canceled', 0, 'Canceled', 'ended_early'],
] as const)(
  'a provider that says %s at %i of 11 leaves it %s',
  (status, delivered, state, reason) => {
    const { order } = live(['accepted', news(2, { status, delivered })]);
    expect(order).toMatchObject({ state, reason, delivered, remains: 11 - delivered });
  },
);

test('more than was ordered is never counted', () => {
  const { order } = live([news(2, { status: 'Completed', delivered: 14, views: 20 })]);
  expect(order).toMatchObject({ state: 'Completed', delivered: 11, views_delivered: 11 });
});

test('the reason it was stopped for is kept when it ends short, and dropped when it completed first', () => {
  const stopping: LikeOrderRow = { ...pending, cancel_requested: true, reason: 'post_deleted' };
  const short = advanceOrder(stopping, news(2, { status: 'Partial', delivered: 5 }), start);
  expect(short?.order).toMatchObject({ state: 'Partial', reason: 'post_deleted', remains: 6 });
  const whole = advanceOrder(stopping, news(2, { status: 'Completed', delivered: 11 }), start);
  expect(whole?.order).toMatchObject({ state: 'Completed', reason: null });
});

test('a refusal ends the order with everything left', () => {
  const { order, events } = refuseOrder(pending, 'no_members', later(5));
  expect(order).toMatchObject({
    state: 'Canceled',
    reason: 'no_members',
    delivered: 0,
    remains: 11,
    finished_at: later(5),
    next_attempt_at: null,
  });
  expect(events).toEqual(['refused', 'finished']);
});

const spread = (minutes: number) => ({
  start_at: start,
  finish_by: new Date(start.getTime() + minutes * 60_000),
});
const pauseMs = (minutes: number): number =>
  nextPollAt(spread(minutes), start).getTime() - start.getTime();

test('a short order is asked for every 2 s, a long one less often, none less than every 30 s', () => {
  expect([1, 10, 30, 60, 150, 240].map(pauseMs)).toEqual([
    2000, 2000, 6000, 12_000, 30_000, 30_000,
  ]);
});

test('an order that begins later is asked for when it begins', () => {
  const before = new Date(start.getTime() - 60_000);
  expect(nextPollAt(spread(10), before)).toEqual(start);
});

test('an order long past its end is still asked for, once a minute', () => {
  const at = new Date(start.getTime() + 50 * 60_000);
  expect(nextPollAt(spread(10), at).getTime() - at.getTime()).toBe(60_000);
});
