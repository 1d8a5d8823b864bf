import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { BULK_TIMES } from '#shared/domain/accounts/bulk.ts';
import { createApp } from '#server/main/app.ts';
import {
  newestMany,
  planMany,
  reasonsOf,
  runDying,
  runMany,
  startMany,
  undoMany,
} from '#test/delivery/bulk-runs.ts';
import { connectFor, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const NOBODYS = '01890000-0000-7000-8000-000000000001';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const to = (clientId: string | null): AskedChange => ({ kind: 'client', clientId });

/** An owner with two clients, and accounts `<name>.a` of the first, `<name>.b` of the second, `<name>.c` of nobody. */
async function agency(name: string) {
  const owner = await registerCustomer(app, deps, name);
  const bakery = await makeClient(owner, 'Bakery');
  const cinema = await makeClient(owner, 'Cinema');
  const names = ['a', 'b', 'c'].map((letter) => `${name}.${letter}`);
  const [first = '', second = '', third = ''] = names;
  await connectFor(deps, owner, first, bakery);
  await connectFor(deps, owner, second, cinema);
  await connectFor(deps, owner, third, null);
  return { owner, bakery, cinema, names };
}

async function clientsOf({ client, user }: Customer, names: readonly string[]) {
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  const all = new Map((body.data ?? []).map((each) => [each.igUsername, each.client?.name]));
  return names.map((name) => all.get(name));
}

test('accounts go to a client as one operation, those that were theirs are left out, and undo brings each back', async () => {
  const { owner, bakery, names } = await agency('ada');
  const shown = await planMany(deps, owner, [...names, 'nobody'], to(bakery));
  expect(shown.items.map(({ outcome, change }) => [outcome, change])).toEqual([
    ['same', { ...to(bakery), clientName: 'Bakery' }],
    ['planned', { ...to(bakery), clientName: 'Bakery' }],
    ['planned', { ...to(bakery), clientName: 'Bakery' }],
    ['refused', to(bakery)],
  ]);
  expect(shown).toMatchObject({ planned: 2, today: 0 });
  expect(await clientsOf(owner, names)).toEqual(['Bakery', 'Cinema', undefined]);
  await startMany(owner, shown);
  await runMany(deps);
  expect(await clientsOf(owner, names)).toEqual(['Bakery', 'Bakery', 'Bakery']);
  expect(await newestMany(owner)).toMatchObject({
    kinds: ['client'],
    done: 2,
    failed: 1,
    undoable: 2,
  });
  expect(await reasonsOf(owner, shown.operationId)).toEqual([
    ['nobody', '@nobody isn’t one of your connected accounts.'],
  ]);
  await undoMany(owner, shown);
  await runMany(deps);
  expect(await clientsOf(owner, names)).toEqual(['Bakery', 'Cinema', undefined]);
  const none = await planMany(deps, owner, names, to(null));
  await startMany(owner, none);
  await runMany(deps);
  expect(await clientsOf(owner, names)).toEqual([undefined, undefined, undefined]);
  deps.clock.advance(BULK_TIMES.undoMs);
  expect((await undoMany(owner, none)).code).toBe('not_found');
});

test('nothing comes to a client that is archived or gone, also where that happens meanwhile; undo gives back to both', async () => {
  const { owner, bakery, cinema, names } = await agency('bea');
  const { id: userId } = owner.user;
  const archive = (clientId: string, isArchived: boolean) =>
    owner.client.call(CALLS.archiveClient, { userId, clientId, isArchived });
  const gone = await planMany(deps, owner, names, to(NOBODYS));
  expect(gone.items[0]?.reason).toBe('This client no longer exists. Please choose another one.');
  const shown = await planMany(deps, owner, names, to(bakery));
  await startMany(owner, shown);
  await archive(bakery, true);
  await runMany(deps);
  const archived = 'Bakery is archived. Please take this client out of the archive first.';
  expect(await reasonsOf(owner, shown.operationId)).toEqual([
    ['bea.b', archived],
    ['bea.c', archived],
  ]);
  const again = await planMany(deps, owner, names, to(bakery));
  expect(again.items.map(({ reason }) => reason)).toEqual([null, archived, archived]);
  const asked = { userId, igUsernames: ['bea.c'], clientId: bakery };
  expect((await owner.client.call(CALLS.setClient, asked)).body.code).toBe('client_archived');

  const away = await planMany(deps, owner, ['bea.a', 'bea.b'], to(null));
  await startMany(owner, away);
  await runMany(deps);
  await owner.client.call(CALLS.mergeClients, { userId, clientId: cinema, intoId: bakery });
  await undoMany(owner, away);
  await runMany(deps);
  expect(await clientsOf(owner, names)).toEqual(['Bakery', undefined, undefined]);
  const undone = await newestMany(owner);
  expect(await reasonsOf(owner, undone?.operationId ?? '')).toEqual([
    ['bea.b', 'This client no longer exists. Please choose another one.'],
  ]);
});

test('of two who move the same account the first wins, and the other is told', async () => {
  const { owner, bakery, cinema, names } = await agency('cal');
  const manager = await joinAs(deps, app, owner, 'cal.manager', 'Manager');
  const ours = await planMany(deps, owner, names, to(bakery));
  const theirs = await planMany(deps, manager, ['cal.c'], to(cinema));
  await startMany(manager, theirs);
  await runMany(deps);
  deps.clock.advance(1000);
  await startMany(owner, ours);
  await runMany(deps);
  expect(await clientsOf(owner, names)).toEqual(['Bakery', 'Bakery', 'Cinema']);
  expect(await reasonsOf(owner, ours.operationId)).toEqual([
    [
      'cal.c',
      'The client of @cal.c changed after you checked these changes, so it was left as it is now.',
    ],
  ]);
});

test('who may not say whose accounts are can’t plan, see or undo it, and a role that is taken away stops the rest', async () => {
  const { owner, bakery, names } = await agency('dan');
  const manager = await joinAs(deps, app, owner, 'dan.manager', 'Manager');
  const shown = await planMany(deps, manager, names, to(bakery));
  await startMany(manager, shown);
  const less = { userId: owner.user.id, memberId: manager.user.id, role: 'Editor' } as const;
  await owner.client.call(CALLS.changeMember, less);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 0, failed: 2 });
  expect(await newestMany(manager)).toBeUndefined();
  expect((await planMany(deps, manager, names, to(bakery))).code).toBe('not_allowed');
  deps.clock.advance(1000);
  const moved = await planMany(deps, owner, names, to(bakery));
  await startMany(owner, moved);
  await runMany(deps);
  const refused = await undoMany(manager, moved);
  expect(refused).toMatchObject({ code: 'not_allowed' });
  expect(refused.message).toContain('Only an owner or a manager');
  // Nor do they read of it where they see what was done.
  const told = async (who: Customer) => {
    const { body } = await who.client.call(CALLS.findActivity, { userId: who.user.id });
    return (body.data?.entries ?? []).map(({ text }) => text).join('\n');
  };
  expect(await told(owner)).toContain(
    'gave 1 account to Bakery and moved 1 account from Cinema to Bakery',
  );
  expect(await told(manager)).not.toMatch(/client|many accounts/);
});

