import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OWN_ID, startTestSandbox, type TestSandbox } from '../sandbox.fake.ts';

let world: TestSandbox;

beforeAll(async () => {
  world = await startTestSandbox();
  await world.control('POST', '/accounts', { username: 'bluebottle', kind: 'creator', posts: 2 });
  await world.control('POST', '/accounts', { username: 'other', kind: 'creator' });
});
afterAll(() => world.sandbox.close());
beforeEach(() => world.control('DELETE', '/faults'));

const play = (scenario: string, options: Record<string, unknown> = {}): Promise<unknown> =>
  world.control('POST', '/faults', { system: 'graph', scenario, ...options });
const call = (): ReturnType<TestSandbox['discover']> => world.discover('bluebottle', 'id');
const raw = (): Promise<Response> =>
  world.graph(`${OWN_ID}?fields=business_discovery.username(bluebottle){id,media{media_url}}`);

test('usage rises 70 to 100, then code 4', async () => {
  await play('usage_rising', { step: 10 });
  const seen: unknown[] = [];
  for (let calls = 0; calls < 5; calls += 1) {
    const { headers, body } = await call();
    const usage = JSON.parse(headers.get('x-app-usage') ?? '') as { call_count: number };
    seen.push([usage.call_count, body.error?.code]);
  }
  expect(seen).toEqual([
    [70, undefined],
    [80, undefined],
    [90, undefined],
    [100, 4],
    [100, 4],
  ]);
});

test('an allowance counts honestly per token and opens again when the window has passed', async () => {
  await play('allowance', { calls: 3, windowSeconds: 60 });
  expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
  const third = await call();
  expect(third.body.error?.code).toBe(4);
  const business = JSON.parse(third.headers.get('x-business-use-case-usage') ?? '') as object;
  expect(business).toMatchObject({
    [OWN_ID]: [{ call_count: 100, estimated_time_to_regain_access: 1 }],
  });
  expect((await world.graph('17841400000000002?fields=id', 'sandbox-token-2')).status).toBe(200);
  world.clock.nowMs += 60_001;
  expect((await call()).status).toBe(200);
});

test('80002 with 19 minutes, and each other throttle', async () => {
  await play('throttled');
  const { body, headers } = await call();
  expect(body.error?.code).toBe(80_002);
  const business = JSON.parse(headers.get('x-business-use-case-usage') ?? '') as object;
  expect(business).toMatchObject({ [OWN_ID]: [{ estimated_time_to_regain_access: 19 }] });
  const codes = [];
  for (const code of [4, 17, 32, 613, 80_001]) {
    await play('throttled', { code });
    codes.push((await call()).body.error?.code);
  }
  expect(codes).toEqual([4, 17, 32, 613, 80_001]);
  await play('throttled', { code: 429, minutes: 2 });
  const limited = await call();
  expect(limited.status).toBe(429);
  expect(limited.headers.get('retry-after')).toBe('120');
});

test.each([
  ['token_expired', 190, 463],
  ['object_gone', 100, 33],
  ['permission', 10, undefined],
  ['blocked', 368, undefined],
  ['unknown_error', 1, undefined],
])('%s answers %i/%s', async (scenario, code, subcode) => {
  await play(scenario);
  const { error } = (await call()).body;
  expect([error?.code, error?.error_subcode, error?.is_transient]).toEqual([code, subcode, false]);
});

test('500, then fine; code 2 says that it passes', async () => {
  await play('server_error', { times: 1 });
  expect((await raw()).status).toBe(500);
  expect((await raw()).status).toBe(200);
  await play('transient', { times: 1 });
  const { error } = (await call()).body;
  expect([error?.code, error?.is_transient]).toEqual([2, true]);
  expect((await call()).status).toBe(200);
});

test('the body cut short, a web page instead of JSON, and no answer at all', async () => {
  await play('cut_short');
  const cut = await raw();
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow('terminated');
  await world.control('DELETE', '/faults');
  await play('html');
  const page = await raw();
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/^<!doctype html>/);
  await world.control('DELETE', '/faults');
  await play('hang_up');
  await expect(raw()).rejects.toThrow('fetch failed');
});

test('malformed usage headers, and slow answers', async () => {
  await play('malformed_usage');
  await play('slow', { delayMs: 30, times: 1 });
  const { headers, status } = await call();
  expect(status).toBe(200);
  expect(() => JSON.parse(headers.get('x-app-usage') ?? '') as unknown).toThrow(SyntaxError);
});

test('images that expire soon, and an image host that answers 403', async () => {
  await play('short_image_urls', { seconds: 5 });
  const { body } = await world.discover('bluebottle', 'media.limit(1){media_url}');
  const url = String(body.business_discovery?.media?.data[0]?.['media_url']);
  expect((await fetch(url)).status).toBe(200);
  world.clock.nowMs += 6000;
  expect((await fetch(url)).status).toBe(403);
  await world.control('DELETE', '/faults');
  await play('image_expired', { times: 1 });
  const again = await world.discover('bluebottle', 'media.limit(1){media_url}');
  const fresh = String(again.body.business_discovery?.media?.data[0]?.['media_url']);
  expect([(await fetch(fresh)).status, (await fetch(fresh)).status]).toEqual([403, 200]);
});

test('a scenario about one account or one token leaves the others alone', async () => {
  await play('blocked', { username: 'bluebottle' });
  expect((await call()).body.error?.code).toBe(368);
  expect((await world.discover('other', 'id')).status).toBe(200);
  await play('blocked', { token: 'sandbox-token-2' });
  expect((await call()).status).toBe(200);
});

test('an unknown scenario is refused with the list of known ones', async () => {
  await expect(play('no_such_thing')).rejects.toThrow(/400 .*usage_rising/);
});
