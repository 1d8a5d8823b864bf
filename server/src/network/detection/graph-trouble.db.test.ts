import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SANDBOX_BUCKET, SandboxDetectionBench } from '#test/delivery/sandbox-detection-bench.ts';

/** Every scenario of limits, errors and broken answers that the sandbox's network plays. */
let bench: SandboxDetectionBench;
beforeAll(async () => {
  bench = await SandboxDetectionBench.open();
});
afterAll(() => bench.close());
beforeEach(async () => {
  await bench.clear();
  bench.deps.logged.length = 0;
});
afterEach(() => bench.control('DELETE', 'faults'));

const errors = () => bench.deps.logged.filter(({ severity }) => severity === 'error');
const minute = 60_000;

test('usage rising from 70 to 100, then code 4: slower, then stopped until access returns', async () => {
  const customer = await bench.connect();
  await bench.play('usage_rising', { from: 70, step: 5, regainMinutes: 5 });
  const usages: number[] = [];
  for (let second = 0; second < 3600; second += 5) {
    await bench.pollLater(5000);
    const { usage_percent: percent } = await bench.bucket(SANDBOX_BUCKET);
    if (usages.at(-1) !== percent) usages.push(percent);
    if (percent >= 100) break;
  }
  expect(usages).toEqual([3, 70, 75, 80, 85, 90, 95, 100]);
  const { blocked_until: until } = await bench.bucket(SANDBOX_BUCKET);
  expect((until?.getTime() ?? 0) - bench.deps.clock.now()).toBeGreaterThanOrEqual(5 * minute);
  const before = await bench.calls();
  await bench.pollLater(4 * minute);
  expect(await bench.calls()).toBe(before);
  expect((await bench.account(customer)).problem).toBe('throttled');
  await bench.control('DELETE', 'faults');
  await bench.pollLater(2 * minute);
  expect((await bench.account(customer)).problem).toBeNull();
});

test('80002 with 19 minutes: nothing is asked for 19 minutes, and nobody is unreadable', async () => {
  const customer = await bench.connect();
  await bench.play('throttled', { code: 80_002, minutes: 19, times: 1 });
  await bench.pollLater();
  const before = await bench.calls();
  for (let passed = 1; passed < 19; passed += 1) {
    await bench.pollLater(minute);
    expect((await bench.account(customer)).problem).not.toBe('unreadable');
  }
  expect(await bench.calls()).toBe(before);
  await bench.pollLater(3 * minute);
  expect(await bench.calls()).toBe(before + 1);
  expect((await bench.account(customer)).problem).toBeNull();
});

test.for([4, 17, 32, 613, 80_001, 429])('throttled by %i: the token stops', async (code) => {
  const customer = await bench.connect();
  await bench.play('throttled', { code, minutes: 1, times: 1 });
  await bench.pollLater();
  expect((await bench.bucket(SANDBOX_BUCKET)).blocked_until).not.toBeNull();
  expect((await bench.account(customer)).problem).toBeNull();
  expect(errors()).toEqual([]);
});

test.for<[string, object, number]>([
  ['token_expired', { subcode: 463 }, 190],
  ['token_expired', { subcode: 460 }, 190],
  ['permission', { code: 10 }, 10],
  ['permission', { code: 200 }, 200],
  ['blocked', {}, 368],
])('%s %j: one alert, the token out of service, no further call', async ([name, options, code]) => {
  const customer = await bench.connect();
  await bench.play(name, { ...options });
  await bench.pollLater();
  const before = await bench.calls();
  for (let count = 0; count < 5; count += 1) await bench.pollLater(minute);
  expect(await bench.calls()).toBe(before);
  expect((await bench.bucket(SANDBOX_BUCKET)).refused_code).toBe(code);
  expect(errors()).toMatchObject([{ fields: { bucketId: SANDBOX_BUCKET, code } }]);
  expect((await bench.account(customer)).problem).not.toBe('unreadable');
});

test('100/33 for a request of ours: said once, polls go on, no account is unreadable', async () => {
  const customer = await bench.connect();
  await bench.play('object_gone', { times: 2 });
  await bench.pollLater();
  await bench.pollLater(2000);
  expect(errors()).toMatchObject([{ fields: { code: 100 } }]);
  expect((await bench.account(customer)).problem).toBeNull();
  await bench.pollLater(4000);
  expect((await bench.scheduleRow(customer)).failures).toBe(0);
});

test.for<[string, object]>([
  ['server_error', { status: 500 }],
  ['server_error', { status: 503 }],
  ['transient', {}],
  ['unknown_error', {}],
  ['cut_short', {}],
  ['html', {}],
  ['hang_up', {}],
])(
  '%s %j, then fine: taken again soon, and the new post gets its likes',
  async ([name, options]) => {
    const customer = await bench.connect();
    const id = await bench.upload(customer);
    await bench.play(name, { ...options, times: 1 });
    await bench.pollLater();
    expect(await bench.posts(customer)).toEqual([]);
    expect((await bench.account(customer)).problem).toBeNull();
    await bench.pollLater(2000);
    expect((await bench.post(customer, id)).automatic_outcome).toBe('ordered');
    expect(errors()).toEqual([]);
  },
);

test('malformed usage headers count as none', async () => {
  const customer = await bench.connect();
  const usage = (await bench.bucket(SANDBOX_BUCKET)).usage_percent;
  await bench.play('malformed_usage');
  expect((await bench.detect(customer)).automatic_outcome).toBe('ordered');
  expect((await bench.bucket(SANDBOX_BUCKET)).usage_percent).toBe(usage);
});

test('slow answers: one that takes too long is given up and tried again, the others are not held up', async () => {
  const slow = await bench.connect();
  const quick = await bench.connect();
  const { bench: hurried, close } = bench.impatient(3000);
  await bench.play('slow', { delayMs: 20_000, username: slow.igUsername });
  await bench.upload(slow);
  const id = await bench.upload(quick);
  await hurried.pollLater();
  expect((await bench.post(quick, id)).automatic_outcome).toBe('ordered');
  expect((await bench.scheduleRow(slow)).failures).toBe(1);
  await bench.control('DELETE', 'faults');
  await hurried.pollLater(2000);
  expect(await bench.outcomes(slow)).toEqual(['ordered']);
  await close();
});