test('a client’s budget has room for so many, and the diff says for which it hasn’t', async () => {
  const { owner, bakery, cinema, names } = await agency('eva');
  const { id: userId } = owner.user;
  for (const name of names) await payPlan(deps, owner, name);
  const limit = (clientId: string, dollars: number) =>
    owner.client.call(CALLS.saveBudget, { userId, clientId, limit: dollars });
  await limit(bakery, 40);
  const wanted = [...names].toSorted();
  const asked = (from: number, igUsername: string, operationId: string) =>
    owner.client.call(CALLS.planBulk, {
      userId,
      operationId,
      from,
      changes: [{ igUsername, change: to(bakery) }],
    });
  const shown = await planMany(deps, owner, wanted, to(bakery));
  expect(shown.items.map(({ outcome }) => outcome)).toEqual(['same', 'planned', 'refused']);
  expect(shown.items[2]?.reason).toContain(
    'With these accounts, plans of Bakery would cost $51.00 a month, and the budget for Bakery is $40.00.',
  );
  // The same, a page at a time.
  const operationId = deps.ids.uuid();
  await asked(0, 'eva.b', operationId);
  expect((await asked(1, 'eva.c', operationId)).body.data?.items[0]?.outcome).toBe('refused');
  const both = await planMany(deps, owner, ['eva.b'], to(bakery));
  await startMany(owner, both);
  await limit(bakery, 17);
  await runMany(deps);
  expect((await reasonsOf(owner, both.operationId))[0]?.[1]).toContain(
    'budget for Bakery is $17.00',
  );
  expect(await clientsOf(owner, names)).toEqual(['Bakery', 'Cinema', undefined]);
  expect(cinema).not.toBe(bakery);
});

test('whenever its worker dies, each account is moved once', async () => {
  const { owner, bakery, names } = await agency('fay');
  const shown = await planMany(deps, owner, names, to(bakery));
  await startMany(owner, shown);
  expect(await runDying(deps)).toBeGreaterThan(3);
  expect(await newestMany(owner)).toMatchObject({ state: 'done', done: 2, failed: 0 });
  expect(await clientsOf(owner, names)).toEqual(['Bakery', 'Bakery', 'Bakery']);
  const { db } = deps.database;
  const said = await db
    .selectFrom('audit_event')
    .select('account_id')
    .where('operation_id', '=', shown.operationId)
    .execute();
  expect(new Set(said.map(({ account_id: id }) => id)).size).toBe(2);
  expect(said).toHaveLength(2);
});
