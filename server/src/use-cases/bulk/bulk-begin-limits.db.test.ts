import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import {
  BEGIN,
  BEGIN_PRICE,
  chargedPlans,
  newAgency,
  saveCard,
} from '#test/documents/agency-without-plans.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import {
  newestMany,
  planMany,
  reasonsOf,
  runMany,
  type Shown,
  startMany,
} from '#test/delivery/bulk-runs.ts';
import { countUses } from '#test/people/counted-uses.ts';
import type { Customer } from '#test/people/customers.ts';
import { hearGateway } from '#test/money/gateway-fixture.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { runDue } from '#test/money/subscription-fixture.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const DECLINES = '4000000000000341';
const ASKS_ALWAYS = '4000002760003184';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const agency = (name: string, count: number, ccNum?: string) =>
  newAgency(app, deps, name, count, ccNum);

async function begin(owner: Customer, names: readonly string[]): Promise<Shown> {
  const shown = await planMany(deps, owner, names, BEGIN);
  await startMany(owner, shown);
  await runMany(deps);
  return shown;
}

const reasonOf = async (owner: Customer, { operationId }: Shown) =>
  (await reasonsOf(owner, operationId)).map(([, reason]) => reason);

async function workspaceOf({ user }: Customer): Promise<WorkspaceId> {
  const { db } = deps.database;
  const row = await db
    .selectFrom('app_user')
    .select('workspace_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  return row.workspace_id;
}

async function cardOf(owner: Customer): Promise<string> {
  const row = await deps.database.db
    .selectFrom('card')
    .select('payment_method_id')
    .where('workspace_id', '=', await workspaceOf(owner))
    .where('in_use_since', 'is not', null)
    .orderBy('in_use_since', 'desc')
    .executeTakeFirstOrThrow();
  return row.payment_method_id;
}

test('a card that declines is asked three times an operation, and then not in the next ones either', async () => {
  const owner = await agency('ada', 6, DECLINES);
  const asked = () => deps.gateway.calls.filter(({ call }) => call === 'charge').length;
  const before = asked();
  const first = await reasonOf(owner, await begin(owner, owner.names));
  expect(first.filter((each) => each === 'Unable to process the payment')).toHaveLength(3);
  expect(
    first.filter((each) => each?.endsWith('we stopped charging it. This plan didn’t begin.')),
  ).toHaveLength(3);
  for (let nr = 0; nr < 3; nr += 1) await begin(owner, owner.names);
  const times = asked() - before;
  // Three are asked side by side: two may have begun before the one that fills the limit was counted.
  expect(times).toBeGreaterThanOrEqual(LIMITS.unbegun.uses);
  expect(times).toBeLessThanOrEqual(LIMITS.unbegun.uses + 2);
  const shown = await begin(owner, owner.names);
  expect((await reasonOf(owner, shown))[0]).toContain('Please try again in');
  expect(asked() - before).toBe(times);
  // The accounts are free, with a card that pays.
  deps.clock.advance(LIMITS.unbegun.perMs);
  await saveCard(owner, '4242424242424242');
  await begin(owner, owner.names);
  expect(await newestMany(owner)).toMatchObject({ done: 6, failed: 0, today: 6 * BEGIN_PRICE });
});

test('who has paid nothing yet has accounts read for nothing no more often than by single checkouts', async () => {
  const owner = await agency('abe', 15, '6011111111111117');
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  await owner.client.call(CALLS.saveBudget, { userId: owner.user.id, limit: 1 });
  const read = () => deps.network.calls.length;
  const before = read();
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 0, failed: 15, today: 0 });
  // Three are read side by side.
  expect(read() - before).toBeLessThanOrEqual(LIMITS.unbegun.uses + 2);
  expect((await reasonOf(owner, shown))[14]).toContain('Please try again in');
});

test('a bank that wants its customer leaves the account without a plan and without a charge', async () => {
  const owner = await agency('bea', 1);
  deps.gateway.renewCard(await cardOf(owner), { number: ASKS_ALWAYS });
  const shown = await begin(owner, owner.names);
  expect(await reasonOf(owner, shown)).toEqual([
    'Your bank wants you to confirm this payment. You were not charged.',
  ]);
  const { body } = await owner.client.call(CALLS.findConnectedAccounts, { userId: owner.user.id });
  expect(body.data?.map(({ accountPackageId }) => accountPackageId)).toEqual([null, null]);
});

test('a card of which a payment is disputed begins no plan', async () => {
  const owner = await agency('cal', 2, '5555555555554444');
  await begin(owner, ['cal.a']);
  deps.gateway.openDispute([...deps.gateway.chargesById.keys()].at(-1) ?? '');
  await hearGateway(deps);
  const { items } = await planMany(deps, owner, ['cal.b'], BEGIN);
  expect(items[0]?.reason).toContain('was disputed at the bank');
});

test('many readings leave what detection needs, and go on when there is room again', async () => {
  const owner = await agency('dan', 2);
  await payPlan(deps, owner, 'dan');
  const use = (percent: number): void => {
    for (const bucketId of deps.network.bucketIds) {
      deps.network.setUsage(bucketId, { percent, regainAfterMs: undefined });
    }
  };
  use(80);
  // The checkout of one account may go on, and learns how much is used.
  const other = await agency('dora', 0);
  await payPlan(deps, other, 'dora');
  const before = chargedPlans(deps);
  await begin(owner, owner.names);
  expect(await newestMany(owner)).toMatchObject({ state: 'running', waiting: 2, failed: 0 });
  expect(chargedPlans(deps)).toBe(before);
  use(10);
  // The first reading learns of the room, the second one takes it.
  for (let nr = 0; nr < 2; nr += 1) {
    deps.clock.advance(10 * MINUTE_MS);
    await runMany(deps);
  }
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 2 });
});

