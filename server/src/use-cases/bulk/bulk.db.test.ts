import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { BULK_TIMES } from '#shared/domain/accounts/bulk.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import {
  newestMany,
  planMany,
  reasonsOf,
  runMany,
  type Shown,
  startMany,
  undoMany,
} from '#test/delivery/bulk-runs.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';

/** Longer than an open payment is left alone. */
const OPEN_MS = 10 * 60_000;

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A customer with accounts `<name>`, `<name>.b` and `<name>.c`, each on plan 2. */
async function agency(name: string): Promise<Customer & { names: string[] }> {
  const owner = await registerCustomer(app, deps, name);
  const names = [name, `${name}.b`, `${name}.c`];
  for (const igUsername of names.slice(1)) {
    deps.network.addAccount(igUsername);
    await owner.client.call(CALLS.addAccount, { userId: owner.user.id, igUsername });
  }
  for (const igUsername of names) await payPlan(deps, owner, igUsername);
  return { ...owner, names };
}

const reasonOf = async (owner: Customer, { operationId }: Shown) =>
  (await reasonsOf(owner, operationId))[0]?.[1];

async function plansOf({ client, user }: Customer) {
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  return Object.fromEntries((body.data ?? []).map((account) => [account.igUsername, account]));
}

test('plans of several accounts are shown with their exact prices, then changed and charged once each', async () => {
  const owner = await agency('ada');
  await planMany(deps, owner, owner.names, { kind: 'plan', packageIndex: 4 });
  const shown = await planMany(deps, owner, [...owner.names, 'nobody'], {
    kind: 'plan',
    packageIndex: 4,
  });
  const quote = { userId: owner.user.id, igUsername: 'ada', packageIndex: 4 };
  const { body } = await owner.client.call(CALLS.quotePlan, quote);
  const today = Math.round((body.data?.totalToday ?? 0) * 300) / 100;
  expect(shown).toMatchObject({ planned: 3, today, month: (48 - 17) * 3 });
  expect(shown.items[3]).toMatchObject({
    outcome: 'refused',
    reason: '@nobody isn’t one of your connected accounts.',
  });
  expect(deps.gateway.charges.filter(({ request }) => request.amountCents > 1700)).toHaveLength(0);
  expect((await startMany(owner, { ...shown, today: today - 1 })).code).toBe('price_changed');
  expect((await startMany(owner, shown)).data).toMatchObject({ state: 'running', waiting: 3 });
  // Its answer was lost: the same again is the same operation.
  expect((await startMany(owner, shown)).data).toMatchObject({ state: 'running', waiting: 3 });
  const other = await planMany(deps, owner, ['ada'], { kind: 'tags', add: ['VIP'], remove: [] });
  expect((await startMany(owner, other)).code).toBe('bulk_running');
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({
    state: 'done',
    by: owner.user.name,
    done: 3,
    failed: 1,
    today,
    month: 93,
    undoable: 0,
    undoUntil: null,
  });
  expect((await undoMany(owner, shown)).code).toBe('not_found');
  const plans = Object.values(await plansOf(owner)).map((account) => account.accountPackageId);
  expect(plans).toEqual([4, 4, 4]);
  expect(await reasonsOf(owner, shown.operationId)).toEqual([
    ['nobody', '@nobody isn’t one of your connected accounts.'],
  ]);
  expect(await reasonsOf(owner, shown.operationId, 3)).toEqual([]);
  expect((await compareBooks(deps)).violations).toEqual([]);
});

