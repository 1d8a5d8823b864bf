import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFakeSocialNetwork } from '#server/adapters/graph/social-network.fake.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { Detector } from '../detection/detector.ts';
import { createDetectionJob } from '../detection/detection.job.ts';
import { stretch } from '../detection/poll-pace.ts';
import { readNetworkAccount } from './network-reader.ts';

const FIRST = '17841400000000001';
const SECOND = '17841400000000002';
const minute = 60_000;

let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  deps.clock.set('2026-11-20T12:00:00Z');
  useTokens(FIRST);
  await bench.clear();
});

function useTokens(...bucketIds: string[]): void {
  deps.network = createFakeSocialNetwork({ now: () => deps.clock.now(), bucketIds });
  deps.logged.length = 0;
  bench = new DetectionBench(deps);
}

async function scheduleMany(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await bench.schedule(deps.network.addAccount(`many${index}`));
  }
}

const throttled = (retryAfterMs?: number) =>
  ({ kind: 'throttled', retryAfterMs, usage: undefined }) as const;

/** How often each account was asked for since a call. */
function counts(from: number): number[] {
  const names = deps.network.calls.slice(from).map(({ username }) => username);
  return [...Map.groupBy(names, (name) => name).values()].map((calls) => calls.length);
}

test('from 75 % of the allowance on every account waits alike, those waiting longest first', async () => {
  await scheduleMany(10);
  deps.network.setUsage(FIRST, { percent: 90, regainAfterMs: undefined });
  await bench.poll();
  const from = deps.network.calls.length;
  // 90 % stretches 20 s to 125 s: in 10 minutes each account has its turn 4 or 5 times.
  expect(20 * stretch(90)).toBeCloseTo(125);
  for (let second = 0; second < 600; second += 1) await bench.pollLater(1000);
  const perAccount = counts(from);
  expect(perAccount).toHaveLength(10);
  expect(Math.min(...perAccount)).toBeGreaterThanOrEqual(4);
  expect(Math.max(...perAccount)).toBeLessThanOrEqual(5);
});

test('two workers together take no more polls than the stretched interval allows', async () => {
  await scheduleMany(10);
  deps.network.setUsage(FIRST, { percent: 90, regainAfterMs: undefined });
  await bench.poll();
  const from = deps.network.calls.length;
  const others = [new Detector(deps, servePosts(deps)), new Detector(deps, servePosts(deps))];
  for (let second = 0; second < 250; second += 2) {
    deps.clock.advance(2000);
    for (const other of others) await bench.poll(other);
  }
  expect(deps.network.calls.length - from).toBeLessThanOrEqual(21);
  expect(deps.network.calls.length - from).toBeGreaterThanOrEqual(16);
});

test.each([100, 40])(
  'at %i % nothing is asked until the time the network named, then one call tells',
  async (percent) => {
    await scheduleMany(3);
    deps.network.setUsage(FIRST, { percent, regainAfterMs: 5 * minute });
    await bench.poll();
    const from = deps.network.calls.length;
    deps.network.setUsage(FIRST, { percent: 10, regainAfterMs: undefined });
    for (let second = 0; second < 299; second += 13) await bench.pollLater(13_000);
    expect(deps.network.calls).toHaveLength(from);
    deps.clock.advance(32_000);
    await bench.poll();
    expect(deps.network.calls).toHaveLength(from + 1);
    await bench.pollLater(1000);
    expect(counts(from).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(3);
    expect((await bench.bucket(FIRST)).blocked_until).toBeNull();
  },
);

test('throttled answers without a time wait 1, 2, 4 ... 30 minutes; a good one starts anew', async () => {
  await scheduleMany(1);
  const waits: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    deps.network.queueRead(throttled());
    await bench.pollLater(2000);
    const until = (await bench.bucket(FIRST)).blocked_until?.getTime() ?? 0;
    const waitMs = until - deps.clock.now();
    waits.push(waitMs / minute);
    deps.clock.advance(waitMs);
  }
  for (const [index, wanted] of [1, 2, 4, 8, 16, 30, 30].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(wanted);
    expect(waits[index]).toBeLessThanOrEqual(wanted * 1.1 + 0.001);
  }
  await bench.pollLater(2000);
  await bench.pollLater(2000);
  expect(await bench.bucket(FIRST)).toMatchObject({ throttles: 0, blocked_until: null });
});

test('many calls that were under way when the throttling began count as one', async () => {
  await scheduleMany(50);
  deps.network.queueRead(...Array.from({ length: 50 }, () => throttled()));
  await bench.poll();
  const { throttles, blocked_until: until } = await bench.bucket(FIRST);
  expect(throttles).toBe(1);
  expect((until?.getTime() ?? 0) - deps.clock.now()).toBeLessThanOrEqual(1.1 * minute + 1);
  expect(deps.logged.filter(({ severity }) => severity === 'warn')).toHaveLength(1);
});

test('throttled is never unreadable: polls keep their place, and the customer sees why it is late', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  await bench.poll();
  deps.network.queueRead(throttled(10 * minute));
  await bench.pollLater();
  expect((await bench.account(customer)).problem).toBeNull();
  const due = (await bench.scheduleRow(customer)).next_poll_at;
  expect(due.getTime()).toBeLessThanOrEqual(deps.clock.now());
  await bench.pollLater(5 * minute);
  expect((await bench.account(customer)).problem).toBe('throttled');
  await bench.pollLater(7 * minute);
  expect((await bench.account(customer)).problem).toBeNull();
});

