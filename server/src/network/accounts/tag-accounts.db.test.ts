import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { TAG_LIMITS } from '#shared/domain/accounts/account-tags.ts';
import { createApp } from '#server/main/app.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
  for (const igUsername of ['second', 'third']) {
    deps.network.addAccount(igUsername);
    await ada.client.call(CALLS.addAccount, { userId: ada.user.id, igUsername });
  }
});
afterAll(() => deps.database.close());

interface Asked {
  names?: string[];
  add?: string[];
  remove?: string[];
}

function tag({ names = ['ada'], add = [], remove = [] }: Asked, customer = ada) {
  const { client, user } = customer;
  return client.call(CALLS.tagAccounts, { userId: user.id, igUsernames: names, add, remove });
}

async function tagsNow(): Promise<Record<string, string[]>> {
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  return Object.fromEntries((body.data ?? []).map(({ igUsername, tags }) => [igUsername, tags]));
}

const nth = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `tag ${String(from + at).padStart(3, '0')}`);

test('several accounts get and lose tags at once, and keep those besides', async () => {
  await tag({ names: ['ada', 'second'], add: [' VIP ', 'new'] });
  const { httpStatus, body } = await tag({
    names: ['second', 'third'],
    add: ['vip'],
    remove: ['NEW'],
  });
  expect(httpStatus).toBe(200);
  // It is written as it was first, and each account has it once.
  expect(body.data?.map(({ igUsername, tags }) => [igUsername, tags])).toEqual([
    ['second', ['VIP']],
    ['third', ['VIP']],
  ]);
  expect(await tagsNow()).toEqual({ ada: ['new', 'VIP'], second: ['VIP'], third: ['VIP'] });
});

test('what is kept of a customer can be downloaded with the tags', async () => {
  const { body } = await ada.client.call(CALLS.exportData, { userId: ada.user.id });
  expect(JSON.stringify(body.data)).toContain('"tags":["new","VIP"]');
});

test('one account that isn’t the customer’s, and none is tagged', async () => {
  const before = await tagsNow();
  const answer = await tag({ names: ['ada', 'nobody'], add: ['late'] });
  expect(answer.httpStatus).toBe(404);
  expect(answer.body).toMatchObject({
    code: 'not_found',
    message: '@nobody isn’t one of your connected accounts.',
  });
  const eve = await registerCustomer(app, deps, 'eve');
  expect((await tag({ names: ['ada'], add: ['mine'] }, eve)).httpStatus).toBe(404);
  expect(await tagsNow()).toEqual(before);
});

test.each([
  [['a'.repeat(33)], 'A tag has at most 32 characters.'],
  [['a,b'], 'A tag has no commas or semicolons.'],
  [[' '], 'Please type a tag.'],
  [nth(21), 'An account has at most 20 tags.'],
])('%j is no tag', async (add, message) => {
  const answer = await tag({ add });
  expect(answer.httpStatus).toBe(400);
  expect(answer.body).toMatchObject({ code: 'invalid_input', message });
});

test('an account has at most 20 tags, and one too many changes none of them', async () => {
  await tag({ names: ['third'], add: nth(TAG_LIMITS.ofAccount - 1) });
  const before = await tagsNow();
  expect(before['third']).toHaveLength(20);
  const answer = await tag({ names: ['ada', 'third'], add: ['one more'] });
  expect(answer.httpStatus).toBe(409);
  expect(answer.body).toMatchObject({
    code: 'too_many_tags',
    message: '@third would have 21 tags. An account can have up to 20.',
  });
  expect(await tagsNow()).toEqual(before);
  await tag({ names: ['third'], add: ['one more'], remove: ['VIP'] });
  expect((await tagsNow())['third']).toHaveLength(20);
});

test('a customer has at most 200 different tags', async () => {
  for (let group = 0; group < 11; group += 1) {
    const igUsername = `group.${group}`;
    deps.network.addAccount(igUsername);
    await ada.client.call(CALLS.addAccount, { userId: ada.user.id, igUsername });
    const answer = await tag({ names: [igUsername], add: nth(20, 100 + group * 20) });
    if (answer.httpStatus === 200) continue;
    expect(answer.body).toMatchObject({
      code: 'too_many_tags',
      message: 'You can have up to 200 different tags. Take one off its accounts first.',
    });
    break;
  }
  const all = new Set(Object.values(await tagsNow()).flat());
  expect(all.size).toBeGreaterThan(180);
  expect(all.size).toBeLessThanOrEqual(TAG_LIMITS.ofCustomer);
});

test('who tags without end is told to wait', async () => {
  deps.clock.advance(LIMITS.tags.perMs);
  const again = () => tag({ add: ['again'] });
  for (let nr = 0; nr < 3; nr += 1) expect((await again()).httpStatus).toBe(200);
  await countUses(deps, LIMITS.tags, LIMITS.tags.uses - 4);
  expect((await again()).httpStatus).toBe(200);
  const refused = await again();
  expect([refused.httpStatus, refused.body.code]).toEqual([429, 'rate_limited']);
});