test('what was charged for nothing is undone for ten minutes, once, and what somebody changed since stays', async () => {
  const owner = await agency('bea');
  const moves: Array<[AskedChange, monthCents: number]> = [
    [{ kind: 'plan', packageIndex: 1 }, -2103],
    [{ kind: 'keepPlan' }, 2103],
    [{ kind: 'cancel' }, -5100],
    [{ kind: 'resume' }, 5100],
  ];
  for (const [change, monthCents] of moves) {
    const shown = await planMany(deps, owner, owner.names, change);
    expect(shown).toMatchObject({ planned: 3, today: 0, month: monthCents / 100 });
    await startMany(owner, shown);
    await runMany(deps);
  }
  const before = await plansOf(owner);
  const until = new Date(deps.clock.now() + 5 * 86_400_000).toISOString();
  const pause = await planMany(deps, owner, owner.names, { kind: 'pause', until });
  await startMany(owner, pause);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 3, failed: 0, undoable: 3 });
  await owner.client.call(CALLS.resumeSubscription, {
    userId: owner.user.id,
    igUsername: 'bea.b',
  });
  expect((await undoMany(owner, pause)).data).toMatchObject({ isUndo: true, waiting: 3 });
  expect((await undoMany(owner, pause)).code).toBe('not_found');
  await runMany(deps);
  expect(await plansOf(owner)).toEqual(before);
  const tags = await planMany(deps, owner, owner.names, { kind: 'tags', add: ['VIP'], remove: [] });
  await startMany(owner, tags);
  expect((await undoMany(owner, tags)).code).toBe('not_found');
  await runMany(deps);
  const next = await planMany(deps, owner, owner.names, { kind: 'cancel' });
  await startMany(owner, next);
  expect((await undoMany(owner, tags)).code).toBe('bulk_running');
  await runMany(deps);
  await undoMany(owner, tags);
  await runMany(deps);
  expect((await plansOf(owner))['bea.c']?.tags).toEqual([]);
  deps.clock.advance(BULK_TIMES.undoMs);
  expect((await undoMany(owner, next)).code).toBe('not_found');
});

test('of two managers who change the same plan the first wins, and the other is told', async () => {
  const owner = await agency('cal');
  const manager = await joinAs(deps, app, owner, 'cal.manager', 'Manager');
  const dear = await planMany(deps, owner, owner.names, { kind: 'plan', packageIndex: 6 });
  const cheap = await planMany(deps, manager, owner.names, { kind: 'plan', packageIndex: 1 });
  await startMany(manager, cheap);
  await runMany(deps);
  deps.clock.advance(1000);
  await startMany(owner, dear);
  await runMany(deps);
  const accounts = Object.values(await plansOf(owner));
  expect(accounts.map((each) => [each.accountPackageId, each.nextPackageId])).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
  ]);
  expect(await newestMany(owner)).toMatchObject({ done: 0, failed: 3, today: 0 });
  expect(await reasonOf(owner, dear)).toBe(
    'The plan of @cal changed after you checked these changes, so it was left as it is now.',
  );
  // Tags of both are kept: each says what comes and what goes.
  const ours = await planMany(deps, owner, ['cal'], { kind: 'tags', add: ['ours'], remove: [] });
  const theirs = await planMany(deps, manager, ['cal'], {
    kind: 'tags',
    add: ['theirs'],
    remove: [],
  });
  for (const [who, shown] of [
    [owner, ours],
    [manager, theirs],
  ] as const) {
    await startMany(who, shown);
    await runMany(deps);
  }
  expect((await plansOf(owner))['cal']?.tags).toEqual(['ours', 'theirs']);
});

test('a role that was taken away stops what still waits, and an editor changes tags only', async () => {
  const owner = await agency('dan');
  const manager = await joinAs(deps, app, owner, 'dan.manager', 'Manager');
  const shown = await planMany(deps, manager, owner.names, { kind: 'plan', packageIndex: 4 });
  await startMany(manager, shown);
  await owner.client.call(CALLS.changeMember, {
    userId: owner.user.id,
    memberId: manager.user.id,
    role: 'Editor',
  });
  const charges = deps.gateway.charges.length;
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 0, failed: 3 });
  expect(deps.gateway.charges).toHaveLength(charges);
  const editor = manager;
  expect((await planMany(deps, editor, owner.names, { kind: 'cancel' })).code).toBe('not_allowed');
  expect(await newestMany(editor)).toBeUndefined();
  const { operationId } = shown;
  const asked = { userId: editor.user.id, operationId };
  expect((await editor.client.call(CALLS.findBulkItems, asked)).body.code).toBe('not_found');
  const tags = await planMany(deps, editor, owner.names, {
    kind: 'tags',
    add: ['new'],
    remove: [],
  });
  expect((await startMany(owner, tags)).code).toBe('not_found');
  expect((await startMany(editor, tags)).data?.waiting).toBe(3);
  await runMany(deps);
  expect(await newestMany(editor)).toMatchObject({ kinds: ['tags'], done: 3 });
});

