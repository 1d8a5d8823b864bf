import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityEntry } from '#shared/contract/people/activity.ts';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ACTIVITY_PAGE } from '#shared/domain/accounts/activity.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import { planMany, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

async function read({ client, user }: Customer, filter: object = {}): Promise<ActivityEntry[]> {
  const { body } = await client.call(CALLS.findActivity, { userId: user.id, ...filter });
  if (!body.data) throw new Error(`findActivity answered ${body.message ?? ''}`);
  return body.data.entries;
}

const texts = async (reader: Customer, filter: object = {}): Promise<string[]> =>
  (await read(reader, filter)).map(({ text }) => text);

async function changeMany(customer: Customer, names: string[], change: AskedChange) {
  const shown = await planMany(deps, customer, names, change);
  await startMany(customer, shown);
  await runMany(deps);
  return shown.operationId;
}

test('an operation is one sentence, as far as whoever reads it sees its accounts and its money', async () => {
  const owner = await registerCustomer(app, deps, 'ada');
  const names = ['ada', 'ada.bread', 'ada.cakes'];
  const bakery = await makeClient(owner, 'Bakery');
  await connectFor(deps, owner, 'ada.bread', bakery);
  await connectFor(deps, owner, 'ada.cakes', null);
  for (const name of names) await payPlan(deps, owner, name);
  const manager = await joinAs(deps, app, owner, 'mia', 'Manager');
  const editor = await joinAs(deps, app, owner, 'eddy', 'Editor');
  const baker = await joinAs(deps, app, owner, 'bob', 'Viewer');
  await grant(owner, baker, [{ clientId: bakery, role: 'Viewer' }]);
  const stranger = await registerCustomer(app, deps, 'eve');
  const raised = await changeMany(manager, names, { kind: 'plan', packageIndex: 4 });
  const who = manager.user.name;
  const plain = (count: string) => `${who} changed the plan from 100 to 500 likes on ${count}`;
  const all = await texts(owner);
  expect(all[0]).toBe(`${plain('3 accounts')}, +$93.00 a month.`);
  // Its parts stand in the chain, and under the operation only.
  expect(all.filter((text) => text.includes('changed the plan'))).toHaveLength(1);
  expect(all).toContain(`${owner.user.name} paid the plan of @ada.bread, $17.00.`);
  expect(all).toContain(`${owner.user.name} added the client Bakery.`);
  // Whom owners invite is theirs to see.
  const hidden = all.map((text) => text.replace(/ invited \S+@\S+\.$/, ' invited someone.'));
  expect(await texts(manager)).toEqual(hidden);
  const ofEditor = await texts(editor);
  expect(ofEditor[0]).toBe(`${plain('3 accounts')}.`);
  expect(ofEditor.join(' ')).not.toMatch(/\$|Bakery|joined|signed up/);
  expect(ofEditor.filter((text) => text.includes('paid'))).toEqual([]);
  expect(await texts(baker)).toEqual([
    'A colleague changed the plan from 100 to 500 likes on 1 account.',
    'A colleague connected @ada.bread.',
  ]);
  expect((await texts(stranger)).join(' ')).not.toMatch(/ada|Bakery/);
  const checked = await editor.client.call(CALLS.checkActivity, { userId: editor.user.id });
  expect(checked.body.code).toBe('not_allowed');

  expect(await texts(owner, { igUsername: 'ada.cakes', kind: 'Accounts' })).toEqual([
    `${owner.user.name} connected @ada.cakes.`,
  ]);
  expect(await texts(owner, { clientId: bakery, kind: 'Plans' })).toEqual([
    all[0],
    `${owner.user.name} paid the plan of @ada.bread, $17.00.`,
  ]);
  expect(await texts(owner, { memberId: manager.user.id, kind: 'Plans' })).toEqual([all[0]]);
  expect(await texts(baker, { memberId: manager.user.id })).toEqual([]);
  const [newest] = await read(owner);
  expect(newest).toMatchObject({ operationId: raised, undoUntil: null, igUsername: null });
  expect(await texts(owner, { from: newest?.at, until: newest?.at })).toEqual([]);

  await changeMany(manager, names, { kind: 'pause', until: '2026-12-15T00:00:00.000Z' });
  const [paused] = await read(owner);
  expect(paused).toMatchObject({ text: `${who} paused the plan of 3 accounts.` });
  expect(paused?.undoUntil).not.toBeNull();
  const { client, user } = owner;
  await client.call(CALLS.undoBulk, { userId: user.id, operationId: paused?.operationId ?? '' });
  await runMany(deps);
  expect((await texts(owner))[0]).toBe(`${user.name} undid the pause on 3 accounts.`);
});

