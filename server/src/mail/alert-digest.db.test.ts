import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { Alert } from '#shared/domain/accounts/alert.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { TestDatabase } from '#test/databases/test-database.ts';
import { createApp } from '#server/main/app.ts';
import { saveAlertChoice } from '#server/identity/members/alert-choice.service.ts';
import { setProblem, storeAccountReadings } from '#server/network/accounts/reading.repository.ts';
import { setGrants } from '#server/identity/members/client-grant.repository.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { seededRandom } from '#test/seeded.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { sendDigests } from './alert-digest.job.ts';
import { findHearer, listAlerts, readDigest } from './alerts.repository.ts';
import { composeMail } from './compose-mail.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps({ clock: new FakeClock('2026-11-10T12:00:00Z') });
  app = createApp(deps);
});
afterAll(() => deps.database.close());

interface InWorkspace {
  workspaceId: WorkspaceId;
  userId: string;
}

/** Who somebody is in a workspace of others, or at home. */
async function keyOf({ user }: Customer): Promise<InWorkspace> {
  const { workspace_id: workspaceId, user_id: userId } = await deps.database.db
    .selectFrom('membership')
    .select(['workspace_id', 'user_id'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  return { workspaceId, userId };
}

const choose = (person: InWorkspace, choice: Parameters<typeof saveAlertChoice>[2]) =>
  deps.database.transaction((tx) =>
    saveAlertChoice(tx, person, choice, new Date(deps.clock.now())),
  );

const setBudget = ({ client, user }: Customer, limit: number | null) =>
  client.call(CALLS.saveBudget, { userId: user.id, limit });

const accountOf = (workspaceId: WorkspaceId, igUsername: string) =>
  deps.database.db
    .selectFrom('account')
    .select(['id', 'ig_id'])
    .where('workspace_id', '=', workspaceId)
    .where('ig_username', '=', igUsername)
    .executeTakeFirstOrThrow();

async function setReadable(
  workspaceId: WorkspaceId,
  igUsername: string,
  isReadable: boolean,
): Promise<void> {
  const { db } = deps.database;
  const { id: accountId, ig_id } = await accountOf(workspaceId, igUsername);
  const now = new Date(deps.clock.now());
  if (!isReadable) {
    await setProblem(db, { workspaceId, accountId, problem: 'unreadable', now });
    return;
  }
  if (ig_id === null) throw new Error('was never read');
  const account = deps.network.addAccount(igUsername, { igId: ig_id, followers: 1 });
  await storeAccountReadings(db, [{ workspaceId, accountId, account, readAt: now }]);
}

async function alertsFor(person: InWorkspace): Promise<Alert[]> {
  const { db } = deps.database;
  const hearer = await findHearer(db, person);
  if (!hearer) throw new Error('is no member');
  return listAlerts(db, person.workspaceId, hearer, new Date(deps.clock.now()));
}

const titlesFor = async (person: InWorkspace): Promise<string[]> =>
  (await alertsFor(person)).map(({ title }) => title).toSorted();

/** The digests owed to somebody, oldest first. */
async function digestsOf({ workspaceId, userId }: InWorkspace) {
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.flatMap((row) =>
    row.payload.kind === 'alert_digest' && row.payload.userId === userId
      ? [{ ...row, span: row.payload }]
      : [],
  );
}

/** A database whose process dies at every so many transactions: before it, within it, or after its commit. */
function dying(database: TestDatabase, next: () => number): TestDatabase {
  const died = (): never => {
    throw new Error('died');
  };
  return {
    ...database,
    get db() {
      return database.db;
    },
    transaction: async (work) => {
      const moment = Math.floor(next() * 6);
      if (moment === 0) died();
      const done = await database.transaction(async (tx) => {
        const result = await work(tx);
        if (moment === 1) died();
        return result;
      });
      if (moment === 2) died();
      return done;
    },
  };
}

test('whatever crashes, a day has one mail at its hour, and what happened is told once', async () => {
  const names = ['eda', 'eda_two', 'eda_three'];
  const owner = await registerCustomer(app, deps, 'eda', { timeZone: 'America/New_York' });
  for (const name of names.slice(1)) await connectFor(deps, owner, name, null);
  const me = await keyOf(owner);
  await choose(me, { mailHour: 8 });
  // A first day with nothing to tell: what is told begins here.
  deps.clock.advance(24 * HOUR_MS);
  await sendDigests(deps);
  const next = seededRandom(20_261_110);
  const hurt: TestDeps = { ...deps, database: dying(deps.database, next) };
  const told: Array<{ keys: string[]; at: Date }> = [];
  const happened = new Set<string>();
  let seen = 0;
  for (let tick = 0; tick < 24 * 9; tick += 1) {
    deps.clock.advance(HOUR_MS);
    const name = names[Math.floor(next() * names.length)] ?? '';
    if (next() < 0.3) await setReadable(me.workspaceId, name, next() < 0.5);
    if (next() < 0.02) await choose(me, { mailHour: Math.floor(next() * 24) });
    if (next() < 0.3) continue;
    await Promise.allSettled([sendDigests(hurt), sendDigests(hurt)]);
    const hearer = await findHearer(deps.database.db, me);
    if (!hearer) throw new Error('is no member');
    for (const mail of (await digestsOf(me)).slice(seen)) {
      seen += 1;
      const { fresh } = await readDigest(deps.database.db, me.workspaceId, hearer, mail.span);
      told.push({ keys: fresh.map(({ key }) => key), at: mail.created_at });
    }
    const until = new Date(hearer.mailedUntilMs);
    for (const { key, atMs } of await listAlerts(deps.database.db, me.workspaceId, hearer, until)) {
      if (atMs <= hearer.mailedUntilMs) happened.add(key);
    }
  }
  const days = told.map(({ at }) =>
    at.toLocaleDateString('en-CA', { timeZone: 'America/New_York' }),
  );
  expect(days.length).toBeGreaterThan(1);
  expect(new Set(days).size).toBe(days.length);
  const keys = told.flatMap((mail) => mail.keys);
  expect(keys.toSorted()).toEqual([...happened].toSorted());
  expect(told.every((mail) => mail.keys.length > 0)).toBe(true);
});

test('the mail comes once at its hour of the person’s own day, and not at all with nothing to say', async () => {
  const owner = await registerCustomer(app, deps, 'ola', { timeZone: 'Asia/Tokyo' });
  const me = await keyOf(owner);
  const run = async (hours: number): Promise<number> => {
    deps.clock.advance(hours * HOUR_MS);
    await sendDigests(deps);
    return (await digestsOf(me)).length;
  };
  await setReadable(me.workspaceId, 'ola', false);
  expect(await run(48)).toBe(0);
  await setReadable(me.workspaceId, 'ola', true);
  await choose(me, { mailHour: 7 });
  expect(await run(24)).toBe(0);
  const local = Number(
    new Date(deps.clock.now()).toLocaleString('en-GB', { hour: '2-digit', timeZone: 'Asia/Tokyo' }),
  );
  await setReadable(me.workspaceId, 'ola', false);
  const untilSeven = (7 - local + 24) % 24 || 24;
  expect(await run(untilSeven - 1)).toBe(0);
  expect(await run(1)).toBe(1);
  const [row] = await digestsOf(me);
  const mail = row && (await composeMail(deps, row));
  expect(mail?.subject).toBe('@ola can’t be read');
  expect(mail?.text).toContain('/my-settings#notifications');
  // It lasts, and is no news.
  expect(await run(24)).toBe(1);
  // Read before the mail goes out: there is nothing left to say.
  const readUntil = new Date(deps.clock.now()).toISOString();
  await choose(me, { readUntil });
  expect(row && (await composeMail(deps, row))).toBeUndefined();
});

test('each is told of what they may see and haven’t muted, in the list and in the mail', async () => {
  const owner = await registerCustomer(app, deps, 'una');
  await payPlan(deps, owner);
  const [a, b] = [await makeClient(owner, 'Ada’s'), await makeClient(owner, 'Bob’s')];
  await connectFor(deps, owner, 'una_a', a);
  await connectFor(deps, owner, 'una_b', b);
  const manager = await joinAs(deps, app, owner, 'una_manager', 'Manager');
  const viewer = await joinAs(deps, app, owner, 'una_viewer', 'Viewer');
  const staff = await joinAs(deps, app, owner, 'una_staff', 'Manager');
  await grant(owner, staff, [{ clientId: a, role: 'Manager' }]);
  const me = await keyOf(owner);
  const { workspaceId } = me;
  await setBudget(owner, 17);
  await deps.database.db
    .updateTable('subscription')
    .set({
      state: 'Past due',
      past_due_since: new Date(deps.clock.now()),
      retry_at: new Date(deps.clock.now()),
    })
    .where('workspace_id', '=', workspaceId)
    .execute();
  for (const name of ['una_a', 'una_b']) await setReadable(workspaceId, name, false);
  const people = await Promise.all([owner, manager, viewer, staff].map(keyOf));
  for (const person of people) await choose(person, { mailHour: 0 });
  const [asOwner, asManager, asViewer, asStaff] = await Promise.all(people.map(titlesFor));
  const unread = ['@una_a can’t be read', '@una_b can’t be read'];
  const money = ['Budget reached: this workspace', 'Payment declined: @una'];
  expect(asOwner).toEqual([...unread, ...money]);
  expect(asManager).toEqual([...unread, ...money]);
  expect(asViewer).toEqual(unread);
  expect(asStaff).toEqual(['@una_a can’t be read']);

  const [ownerKey, , , staffKey] = people;
  if (!ownerKey || !staffKey) throw new Error('nobody');
  await choose(ownerKey, { mute: { kind: 'account_unreadable', clientId: a, isOn: true } });
  await choose(ownerKey, { mute: { kind: 'budget_reached', clientId: null, isOn: true } });
  expect(await titlesFor(ownerKey)).toEqual(['@una_b can’t be read', 'Payment declined: @una']);
  await choose(ownerKey, { mute: { kind: 'account_unreadable', clientId: a, isOn: false } });

  deps.clock.advance(24 * HOUR_MS);
  await sendDigests(deps);
  const owed = await digestsOf(staffKey);
  expect(owed).toHaveLength(1);
  const texts = async () =>
    Promise.all(owed.map(async (row) => (await composeMail(deps, row))?.text ?? ''));
  const [text = ''] = await texts();
  expect(text).toContain('@una_a');
  expect(text).not.toMatch(/una_b|Budget|declined/);
  const person = { workspace_id: workspaceId, user_id: staffKey.userId };
  await deps.database.transaction((tx) => setGrants(tx, person, []));
  expect(await texts()).toEqual(['']);
});

test('a budget is reached until its limit rises, and anew at the higher one', async () => {
  const owner = await registerCustomer(app, deps, 'ivo');
  await payPlan(deps, owner);
  const me = await keyOf(owner);
  await choose(me, {});
  await setBudget(owner, 17);
  expect(await titlesFor(me)).toEqual(['Budget reached: this workspace']);
  await setBudget(owner, 30);
  expect(await titlesFor(me)).toEqual([]);
  await setBudget(owner, 17);
  expect(await titlesFor(me)).toEqual(['Budget reached: this workspace']);
  await setBudget(owner, null);
  expect(await titlesFor(me)).toEqual([]);
});

test('an account that is asked for again and again is one alert, until it is read', async () => {
  const owner = await registerCustomer(app, deps, 'abe');
  const me = await keyOf(owner);
  await choose(me, {});
  const keys = async (): Promise<string[]> => (await alertsFor(me)).map(({ key }) => key);
  await setReadable(me.workspaceId, 'abe', false);
  const [first] = await keys();
  const { id: accountId } = await accountOf(me.workspaceId, 'abe');
  for (const problem of ['unreadable', 'throttled', 'unreachable', 'unreadable'] as const) {
    deps.clock.advance(HOUR_MS);
    const now = new Date(deps.clock.now());
    await setProblem(deps.database.db, { workspaceId: me.workspaceId, accountId, problem, now });
  }
  expect(await keys()).toEqual([first]);
  await setReadable(me.workspaceId, 'abe', true);
  expect(await keys()).toEqual([]);
  deps.clock.advance(HOUR_MS);
  await setReadable(me.workspaceId, 'abe', false);
  expect(await keys()).not.toEqual([first]);
});
