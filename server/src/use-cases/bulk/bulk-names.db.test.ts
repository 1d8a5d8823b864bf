import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { ADDED_LIMIT, BULK_LIMITS, BULK_TIMES } from '#shared/domain/accounts/bulk.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { isWithinLimit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import { ACCOUNTS_LIMIT } from '#server/network/accounts/account.repository.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import {
  newestMany,
  planMany,
  reasonsOf,
  runDying,
  runMany,
  startMany,
  undoMany,
} from '#test/delivery/bulk-runs.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const ADD = { kind: 'add' } as const;

async function payer(name: string): Promise<Customer> {
  const owner = await registerCustomer(app, deps, name);
  await payPlan(deps, owner, name);
  return owner;
}

/** Names of accounts that the network knows. */
function known(name: string, count: number): string[] {
  const names = Array.from({ length: count }, (_, nth) => `${name}.${nth}`);
  for (const each of names) deps.network.addAccount(each);
  return names;
}

async function connected({ client, user }: Customer): Promise<string[]> {
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  return (body.data ?? []).map(({ igUsername }) => igUsername).toSorted();
}

test('names are told apart before the network is asked, then added once each or listed, and undone', async () => {
  const owner = await payer('ada');
  const [first = '', second = ''] = known('ada', 2);
  const reads = deps.network.calls.length;
  const shown = await planMany(deps, owner, ['ada', first, second, 'ada.gone', first], ADD);
  expect(shown.items.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['same', null],
    ['planned', null],
    ['planned', null],
    ['planned', null],
    ['refused', `@${first} is listed twice.`],
  ]);
  expect(deps.network.calls).toHaveLength(reads);
  expect(await startMany(owner, shown)).toMatchObject({ data: { waiting: 3, kinds: ['add'] } });
  await runMany(deps);
  expect(await connected(owner)).toEqual(['ada', first, second]);
  expect(await newestMany(owner)).toMatchObject({ done: 2, failed: 2, undoable: 2, today: 0 });
  const [[, reason] = []] = await reasonsOf(owner, shown.operationId);
  expect(reason).toContain('We can’t read @ada.gone on Instagram.');
  // One of them has a plan by now.
  await payPlan(deps, owner, second);
  await undoMany(owner, shown);
  await runMany(deps);
  expect(await connected(owner)).toEqual(['ada', second]);
  const undone = await newestMany(owner);
  expect(undone).toMatchObject({ isUndo: true, done: 1, failed: 1 });
  expect((await reasonsOf(owner, undone?.operationId ?? ''))[0]?.[1]).toContain('has a plan');
  // What was removed comes back, and goes again.
  deps.clock.advance(1000);
  const again = await planMany(deps, owner, [first], ADD);
  await startMany(owner, again);
  await runMany(deps);
  expect(await connected(owner)).toEqual(['ada', first, second]);
  await undoMany(owner, again);
  await runMany(deps);
  expect(await connected(owner)).toEqual(['ada', second]);
});

test('what others connect meanwhile isn’t ours to take back, and undo ends after ten minutes', async () => {
  const owner = await payer('bea');
  const [first = '', second = ''] = known('bea', 2);
  const shown = await planMany(deps, owner, [first, second], ADD);
  await startMany(owner, shown);
  await owner.client.call(CALLS.addAccount, { userId: owner.user.id, igUsername: first });
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 2, undoable: 1 });
  deps.clock.advance(BULK_TIMES.undoMs);
  expect((await undoMany(owner, shown)).code).toBe('not_found');
});

test('more names than a minute has look-ups wait for the next one, and leave some to people', async () => {
  const owner = await payer('cal');
  deps.clock.advance(MINUTE_MS);
  const names = known('cal', LIMITS.lookUp.uses + 5);
  await startMany(owner, await planMany(deps, owner, names, ADD));
  await runMany(deps);
  const { done = 0, failed } = (await newestMany(owner)) ?? {};
  expect(failed).toBe(0);
  expect(done).toBeLessThan(LIMITS.lookUp.uses);
  expect(done).toBeGreaterThan(LIMITS.lookUp.uses / 2);
  const person = { userId: owner.user.id, igUsername: names[0] ?? '' };
  expect((await owner.client.call(CALLS.lookUpAccount, person)).httpStatus).toBe(200);
  deps.clock.advance(MINUTE_MS);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: names.length, failed: 0 });
});

