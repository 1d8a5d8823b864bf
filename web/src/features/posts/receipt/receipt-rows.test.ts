import { expect, test } from 'vitest';
import { receiptNumber } from '#shared/domain/money/receipt-number.ts';
import { orderExample } from '#web/testing/examples.ts';
import {
  countRows,
  durationInWords,
  stateRows,
  timeRows,
  type ReceiptRow,
} from './receipt-rows.ts';

const valuesOf = (rows: ReceiptRow[]) =>
  Object.fromEntries(rows.map(({ label, value }) => [label, value]));

test('a receipt says when the post was found and how long that took', () => {
  const times = valuesOf(timeRows(orderExample(), 'Europe/Berlin'));
  expect(times['Posted']).toBe('Nov 21, 2026, 10:10:00 AM');
  expect(times['Detected']).toBe('Nov 21, 2026, 10:10:12 AM (12 s after posting)');
  expect(times['Started']).toBe('Nov 21, 2026, 10:10:14 AM');
  expect(times['Due to finish by']).toBe('Nov 21, 2026, 10:10:44 AM');
});

test.each([
  ['00.900', '12.100', 'Nov 21, 2026, 9:10:12 AM (12 s after posting)'],
  ['00.100', '11.900', 'Nov 21, 2026, 9:10:11 AM (11 s after posting)'],
])('from second %s to second %s is as long as the two times shown are apart', (from, to, said) => {
  const [postedAt, detectedAt] = [`2026-11-21T09:10:${from}Z`, `2026-11-21T09:10:${to}Z`];
  expect(valuesOf(timeRows(orderExample({ postedAt, detectedAt }), 'UTC'))['Detected']).toBe(said);
});

test('a finished order says when it finished', () => {
  const times = valuesOf(timeRows(orderExample({ finishedAt: '2026-11-21T09:10:40.000Z' }), 'UTC'));
  expect(times['Finished']).toBe('Nov 21, 2026, 9:10:40 AM');
  expect(times).not.toHaveProperty('Due to finish by');
});

test('durations are said in the largest fitting units', () => {
  const from = '2026-11-21T00:00:00.000Z';
  const to = (seconds: number) => new Date(Date.parse(from) + seconds * 1000).toISOString();
  expect([0, 12, 65, 7860].map((seconds) => durationInWords(from, to(seconds)))).toEqual([
    '0 s',
    '12 s',
    '1 min 5 s',
    '2 h 11 min',
  ]);
});

test('counts are listed with the bonus apart, views only for videos', () => {
  const picture = valuesOf(countRows(orderExample({ ordered: 1000, bonus: 70 })));
  expect(picture).toMatchObject({ 'Likes ordered': '1,000', Bonus: '70', 'Start count': '10' });
  expect(picture).not.toHaveProperty('Views');
  const video = valuesOf(countRows(orderExample({ views: 50, viewsDelivered: 20 })));
  expect(video['Views']).toBe('20 of 50');
});

test('a start count is hidden only once delivery has begun', () => {
  const started = orderExample({ startCount: null });
  expect(valuesOf(countRows(started))['Start count']).toBe('Hidden');
  const waiting = orderExample({ startCount: null, startedAt: null, state: 'Pending' });
  expect(valuesOf(countRows(waiting))['Start count']).toBe('Not yet');
});

test('the reason stands beside the state when there is one', () => {
  expect(valuesOf(stateRows(orderExample(), true))).not.toHaveProperty('Reason');
  const ended = orderExample({ state: 'Partial', reason: 'The post was deleted.' });
  expect(valuesOf(stateRows(ended, true))).toMatchObject({
    Status: 'Partial',
    Reason: 'The post was deleted.',
  });
});

test('credits that returned are told to who sees money', () => {
  const reason = 'The post was deleted.';
  const ended = orderExample({ state: 'Partial', reason, creditsReturned: 7 });
  expect(valuesOf(stateRows(ended, true))).toMatchObject({ Returned: '7 credits' });
  expect(valuesOf(stateRows(ended, false))).not.toHaveProperty('Returned');
});

test('likes for credits were ordered by the customer: no detection of an old post is told', () => {
  const rows = timeRows(
    orderExample({ kind: 'credit', postedAt: '2026-11-20T04:13:00.000Z' }),
    'UTC',
  );
  expect(valuesOf(rows)).toMatchObject({ Ordered: 'Nov 21, 2026, 9:10:12 AM' });
  expect(valuesOf(rows)).not.toHaveProperty('Detected');
});

test('a receipt number is short', () => {
  expect(receiptNumber('0192d3c0-0000-7000-8000-0a1b2c3d4e5f')).toBe('1B2C3-D4E5F');
});
