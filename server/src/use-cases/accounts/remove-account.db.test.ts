import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
let count = 0;
beforeEach(async () => {
  // A throttle of the test before is over, and forgotten.
  deps.clock.advance(600_000);
  count += 1;
  ada = await registerCustomer(app, deps, `ada${count}`);
});

const named = (igUsername: string) => ({ userId: ada.user.id, igUsername });
const remove = (igUsername: string) => ada.client.call(CALLS.removeAccount, named(igUsername));
const add = (igUsername: string) => ada.client.call(CALLS.addAccount, named(igUsername));
const names = async () => {
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  return (body.data ?? []).map(({ igUsername }) => igUsername);
};

async function connectSecond(): Promise<string> {
  const name = `second${count}`;
  deps.network.addAccount(name);
  await add(name);
  return name;
}

test('looking an account up connects nothing, and says who it is', async () => {
  const { igId, followers } = deps.network.addAccount(`shown${count}`);
  const lookUp = (igUsername: string) => ada.client.call(CALLS.lookUpAccount, named(igUsername));
  const { body } = await lookUp(` @Shown${count}`);
  expect(body.data).toEqual({
    igUsername: `shown${count}`,
    igId,
    followers,
    isConnected: false,
    standing: 'free',
  });
  expect(await names()).toEqual([`ada${count}`]);
  expect((await lookUp(`ada${count}`)).body.data).toMatchObject({ isConnected: true });
  const reads = deps.network.calls.length;
  expect((await add(`shown${count}`)).httpStatus).toBe(200);
  // "Add" right after "Look up" asks the network nothing.
  expect(deps.network.calls).toHaveLength(reads);

  expect((await lookUp('nobody.at.all')).body.code).toBe('account_unreadable');
  const usage = undefined;
  deps.network.queueRead({ kind: 'unreachable', reason: 'timeout', usage });
  expect((await lookUp('later')).body.code).toBe('network_unreachable');
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 30_000, usage });
  expect((await lookUp('later')).body.code).toBe('network_throttled');
  deps.clock.advance(60_000);
  for (let index = 0; index < 60; index += 1) await lookUp('nobody.at.all');
  expect((await lookUp('nobody.at.all')).body.code).toBe('rate_limited');
});

test('an account that is removed leaves the list and the replica, and comes back as it was', async () => {
  const second = await connectSecond();
  deps.network.addPost(second);
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  const igId = body.data?.find(({ igUsername }) => igUsername === second)?.igId ?? '';
  await ada.client.call(CALLS.getPosts, { igId });
  const settings = { automaticLikes: false, speed: '1 Hour', range: null } as const;
  const user = { userId: ada.user.id };
  await ada.client.call(CALLS.saveDeliverySettings, { ...user, igId, settings });
  expect(await copied()).toMatchObject({ account: 2, post: 1 });

  expect(await remove(second)).toMatchObject({
    httpStatus: 200,
    body: { message: `@${second} was removed` },
  });
  expect(await names()).toEqual([`ada${count}`]);
  expect(await copied()).toMatchObject({ account: 1, post: 0 });
  const posts = await ada.client.call(CALLS.getPosts, { igId });
  expect(posts.body.code).toBe('not_yours');
  expect((await remove(second)).body.code).toBe('not_found');

  expect((await add(second)).body.data).toEqual({ igUsername: second, igId });
  expect(await copied()).toMatchObject({ account: 2, post: 1 });
  const found = await ada.client.call(CALLS.findDeliverySettings, { ...user, igId });
  expect(found.body.data?.settings).toEqual(settings);
});

/** Live rows of the account's scope by kind, as a device that begins anew gets them. */
async function copied(): Promise<Record<string, number>> {
  const { db } = deps.database;
  const rows = await db
    .selectFrom('sync_row')
    .innerJoin('app_user', 'app_user.workspace_id', 'sync_row.workspace_id')
    .select(['entity', 'deleted'])
    .where('app_user.id', '=', ada.user.id)
    .execute();
  const entities = ['account', 'post', 'order'] as const;
  return Object.fromEntries(
    entities.map((entity) => [
      entity,
      rows.filter((row) => row.entity === entity && !row.deleted).length,
    ]),
  );
}

test('whatever touches a post of a removed account, it stays out of the replica', async () => {
  const second = await connectSecond();
  const post = deps.network.addPost(second);
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  const igId = body.data?.find(({ igUsername }) => igUsername === second)?.igId ?? '';
  await ada.client.call(CALLS.getPosts, { igId });
  await remove(second);
  const { db } = deps.database;
  const { numUpdatedRows } = await db
    .updateTable('post')
    .set({ comment_count: 7 })
    .where('id', '=', post.id)
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
  expect(await copied()).toMatchObject({ account: 1, post: 0 });
});

test('an account with a plan, or the only one, stays; the payment of a removed one is kept', async () => {
  const only = await remove(`ada${count}`);
  expect(only.body).toMatchObject({ code: 'account_in_use' });
  expect(only.body.message).toContain('only account');
  const second = await connectSecond();
  await payPlan(deps, ada, second);
  const planned = await remove(second);
  expect(planned.body).toMatchObject({ code: 'account_in_use' });
  expect(planned.body.message).toContain('has a plan');
  await ada.client.call(CALLS.stopSubscription, named(second));
  expect((await remove(second)).httpStatus).toBe(200);
  const payments = await ada.client.call(CALLS.findTransactions, { userId: ada.user.id });
  expect(payments.body.data).toHaveLength(1);
});

test('removing and connecting again brings no second change of the username within 48 hours', async () => {
  const second = await connectSecond();
  deps.network.rename(second, `renamed${count}`);
  const change = (oldIgUsername: string, igUsername: string) =>
    ada.client.call(CALLS.updateUsername, { userId: ada.user.id, oldIgUsername, igUsername });
  expect((await change(second, `renamed${count}`)).httpStatus).toBe(200);
  await remove(`renamed${count}`);
  deps.clock.advance(60_000);
  await add(`renamed${count}`);
  deps.network.addAccount(`other${count}`);
  expect((await change(`renamed${count}`, `other${count}`)).body.code).toBe(
    'username_changed_recently',
  );
});

test('the name of a removed account is free for another account', async () => {
  const second = await connectSecond();
  await remove(second);
  deps.network.rename(second, `gone${count}`);
  const { igId } = deps.network.addAccount(second);
  deps.clock.advance(60_000);
  expect((await add(second)).body.data).toEqual({ igUsername: second, igId });
  expect((await add(`gone${count}`)).httpStatus).toBe(200);
  expect(await names()).toEqual([`ada${count}`, `gone${count}`, second]);
});

test('an account that is connected again comes back to its client, unless they were archived', async () => {
  const second = await connectSecond();
  const userId = ada.user.id;
  const clientId = await makeClient(ada, 'Bakery');
  const viewer = await joinAs(deps, app, ada, `baker${count}`, 'Viewer');
  await grant(ada, viewer, [{ clientId, role: 'Viewer' }]);
  const seen = async () => {
    const { body } = await viewer.client.call(CALLS.findConnectedAccounts, {
      userId: viewer.user.id,
    });
    return body.data?.map(({ igUsername }) => igUsername);
  };
  await ada.client.call(CALLS.setClient, { userId, igUsernames: [second], clientId });
  await remove(second);
  deps.clock.advance(60_000);
  await add(second);
  expect(await seen()).toEqual([second]);
  await remove(second);
  await ada.client.call(CALLS.archiveClient, { userId, clientId, isArchived: true });
  deps.clock.advance(60_000);
  await add(second);
  expect(await names()).toContain(second);
  expect(await seen()).toEqual([]);
});