test('an operation is said with its clients, and one that made nothing with what it tried', async () => {
  const owner = await registerCustomer(app, deps, 'wanda');
  const { client, user } = owner;
  await payPlan(deps, owner, 'wanda');
  const alder = await makeClient(owner, 'Alder Bakery');
  const birch = await makeClient(owner, 'Birch Bakery');
  await connectFor(deps, owner, 'wanda.bread', alder);
  await connectFor(deps, owner, 'wanda.cakes', alder);
  const names = ['wanda.bread', 'wanda.cakes'];
  await changeMany(owner, names, { kind: 'client', clientId: birch });
  const moved = `${user.name} moved 2 accounts from Alder Bakery to Birch Bakery.`;
  const [newest] = await read(owner);
  expect(newest?.text).toBe(moved);
  await client.call(CALLS.undoBulk, { userId: user.id, operationId: newest?.operationId ?? '' });
  await runMany(deps);
  expect((await texts(owner)).slice(0, 2)).toEqual([
    `${user.name} undid the client change on 2 accounts.`,
    moved,
  ]);
  await changeMany(owner, ['wanda.bread'], { kind: 'client', clientId: null });
  expect((await texts(owner))[0]).toBe(`${user.name} took 1 account from Alder Bakery.`);
  await changeMany(owner, ['wanda.bread', 'wanda.cakes'], { kind: 'client', clientId: birch });
  expect((await texts(owner))[0]).toContain('moved 1 account from Alder Bakery to Birch Bakery');
  expect((await texts(owner))[0]).toContain('gave 1 account to Birch Bakery');
  await changeMany(owner, ['wanda.gone', 'wanda.nobody'], { kind: 'add' });
  expect((await texts(owner))[0]).toBe(`${user.name} tried to connect 2 accounts, but couldn’t.`);
});

test('what was stopped is told as stopped, by whom and how far it had come', async () => {
  const owner = await registerCustomer(app, deps, 'stan');
  const { client, user } = owner;
  const shown = await planMany(deps, owner, ['stan.one', 'stan.two'], { kind: 'add' });
  await startMany(owner, shown);
  await client.call(CALLS.stopBulk, { userId: user.id, operationId: shown.operationId });
  await runMany(deps);
  expect((await texts(owner)).slice(0, 2)).toEqual([
    `${user.name} stopped adding 2 accounts before any was made.`,
    `${user.name} began to connect 2 accounts, which was stopped before any was made.`,
  ]);
});

test('who is invited, for whom they work and what settings became is said as far as it may be seen', async () => {
  const owner = await registerCustomer(app, deps, 'ines');
  const { client, user } = owner;
  await payPlan(deps, owner, 'ines');
  const bakery = await makeClient(owner, 'Bakery');
  const manager = await joinAs(deps, app, owner, 'maxim', 'Manager');
  const viewer = await joinAs(deps, app, owner, 'vicky', 'Viewer');
  await grant(owner, viewer, [{ clientId: bakery, role: 'Viewer' }]);
  const settings = { automaticLikes: false };
  await changeMany(owner, ['ines'], { kind: 'delivery', settings });
  await client.call(CALLS.saveClient, { userId: user.id, clientId: bakery, name: 'Baker’s' });
  const all = await texts(owner);
  expect(all).toContain(`${user.name} invited ${viewer.user.email}.`);
  expect(all).toContain(
    `${user.name} changed which clients ${viewer.user.name} works for: now Baker’s.`,
  );
  expect(all).toContain(
    `${user.name} changed the delivery settings of 1 account to Automatic Likes off.`,
  );
  expect(all.slice(0, 1)).toEqual([`${user.name} saved the client Baker’s.`]);
  const ofManager = await texts(manager);
  expect(ofManager).toContain(`${user.name} invited someone.`);
  expect(ofManager.join(' ')).not.toContain(viewer.user.email);
});

test('the log is read a page at a time, each entry once', async () => {
  const owner = await registerCustomer(app, deps, 'pat');
  for (let name = 0; name < ACTIVITY_PAGE + 1; name += 1) {
    deps.clock.advance(60_000);
    await makeClient(owner, `Client ${name}`);
  }
  const [first, second] = [await read(owner), await read(owner, { before: 3 })];
  expect([first.length, second.length]).toEqual([ACTIVITY_PAGE, 2]);
  const next = first.at(-1)?.entry;
  const places = [...first, ...(await read(owner, { before: next }))].map(({ entry }) => entry);
  expect(places).toEqual(places.map((_, index) => places.length - index));
});

