import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { registration } from '#test/people/customers.ts';
import { SANDBOX_BUCKET, SandboxDetectionBench } from '#test/delivery/sandbox-detection-bench.ts';
import { readNetworkAccount } from './network-reader.ts';

let bench: SandboxDetectionBench;
let app: Hono;
beforeAll(async () => {
  bench = await SandboxDetectionBench.open();
  app = createApp(bench.deps);
});
afterAll(() => bench.close());

async function signUp(name: string) {
  await bench.control('POST', 'accounts', { username: name });
  const client = new ApiClient(app, { address: `address-${name}` });
  const { body } = await client.call(CALLS.register, registration(name));
  if (!body.data) throw new Error(`register answered ${body.message}`);
  const userId = body.data.id;
  return {
    connectedAccounts: body.data.connectedAccounts,
    lookUp: (igUsername: string) => client.call(CALLS.addAccount, { userId, igUsername }),
    pay: () =>
      client.call(CALLS.addSubscription, {
        userId,
        igUsername: name,
        packageIndex: 2,
        ...CARD_FORM,
      }),
  };
}

test('a customer who never paid can’t use the allowance up: posts are detected, and others can pay', async () => {
  const payer = await bench.connect();
  const [free, visitor] = [await signUp('free'), await signUp('visitor')];
  for (let index = 0; index < 30; index += 1) {
    await bench.control('POST', 'accounts', { username: `curious${index}` });
  }
  await bench.play('usage_rising', { from: 70, to: 100, step: 1 });
  const answers: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    answers.push((await free.lookUp(`curious${index}`)).httpStatus);
  }
  // The first one finds the allowance well used; of the others the network isn't asked.
  expect(answers).toEqual([200, ...Array.from({ length: 29 }, () => 503)]);
  expect((await bench.bucket(SANDBOX_BUCKET)).usage_percent).toBeLessThan(75);
  expect(await bench.detect(payer)).toMatchObject({ automatic_outcome: 'ordered' });
  expect((await visitor.pay()).httpStatus).toBe(200);
});

test('a share that is full opens again when nobody has asked for five minutes', async () => {
  await bench.control('DELETE', 'faults');
  const poll = (share: 'unpaid' | 'paying') =>
    readNetworkAccount(bench.deps, { username: 'visitor', limit: 1, share });
  await bench.play('usage_rising', { from: 80, to: 80, step: 0 });
  await readNetworkAccount(bench.deps, { username: 'visitor', limit: 1 });
  expect((await poll('paying')).kind).toBe('throttled');
  bench.deps.clock.advance(5 * 60_000);
  await bench.control('DELETE', 'faults');
  expect((await poll('unpaid')).kind).toBe('read');
  expect((await poll('unpaid')).kind).toBe('read');
});

test('who signed up while the share was full is polled until the network has answered once', async () => {
  await bench.play('usage_rising', { from: 60, to: 60, step: 0 });
  bench.deps.clock.advance(1000);
  await readNetworkAccount(bench.deps, { username: 'visitor', limit: 1 });
  const { connectedAccounts } = await signUp('late');
  expect(connectedAccounts).toMatchObject([{ igId: '', problem: 'throttled' }]);
  const find = () =>
    bench.deps.database.db
      .selectFrom('account')
      .innerJoin('poll_schedule', 'poll_schedule.account_id', 'account.id')
      .select(['ig_id', 'problem', 'is_active', 'next_import_at'])
      .where('account.ig_username', '=', 'late')
      .executeTakeFirst();
  expect(await find()).toMatchObject({ ig_id: null, is_active: true, next_import_at: null });
  await bench.poll();
  expect(await find()).toMatchObject({
    ig_id: expect.stringMatching(/^\d+$/),
    problem: null,
    is_active: false,
  });
});
