import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { Versions } from '#shared/contract/scope.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, signUp } from '#test/people/customers.ts';
import { pullFrom } from '#test/calls/sync-client.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** What a replica at `from` still lacks up to `to`, as `entity` or `-entity` for one that is gone. */
async function changesBetween({ client }: Customer, from: Versions, to: Versions) {
  const { epoch } = await deps.database.db
    .selectFrom('sync_epoch')
    .select('epoch')
    .executeTakeFirstOrThrow();
  const cursors = Object.fromEntries(Object.entries(from).map(([scope, v = 0]) => [scope, v]));
  const { scopes } = await pullFrom(client, epoch, cursors);
  const reached = new Map(Object.entries(to));
  return Object.entries(scopes).flatMap(([scope, page]) =>
    (page?.rows ?? [])
      .filter(([, , v]) => v <= (reached.get(scope) ?? 0))
      .map(([entity, , , row]) => (row ? entity : `-${entity}`)),
  );
}

test('a customer says the versions at which a replica holds what the call did', async () => {
  const ada = await signUp(app, deps, 'versions');
  const { versions: registered = {} } = ada.user;
  expect(Object.keys(registered).map((scope) => scope.slice(0, 1))).toEqual(['w', 'b', 'u']);

  const form = { userId: ada.user.id, igUsername: ada.user.defaultIgUsername, packageIndex: 2 };
  const paying = await ada.client.call(CALLS.addSubscription, { ...form, ...CARD_FORM });
  const { versions: paid = {} } = paying.body.data ?? {};
  const bought = await changesBetween(ada, registered, paid);
  expect(bought).toEqual(expect.arrayContaining(['account', 'wallet', 'transaction']));

  const { userId, name, phone, timeZone } = { ...ada.user, userId: ada.user.id, name: 'Augusta' };
  const saving = await ada.client.call(CALLS.updateProfile, { userId, name, phone, timeZone });
  const { versions: saved = {} } = saving.body.data ?? {};
  expect(await changesBetween(ada, paid, saved)).toContain('user');
});

test('a payment asked for again has the versions of its first answer', async () => {
  const ada = await signUp(app, deps, 'versions.again');
  const form = { userId: ada.user.id, igUsername: ada.user.defaultIgUsername, packageIndex: 2 };
  const pay = () =>
    ada.client.call(
      CALLS.addSubscription,
      { ...form, ...CARD_FORM },
      { 'idempotency-key': 'one-payment' },
    );
  const first = await pay();
  await ada.client.call(CALLS.stopSubscription, form);
  const again = await pay();
  expect(first.body.data?.versions).toBeDefined();
  expect(again.body.data?.versions).toEqual(first.body.data?.versions);
});
