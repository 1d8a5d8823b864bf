import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { type Agency, BEGIN, newAgency } from '#test/documents/agency-without-plans.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import { planMany, reasonsOf, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { runJanitor } from '#test/money/checkout-books.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** An editor removes the account as soon as the network has been asked for it. */
async function removeWhileRead(owner: Agency, igUsername: string): Promise<void> {
  const editor = await joinAs(deps, app, owner, `${owner.user.defaultIgUsername}.editor`, 'Editor');
  const { network } = deps;
  const read = network.readAccount.bind(network);
  network.readAccount = async (request) => {
    network.readAccount = read;
    const answer = await read(request);
    const named = { userId: editor.user.id, igUsername };
    expect((await editor.client.call(CALLS.removeAccount, named)).httpStatus).toBe(200);
    return answer;
  };
}

const chargesAndPlans = async () => ({
  charges: deps.gateway.charges.length,
  plans: await deps.database.db.selectFrom('subscription').select('account_id').execute(),
});

const SENTENCE = (name: string) =>
  `@${name} was removed before its plan could start. You were not charged.`;

test('an account that is removed while its checkout reads it gets no plan, and nothing is charged', async () => {
  const owner = await newAgency(app, deps, 'ada', 1);
  const before = await chargesAndPlans();
  await removeWhileRead(owner, 'ada.a');
  const form = { userId: owner.user.id, igUsername: 'ada.a', packageIndex: 2, ...CARD_FORM };
  const { body } = await owner.client.call(CALLS.addSubscription, form);
  expect(body).toMatchObject({ code: 'not_found', message: SENTENCE('ada.a') });
  expect(await chargesAndPlans()).toEqual(before);
});

test('nor does one whose plan begins with others', async () => {
  const owner = await newAgency(app, deps, 'bea', 1);
  const before = await chargesAndPlans();
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  await removeWhileRead(owner, 'bea.a');
  await runMany(deps);
  expect(await reasonsOf(owner, shown.operationId)).toEqual([['bea.a', SENTENCE('bea.a')]]);
  expect(await chargesAndPlans()).toEqual(before);
});

test('an account stays while its first payment is being decided', async () => {
  const owner = await newAgency(app, deps, 'cal', 1);
  const [igUsername = ''] = owner.names;
  const named = { userId: owner.user.id, igUsername };
  const remove = () => owner.client.call(CALLS.removeAccount, named);
  const { gateway } = deps;
  const charge = gateway.charge.bind(gateway);
  let meanwhile: Awaited<ReturnType<typeof remove>> | undefined;
  gateway.charge = async (request) => {
    gateway.charge = charge;
    meanwhile = await remove();
    return charge(request);
  };
  const form = { ...named, packageIndex: 2, ...CARD_FORM };
  const paid = await owner.client.call(CALLS.addSubscription, form);
  expect(meanwhile?.body).toMatchObject({ code: 'account_in_use' });
  expect(paid.httpStatus).toBe(200);
});

test('what was paid for an account that is gone nonetheless goes back', async () => {
  const owner = await newAgency(app, deps, 'dan', 1);
  const [igUsername = ''] = owner.names;
  const { db } = deps.database;
  const { gateway } = deps;
  const charge = gateway.charge.bind(gateway);
  gateway.charge = async (request) => {
    gateway.charge = charge;
    const removed_at = new Date(deps.clock.now());
    await db
      .updateTable('account')
      .set({ removed_at })
      .where('ig_username', '=', igUsername)
      .execute();
    return charge(request);
  };
  const form = { userId: owner.user.id, igUsername, packageIndex: 2, ...CARD_FORM };
  const before = await chargesAndPlans();
  const { body } = await owner.client.call(CALLS.addSubscription, form);
  expect(body).toMatchObject({
    code: 'account_already_subscribed',
    message:
      'This account got a plan or was removed while you were paying. We’re returning your payment in full.',
  });
  const after = await chargesAndPlans();
  expect(after).toEqual({ ...before, charges: before.charges + 1 });
  await runJanitor(deps, 5 * MINUTE_MS);
  expect(await compareBooks(deps)).toMatchObject({ refunds: 1, violations: [] });
});