test('the check says what it looked at, and finds what was changed, removed or moved', async () => {
  const owner = await registerCustomer(app, deps, 'cora');
  const { client, user } = owner;
  for (const name of ['One', 'Two', 'Three']) await makeClient(owner, name);
  const look = async () => {
    deps.clock.advance(600_000);
    return (await client.call(CALLS.checkActivity, { userId: user.id })).body.data;
  };
  const whole = await look();
  const entries = (await read(owner)).length;
  expect(whole).toMatchObject({ entries, problem: null });
  const { db } = deps.database;
  const { workspace_id: id } = await db
    .selectFrom('membership')
    .select('workspace_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const around = async (damage: string, found: string) => {
    const run = (statement: string) => sql.raw(statement.replaceAll('HERE', `'${id}'`)).execute(db);
    await run('alter table audit_event disable trigger user');
    await run(`create table kept as select * from audit_event where workspace_id = HERE`);
    await run(damage);
    const problem = (await look())?.problem;
    await run('delete from audit_event where workspace_id = HERE');
    await run('insert into audit_event select * from kept');
    await run('drop table kept');
    await run('alter table audit_event enable trigger user');
    expect(problem).toBe(found);
  };
  const where = 'where workspace_id = HERE';
  await around(
    `update audit_event set account_id = gen_random_uuid() ${where} and seq = 2`,
    'entry 2 was changed',
  );
  await around(`delete from audit_event ${where} and seq = 3`, 'misses entry 3');
  // Each in the other's place, whole.
  await around(
    `update audit_event e set at = o.at, actor = o.actor, action = o.action, subject = o.subject,
       account_id = o.account_id, previous_hash = o.previous_hash, hash = o.hash
     from audit_event o where e.workspace_id = HERE and o.workspace_id = HERE
       and e.seq in (2, 3) and o.seq = 5 - e.seq`,
    'is broken before entry 2',
  );
  expect(await look()).toEqual(whole);
  await deps.database.transaction((tx) =>
    appendAudit(tx, { workspaceId: id, actor: 'system', action: 'refunded', now: new Date() }),
  );
  expect((await look())?.fingerprint).not.toBe(whole?.fingerprint);
  deps.clock.advance(LIMITS.chainCheck.perMs);
  const codes: unknown[] = [];
  for (let nr = 0; nr <= LIMITS.chainCheck.uses; nr += 1) {
    codes.push((await client.call(CALLS.checkActivity, { userId: user.id })).body.code);
  }
  expect(codes.indexOf('rate_limited')).toBe(LIMITS.chainCheck.uses);
});

test('what somebody pays and tags is one sentence each, with their name', async () => {
  const owner = await registerCustomer(app, deps, 'una');
  await connectFor(deps, owner, 'una.b', null);
  await payPlan(deps, owner, 'una');
  const manager = await joinAs(deps, app, owner, 'max', 'Manager');
  const { client, user } = manager;
  const before = (await texts(owner)).length;
  await changePlanTo(manager, 4, 'una');
  for (const igUsernames of [['una'], ['una', 'una.b']]) {
    const tags = { add: [`of ${igUsernames.length}`], remove: [] };
    await client.call(CALLS.tagAccounts, { userId: user.id, igUsernames, ...tags });
  }
  const said = await texts(owner, { memberId: user.id });
  expect(said.map((text) => text.replace(/\d+\.\d\d/, '…'))).toEqual([
    `${user.name} changed the tags of several accounts.`,
    `${user.name} changed the tags of @una.`,
    `${user.name} changed the plan of @una, $….`,
    `${user.name} joined the workspace.`,
  ]);
  expect(await texts(owner)).toHaveLength(before + 3);
});

test('of an undo nobody is told what it took back of accounts that they don’t see', async () => {
  const owner = await registerCustomer(app, deps, 'ula');
  const [mine, other] = [await makeClient(owner, 'Mine'), await makeClient(owner, 'Other')];
  await connectFor(deps, owner, 'ula.mine', mine);
  await connectFor(deps, owner, 'ula.other', other);
  await payPlan(deps, owner, 'ula.other');
  const viewer = await joinAs(deps, app, owner, 'ula.viewer', 'Viewer');
  await grant(owner, viewer, [{ clientId: mine, role: 'Viewer' }]);
  const operationId = deps.ids.uuid();
  const userId = owner.user.id;
  const changes = [
    { igUsername: 'ula.mine', change: { kind: 'tags' as const, add: ['x'], remove: [] } },
    { igUsername: 'ula.other', change: { kind: 'cancel' as const } },
  ];
  await owner.client.call(CALLS.planBulk, { userId, operationId, from: 0, changes });
  await owner.client.call(CALLS.startBulk, { userId, operationId, planned: 2, today: 0 });
  await runMany(deps);
  await owner.client.call(CALLS.undoBulk, { userId, operationId });
  await runMany(deps);
  const undone = `${owner.user.name} undid the cancellation and the tag change on 2 accounts`;
  expect(await texts(owner)).toContainEqual(expect.stringContaining(undone));
  const seen = (await texts(viewer)).filter((text) => text.includes('undid'));
  expect(seen).toEqual([expect.stringMatching(/ undid the tag change on 1 account\.$/)]);
});

test('what people did stays theirs when they have left, until their account is deleted', async () => {
  const owner = await registerCustomer(app, deps, 'olga');
  const manager = await joinAs(deps, app, owner, 'leo', 'Manager');
  const { db } = deps.database;
  const name = 'Leo Lark';
  await db.updateTable('app_user').set({ name }).where('email', '=', manager.user.email).execute();
  await makeClient(manager, 'Lighthouse');
  await owner.client.call(CALLS.removeMember, { userId: owner.user.id, memberId: manager.user.id });
  expect((await texts(owner)).slice(0, 2)).toEqual([
    `${owner.user.name} removed ${name}.`,
    `${name} added the client Lighthouse.`,
  ]);
  await db.deleteFrom('app_user').where('email', '=', manager.user.email).execute();
  expect((await texts(owner)).slice(0, 2)).toEqual([
    `${owner.user.name} removed someone who has left.`,
    'Someone who has left added the client Lighthouse.',
  ]);
});