test('before a first payment as many are added as may be looked up in a day, and the rest is told so', async () => {
  const owner = await registerCustomer(app, deps, 'dan');
  const names = known('dan', LIMITS.unpaidLookUp.uses + 2);
  const shown = await planMany(deps, owner, names, ADD);
  const refused = shown.items.filter(({ outcome }) => outcome === 'refused');
  expect(shown.planned).toBe(names.length - refused.length);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused[0]?.reason).toMatch(
    /^Before your first payment you can look up 20 accounts a day, and \d+ are left now\./,
  );
  await startMany(owner, shown);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: shown.planned, failed: refused.length });
  const none = await planMany(deps, owner, names.slice(-1), ADD);
  expect(none.items[0]?.reason).toContain('none are left now');
});

test('look-ups of an address are counted when names are started, since nobody knows it later', async () => {
  const { user } = await registerCustomer(app, deps, 'eve');
  const address = '203.0.113.61';
  const client = new ApiClient(app, { address });
  await client.call(CALLS.login, { email: user.email, password: PASSWORD });
  const shown = await planMany(deps, { user, client }, known('eve', 3), ADD);
  const use = { ...LIMITS.lookUpAddress, key: address };
  for (let nr = 0; nr < use.uses - 2; nr += 1) await isWithinLimit(deps, use);
  const { operationId, planned, today } = shown;
  const asked = { userId: user.id, operationId, planned, today };
  const { body } = await client.call(CALLS.startBulk, asked);
  expect(body).toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('from your network today'),
  });
  // None was counted, and nothing begun.
  const two = await planMany(deps, { user, client }, ['eve.0', 'eve.1'], ADD);
  expect((await startMany({ user, client }, two)).code).toBeUndefined();
});

test('names beyond what an operation has room for are listed, and who may not connect can’t plan', async () => {
  const owner = await payer('fay');
  const viewer = await joinAs(deps, app, owner, 'fay.viewer', 'Viewer');
  expect((await planMany(deps, viewer, ['fay.0'], ADD)).code).toBe('not_allowed');
  const operationId = deps.ids.uuid();
  const outcomes = new Map<string, number>();
  for (let from = 0; from < ADDED_LIMIT + 1; from += BULK_LIMITS.page) {
    const length = Math.min(BULK_LIMITS.page, ADDED_LIMIT + 1 - from);
    const changes = Array.from({ length }, (_, nth) => ({
      igUsername: `fay.${from + nth}`,
      change: ADD,
    }));
    const asked = { userId: owner.user.id, operationId, from, changes };
    const { body } = await owner.client.call(CALLS.planBulk, asked);
    for (const { reason } of body.data?.items ?? []) {
      outcomes.set(reason ?? 'planned', (outcomes.get(reason ?? 'planned') ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(outcomes)).toEqual({
    planned: ADDED_LIMIT,
    [`Please add at most ${ADDED_LIMIT} accounts at once.`]: 1,
  });
});

test('names that a workspace has no room for are listed, those it removed come back', async () => {
  const owner = await registerCustomer(app, deps, 'hal');
  const { db } = deps.database;
  await sql`
    insert into account (workspace_id, id, ig_username, ig_id, created_at)
    select workspace_id, gen_random_uuid(), 'planted.' || n, 'planted ' || n, created_at
    from account cross join generate_series(3, ${ACCOUNTS_LIMIT}) n
    where ig_id = ${owner.user.defaultIgId}`.execute(db);
  const removed_at = new Date(deps.clock.now());
  await db
    .updateTable('account')
    .set({ removed_at })
    .where('ig_username', '=', 'planted.3')
    .execute();
  const full = await planMany(deps, owner, ['hal.1', 'hal.2', 'planted.3'], ADD);
  expect(full.items.map(({ reason }) => reason)).toEqual([
    null,
    'You can connect up to 10,000 accounts, including ones you’ve removed. You can still reconnect those.',
    null,
  ]);
});

test('whenever its worker dies, each name is added once, and all of them can be undone', async () => {
  const owner = await payer('gus');
  deps.clock.advance(MINUTE_MS);
  const names = known('gus', 4);
  const shown = await planMany(deps, owner, names, ADD);
  await startMany(owner, shown);
  expect(await runDying(deps)).toBeGreaterThan(5);
  // All these leases may have lasted longer than a log-in that isn't used.
  const back = { email: owner.user.email, password: PASSWORD };
  expect((await owner.client.call(CALLS.login, back)).httpStatus).toBe(200);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 4, failed: 0, undoable: 4 });
  expect(await connected(owner)).toEqual(['gus', ...names]);
  await undoMany(owner, shown);
  await runDying(deps);
  expect(await newestMany(owner)).toMatchObject({ isUndo: true, state: 'done', done: 4 });
  expect(await connected(owner)).toEqual(['gus']);
});
