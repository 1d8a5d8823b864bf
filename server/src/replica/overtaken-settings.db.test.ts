import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { PUSH_PATH, type PushAnswer } from '#shared/sync/push.ts';
import { SYNC_SCHEMA } from '#shared/sync/version.ts';
import { createApp } from '#server/main/app.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { ownerSession } from '#test/people/owner-session.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { postJson } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { push } from './push.service.ts';
import { scopesOfMember } from './scope-owner.ts';

let deps: TestDeps;
let app: Hono;
let owner: Customer;
let manager: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  manager = await joinAs(deps, app, owner, 'the.manager', 'Manager');
});
afterAll(() => deps.database.close());

const FIRST: DeliverySettings = { automaticLikes: true, speed: 'Instant', range: null };

/** What was saved on a device, sent by it now. */
async function send(customer: Customer, args: object): Promise<PushAnswer['results'][number]> {
  const mutation = { mid: 1, name: 'saveDeliverySettings', v: 1 };
  const body = {
    clientId: deps.ids.uuid(),
    mutations: [{ ...mutation, args: { igId: owner.user.defaultIgId, ...args } }],
  };
  const response = await postJson(customer.client, syncPath(PUSH_PATH), body);
  const [result] = ((await response.json()) as PushAnswer).results;
  if (!result) throw new Error('Nothing was answered');
  return result;
}

async function settingsNow(): Promise<DeliverySettings | undefined> {
  const { client, user } = owner;
  const { body } = await client.call(CALLS.findDeliverySettings, {
    userId: user.id,
    igId: user.defaultIgId,
  });
  return body.data?.settings;
}

test('of two people who change the same settings, one of them offline, the first wins and the other is told; sent again, theirs replace them', async () => {
  const [mine, theirs]: DeliverySettings[] = [
    { ...FIRST, speed: '4 Hours' },
    { ...FIRST, range: { min: 20, max: 40 } },
  ];
  expect(await send(owner, { settings: mine, seen: FIRST })).toMatchObject({ status: 'ok' });
  const late = await send(manager, { settings: theirs, seen: FIRST });
  expect(late).toMatchObject({
    status: 'rejected',
    code: 'subscription_state',
    message: expect.stringContaining('Someone else changed the delivery settings of @house'),
  });
  expect(await settingsNow()).toEqual(mine);
  // The same settings are nobody's loss, and neither is a page of before, which doesn't say what it saw.
  expect(await send(manager, { settings: mine, seen: FIRST })).toMatchObject({ status: 'ok' });
  expect(await send(manager, { settings: theirs })).toMatchObject({ status: 'ok' });
  expect(await settingsNow()).toEqual(theirs);
});

test('a change is prepared anew when what it was prepared for is no longer so', async () => {
  const eve = await registerCustomer(app, deps, 'eve');
  await payPlan(deps, eve);
  const { id: userId, defaultIgId: igId, membership } = eve.user;
  const eves = deps.database.db.updateTable('account').where('ig_id', '=', igId);
  const others = [() => eves.set({ automatic_likes: false }).execute()];
  // As it was prepared automatic likes were on, so that the account needn't be read.
  const transaction: typeof deps.database.transaction = async (work) => {
    await others.pop()?.();
    return deps.database.transaction(work);
  };
  deps.clock.advance(60_000);
  const session = ownerSession({
    userId,
    workspaceId: membership?.workspaceId ?? '',
    sessionId: userId,
  });
  const wanted = { name: 'saveDeliverySettings', v: 1, args: { igId, settings: FIRST } };
  const answer = await push(
    { ...deps, database: { ...deps.database, transaction } },
    scopesOfMember(deps),
    { session, schema: SYNC_SCHEMA, clientId: deps.ids.uuid(), mutations: [{ mid: 1, ...wanted }] },
  );
  expect(answer).toMatchObject({ results: [{ mid: 1, status: 'ok' }], lastMid: 1 });
  const { baseline_read_at: readAt } = await deps.database.db
    .selectFrom('subscription')
    .select('baseline_read_at')
    .where('ig_id', '=', igId)
    .executeTakeFirstOrThrow();
  expect(readAt).toEqual(new Date(deps.clock.now()));
});