test('of a workspace’s readings of a minute some stay for its people; the others wait for the next one', async () => {
  const owner = await agency('eve', 2);
  const key = await workspaceOf(owner);
  deps.clock.advance(MINUTE_MS);
  await useUp(key, { lookUp: LIMITS.lookUp.uses - 10, lookUpOfMany: 10 });
  await begin(owner, owner.names);
  expect(await newestMany(owner)).toMatchObject({ state: 'running', waiting: 2, failed: 0 });
  const looked = await owner.client.call(CALLS.lookUpAccount, {
    userId: owner.user.id,
    igUsername: 'ada',
  });
  expect(looked.httpStatus).toBe(200);
  deps.clock.advance(MINUTE_MS);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 2 });
});

/** As many readings as these, of people and of changes of many accounts. */
async function useUp(key: string, uses: { lookUp: number; lookUpOfMany: number }): Promise<void> {
  for (const name of ['lookUp', 'lookUpOfMany'] as const) {
    if (uses[name] === 0) continue;
    await limit(deps, { ...LIMITS[name], key });
    await countUses(deps, LIMITS[name], uses[name] - 1);
  }
}

test('however much people look up, some readings stay for what is done to many accounts', async () => {
  const owner = await agency('eli', 2);
  deps.clock.advance(MINUTE_MS);
  await useUp(await workspaceOf(owner), { lookUp: LIMITS.lookUp.uses, lookUpOfMany: 0 });
  await begin(owner, owner.names);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 2, failed: 0 });
});

test('what waits for its minute isn’t given up for how often it was looked at, but after an hour', async () => {
  const owner = await agency('eda', 1);
  const key = await workspaceOf(owner);
  const fill = () => useUp(key, { lookUp: LIMITS.lookUp.uses - 10, lookUpOfMany: 10 });
  deps.clock.advance(MINUTE_MS);
  await fill();
  const { operationId } = await begin(owner, owner.names);
  const { db } = deps.database;
  const due_at = new Date(deps.clock.now());
  await db
    .updateTable('bulk_item')
    .set({ fence: 50, due_at })
    .where('operation_id', '=', operationId)
    .execute();
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'running', waiting: 1, failed: 0 });
  deps.clock.advance(HOUR_MS);
  await fill();
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 0, failed: 1 });
});

test('of two workspaces with the same account the first one gets its plan, and the other pays nothing', async () => {
  const owner = await agency('fay', 1);
  const stranger = await agency('finn', 0);
  await stranger.client.call(CALLS.addAccount, { userId: stranger.user.id, igUsername: 'fay.a' });
  const [ours, theirs] = [
    await planMany(deps, owner, ['fay.a'], BEGIN),
    await planMany(deps, stranger, ['fay.a'], BEGIN),
  ];
  const before = chargedPlans(deps);
  await startMany(owner, ours);
  await startMany(stranger, theirs);
  await runMany(deps);
  const both = [await newestMany(owner), await newestMany(stranger)];
  expect(both.map((each) => each?.done)).toEqual(expect.arrayContaining([0, 1]));
  expect(chargedPlans(deps) - before).toBe(1);
  expect((await compareBooks(deps)).violations).toEqual([]);
});

test('a manager begins what is left of their limit, and above it somebody else has to approve', async () => {
  const owner = await agency('gus', 3);
  const manager = await joinAs(deps, app, owner, 'gus.manager', 'Manager');
  const memberId = manager.user.id;
  const limited = { userId: owner.user.id, memberId, spendLimit: Math.ceil(2 * BEGIN_PRICE) };
  await owner.client.call(CALLS.changeMember, { ...limited, role: 'Manager' });
  const shown = await planMany(deps, manager, owner.names, BEGIN);
  expect((await startMany(manager, shown)).code).toBe('needs_approval');
  const { operationId, planned, today } = shown;
  const asked = { userId: manager.user.id, operationId, planned, today };
  expect((await manager.client.call(CALLS.proposeBulk, asked)).body.data?.today).toBe(today);
  const reviewed = deps.ids.uuid();
  const review = { userId: owner.user.id, operationId: reviewed, proposalId: operationId, from: 0 };
  const again = (await owner.client.call(CALLS.reviewBulk, review)).body.data;
  expect(again?.items.map(({ change }) => change.kind)).toEqual(['begin', 'begin', 'begin']);
  const sums = { planned: again?.planned ?? 0, today: again?.today ?? 0 };
  const approved = { operationId: reviewed, ...sums, month: 0, code: undefined, items: [] };
  await startMany(owner, approved);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 3, today: 3 * BEGIN_PRICE });
});

test('money goes back once for an account, also when its next plan is begun with many', async () => {
  const owner = await agency('hal', 2);
  const back = async (igUsername: string) =>
    (await owner.client.call(CALLS.moneyBack, { userId: owner.user.id, igUsername })).body;
  await begin(owner, owner.names);
  expect((await back('hal.a')).code).toBeUndefined();
  await runDue(deps);
  await begin(owner, ['hal.a']);
  expect(await newestMany(owner)).toMatchObject({ done: 1, failed: 0 });
  expect((await back('hal.a')).code).toBe('money_back_over');
  expect((await back('hal.b')).code).toBeUndefined();
  expect((await compareBooks(deps)).violations).toEqual([]);
});