test('several tokens share the work, and a throttled one leaves it to the other', async () => {
  useTokens(FIRST, SECOND);
  await scheduleMany(40);
  await bench.poll();
  const perToken = (from: number) =>
    [FIRST, SECOND].map(
      (id) => deps.network.calls.slice(from).filter(({ bucketId }) => bucketId === id).length,
    );
  expect(perToken(0)).toEqual([20, 20]);
  deps.network.queueRead(throttled(minute));
  const from = deps.network.calls.length;
  await bench.pollLater();
  await bench.pollLater();
  const [first = 0, second = 0] = perToken(from);
  expect(Math.max(first, second)).toBeGreaterThanOrEqual(60);
  expect(Math.min(first, second)).toBeLessThanOrEqual(21);
});

test('the freest token is taken, and another node learns of it from the database', async () => {
  useTokens(FIRST, SECOND);
  await scheduleMany(4);
  deps.network.setUsage(FIRST, { percent: 60, regainAfterMs: undefined });
  deps.network.setUsage(SECOND, { percent: 20, regainAfterMs: undefined });
  await bench.poll();
  await bench.pollLater();
  expect((await bench.bucket(FIRST)).usage_percent).toBe(60);
  const from = deps.network.calls.length;
  await readNetworkAccount(deps, { username: 'many1', limit: 1 });
  expect(deps.network.calls.slice(from).map(({ bucketId }) => bucketId)).toEqual([SECOND]);
});

test.each([
  ['token', 190],
  ['permission', 10],
  ['blocked', 368],
] as const)(
  'a refused %s takes its token out of service: one alert, no further call, back with a new worker',
  async (cause, code) => {
    await scheduleMany(5);
    const refused = { kind: 'refused', cause, code, usage: undefined } as const;
    deps.network.queueRead(...Array.from({ length: 5 }, () => refused));
    await bench.poll();
    const from = deps.network.calls.length;
    for (let count = 0; count < 20; count += 1) await bench.pollLater();
    expect(deps.network.calls).toHaveLength(from);
    expect(await readNetworkAccount(deps, { username: 'many1', limit: 1 })).toEqual({
      kind: 'unreachable',
    });
    const alerts = deps.logged.filter(({ severity }) => severity === 'error');
    expect(alerts).toMatchObject([{ fields: { bucketId: FIRST, code, reason: cause } }]);

    const stop = new AbortController();
    const answered = Promise.withResolvers<void>();
    const job = createDetectionJob(
      {
        ...deps,
        network: {
          ...deps.network,
          readAccount: () => {
            answered.resolve();
            return Promise.resolve({ kind: 'unreadable', usage: undefined });
          },
        },
      },
      servePosts(deps),
    );
    const running = job.run(stop.signal);
    await answered.promise;
    stop.abort();
    await running;
    expect((await bench.bucket(FIRST)).refused_code).toBeNull();
  },
);

test('a refused token is tried again with one call: after 15 minutes, 30, 60, and every 4 hours', async () => {
  await scheduleMany(5);
  const refused = { kind: 'refused', cause: 'token', code: 190, usage: undefined } as const;
  deps.network.queueRead(...Array.from({ length: 12 }, () => refused));
  await bench.poll();
  const other = new DetectionBench(deps);
  let asked = deps.network.calls.length;
  const asksAfter: number[] = [];
  let passed = 0;
  while (passed < 900 && asksAfter.length < 6) {
    // A minute before each quarter of an hour, and at it.
    const minutes = passed % 15 === 0 ? 14 : 1;
    passed += minutes;
    await Promise.all([bench.pollLater(minutes * minute), other.poll()]);
    const now = deps.network.calls.length;
    if (now > asked) asksAfter.push(passed);
    expect(now - asked).toBeLessThanOrEqual(1);
    asked = now;
  }
  expect(asksAfter).toEqual([15, 45, 105, 225, 465, 705]);
  expect(deps.logged.filter(({ severity }) => severity === 'error')).toHaveLength(1);
});

test('a token that is accepted again serves again, and says so; another one served meanwhile', async () => {
  useTokens(FIRST, SECOND);
  await scheduleMany(4);
  deps.network.setUsage(SECOND, { percent: 20, regainAfterMs: undefined });
  deps.network.queueRead({ kind: 'refused', cause: 'blocked', code: 368, usage: undefined });
  await bench.poll();
  const from = deps.network.calls.length;
  await bench.pollLater();
  expect(new Set(deps.network.calls.slice(from).map(({ bucketId }) => bucketId))).toEqual(
    new Set([SECOND]),
  );
  await bench.pollLater(15 * minute);
  expect(await bench.bucket(FIRST)).toMatchObject({ refused_code: null, retry_at: null });
  expect(deps.logged.at(-1)).toMatchObject({
    event: 'the network accepts a token again',
    fields: { bucketId: FIRST },
  });
  await bench.pollLater();
  expect(deps.logged.filter(({ event }) => event.includes('again'))).toHaveLength(1);
});

test.each([
  ['unpaid', 50],
  ['history', 60],
  ['paying', 75],
] as const)('the share of %s ends at %i percent of a token', async (share, endsAt) => {
  deps.network.addAccount('ada');
  const readAt = async (percent: number) => {
    deps.network.setUsage(FIRST, { percent, regainAfterMs: undefined });
    await readNetworkAccount(deps, { username: 'ada', limit: 1 });
    return (await readNetworkAccount(deps, { username: 'ada', limit: 1, share })).kind;
  };
  expect(await readAt(endsAt - 1)).toBe('read');
  expect(await readAt(endsAt)).toBe('throttled');
});

test('an answer without usage headers leaves the pace as it is', async () => {
  await scheduleMany(2);
  deps.network.setUsage(FIRST, { percent: 30, regainAfterMs: undefined });
  await bench.poll();
  deps.network.setUsage(FIRST, undefined);
  await bench.pollLater();
  await bench.pollLater();
  expect((await bench.bucket(FIRST)).usage_percent).toBe(30);
});