test('what was being paid when its role was taken away is listed as it came out', async () => {
  const owner = await agency('fay');
  const manager = await joinAs(deps, app, owner, 'fay.manager', 'Manager');
  const shown = await planMany(deps, manager, ['fay'], { kind: 'plan', packageIndex: 4 });
  await startMany(manager, shown);
  deps.gateway.loseAnswers(1);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'running', waiting: 1 });
  await owner.client.call(CALLS.changeMember, {
    userId: owner.user.id,
    memberId: manager.user.id,
    role: 'Editor',
  });
  deps.clock.advance(OPEN_MS);
  await runMany(deps);
  const { today } = shown;
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 1, failed: 0, today });
  expect((await plansOf(owner))['fay']?.accountPackageId).toBe(4);
});

test('a plan that ended meanwhile isn’t told as changed', async () => {
  const owner = await agency('gus');
  const shown = await planMany(deps, owner, ['gus'], { kind: 'plan', packageIndex: 4 });
  await startMany(owner, shown);
  await deps.database.db
    .updateTable('subscription')
    .set({ package: 4, state: 'Canceled', next_action_at: null })
    .where('workspace_id', '=', owner.user.membership?.workspaceId ?? '')
    .execute();
  await runMany(deps);
  expect(await reasonOf(owner, shown)).toBe('@gus has no plan.');
});

test('an operation ends although a payment never does, and the next one begins', async () => {
  const owner = await agency('hal');
  const shown = await planMany(deps, owner, ['hal'], { kind: 'plan', packageIndex: 4 });
  await startMany(owner, shown);
  const unknown = () => Promise.resolve({ kind: 'unknown', reason: 'planted' } as const);
  const gateway = { ...deps.gateway, charge: unknown, findCharge: unknown };
  for (let tries = 0; tries < 40; tries += 1) {
    expect(await newestMany(owner)).toMatchObject({ state: 'running', waiting: 1 });
    await runBulk({ ...deps, gateway });
    deps.clock.advance(OPEN_MS);
  }
  expect(await newestMany(owner)).toMatchObject({ state: 'done', failed: 1, today: 0 });
  expect(await reasonOf(owner, shown)).toBe(
    'Your payment is being checked. Please do not pay again.',
  );
  const next = await planMany(deps, owner, ['hal'], { kind: 'tags', add: ['VIP'], remove: [] });
  expect((await startMany(owner, next)).data).toMatchObject({ state: 'running' });
});

test('a plan of changes is bounded, and gone after a quarter of an hour or when another is made', async () => {
  const owner = await agency('eva');
  const change = { kind: 'cancel' } as const;
  const first = await planMany(deps, owner, owner.names, change);
  const changes = [{ igUsername: 'eva', change }];
  const ask = async (from: number, operationId: string) =>
    (await owner.client.call(CALLS.planBulk, { userId: owner.user.id, operationId, from, changes }))
      .body;
  expect((await ask(5000, first.operationId)).code).toBe('invalid_input');
  expect((await ask(4, first.operationId)).code).toBe('not_found');
  // The next page; the same account again is listed twice.
  const next = await ask(3, first.operationId);
  expect(next.data).toMatchObject({ planned: 3 });
  expect(next.data?.items[0]).toMatchObject({ reason: '@eva is listed twice.' });
  const second = await planMany(deps, owner, ['eva'], change);
  expect((await startMany(owner, first)).code).toBe('not_found');
  deps.clock.advance(BULK_TIMES.draftMs + 1);
  expect((await startMany(owner, second)).code).toBe('price_changed');
  for (let nr = 0; nr < LIMITS.bulk.uses; nr += 1) await ask(9, second.operationId);
  expect((await ask(9, second.operationId)).code).toBe('rate_limited');
});
