import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { PULL_PATH } from '#shared/sync/pull.ts';
import { createApp } from '#server/main/app.ts';
import { ACCOUNTS_LIMIT } from '#server/network/accounts/account.repository.ts';
import { seeClient, SYNC_CLIENTS_LIMIT } from '#server/replica/sync-client.repository.ts';
import { insertMembership } from '../members/membership.repository.ts';
import { limit, LIMITS } from '../limits/rate-limit.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { type SignedIn, signInShopper } from '#test/people/signed-in.ts';
import { postJson } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { SESSIONS_LIMIT, openSession } from './session.service.ts';

let deps: TestDeps;
let app: ReturnType<typeof createApp>;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

async function pullAs({ client }: SignedIn, nr: number): Promise<number> {
  const clientId = `01890000-0000-7000-8000-${String(nr).padStart(12, '0')}`;
  const body = { epoch: null, clientId, cursors: {} };
  return (await postJson(client, syncPath(PULL_PATH), body)).status;
}

const replicasOf = (userId: string) =>
  deps.database.db
    .selectFrom('sync_client')
    .select('client_id')
    .where('user_id', '=', userId)
    .orderBy('client_id')
    .execute();

test('a customer has 50 replicas; with another one their own oldest is forgotten, nobody else’s', async () => {
  const ada = await signInShopper(app, deps, 'devices');
  const { workspaceId } = ada;
  const { userId, workspaceId: home } = await signInShopper(app, deps, 'colleague');
  const now = new Date(deps.clock.now());
  const member = { workspace_id: workspaceId, user_id: userId, id: deps.ids.uuid() };
  const asViewer = { home_workspace_id: home, role: 'Viewer', created_at: now } as const;
  await deps.database.transaction((tx) => insertMembership(tx, { ...member, ...asViewer }));
  const seeColleague = async (clientId: string): Promise<void> => {
    const seen = { schema: 1, now: new Date(deps.clock.now()) };
    await seeClient(deps.database.db, { workspaceId, userId, clientId }, seen);
  };
  await seeColleague(deps.ids.uuid());
  const asked: number[] = [];
  for (let nr = 1; nr <= SYNC_CLIENTS_LIMIT + 10; nr += 1) {
    deps.clock.advance(1000);
    asked.push(await pullAs(ada, nr));
  }
  expect(new Set(asked)).toEqual(new Set([200]));
  await seeColleague(deps.ids.uuid());
  const clients = await replicasOf(ada.userId);
  expect(clients).toHaveLength(SYNC_CLIENTS_LIMIT);
  expect(clients[0]?.client_id).toMatch(/0011$/);
  expect(await replicasOf(userId)).toHaveLength(2);
});

test('of 110 new devices at once no more than 50 are kept, and each is answered', async () => {
  const ada = await signInShopper(app, deps, 'many.devices');
  const bob = await signInShopper(app, deps, 'bob');
  await pullAs(bob, 1);
  const batches = [60, 50].map((size, batch) =>
    Array.from({ length: size }, (_, nr) => 1000 * batch + nr),
  );
  for (const batch of batches) {
    const asked = await Promise.all(batch.map((nr) => pullAs(ada, nr)));
    expect(new Set(asked)).toEqual(new Set([200]));
  }
  expect(await replicasOf(bob.userId)).toHaveLength(1);
  await pullAs(ada, 5000);
  expect(await replicasOf(ada.userId)).toHaveLength(SYNC_CLIENTS_LIMIT);
});

test('a customer has 100 sessions; with another one the oldest runs out', async () => {
  const ada = await signInShopper(app, deps, 'sessions');
  const bob = await signInShopper(app, deps, 'bob.too');
  const owner = { workspaceId: ada.workspaceId, userId: ada.userId, userAgent: 'test' };
  for (let nr = 1; nr < SESSIONS_LIMIT; nr += 1) {
    deps.clock.advance(1000);
    await openSession(deps, deps.database.db, { ...owner, keepSignedIn: nr % 2 === 0 });
  }
  expect((await ada.client.call(CALLS.findUser, { userId: ada.userId })).httpStatus).toBe(200);
  deps.clock.advance(1000);
  await openSession(deps, deps.database.db, { ...owner, keepSignedIn: true });
  expect((await ada.client.call(CALLS.findUser, { userId: ada.userId })).httpStatus).toBe(401);
  expect((await bob.client.call(CALLS.findUser, { userId: bob.userId })).httpStatus).toBe(200);
  const sessions = await deps.database.db
    .selectFrom('session')
    .select(['ended_at', 'expires_at'])
    .where('user_id', '=', ada.userId)
    .execute();
  const now = new Date(deps.clock.now());
  expect(sessions.filter(({ expires_at: at }) => at > now)).toHaveLength(SESSIONS_LIMIT);
  expect(sessions.filter(({ ended_at: at }) => at !== null)).toEqual([]);
});

test('a profile can be saved 20 times in ten minutes, and no more is audited', async () => {
  const ada = await signInShopper(app, deps, 'profile');
  const profile = { userId: ada.userId, name: 'Ada', phone: '+1 202 555 0100', timeZone: 'UTC' };
  const codes: Array<string | undefined> = [];
  for (let nr = 0; nr < 22; nr += 1) {
    codes.push((await ada.client.call(CALLS.updateProfile, profile)).body.code);
  }
  expect(codes.filter((code) => code === undefined)).toHaveLength(LIMITS.profile.uses);
  expect(codes.at(-1)).toBe('rate_limited');
  const audited = await deps.database.db
    .selectFrom('audit_event')
    .select('action')
    .where('workspace_id', '=', ada.workspaceId)
    .where('action', '=', 'profile_changed')
    .execute();
  expect(audited).toHaveLength(LIMITS.profile.uses);
  deps.clock.advance(LIMITS.profile.perMs);
  expect((await ada.client.call(CALLS.updateProfile, profile)).httpStatus).toBe(200);
});

test('delivery settings can be saved 60 times in ten minutes, and no more is audited', async () => {
  const { client, user } = await registerCustomer(app, deps, 'settings');
  const likes = { automaticLikes: true, speed: 'Instant', range: null } as const;
  const save = () =>
    client.call(CALLS.saveDeliverySettings, {
      userId: user.id,
      igId: user.defaultIgId,
      settings: likes,
    });
  const codes: Array<string | undefined> = [];
  for (let time = 0; time < 62; time += 1) codes.push((await save()).body.code);
  expect(codes.filter((code) => code === undefined)).toHaveLength(60);
  expect(codes.at(-1)).toBe('rate_limited');
  const audited = await deps.database.db
    .selectFrom('audit_event')
    .select('action')
    .where('action', '=', 'delivery_settings_changed')
    .execute();
  expect(audited).toHaveLength(60);
  deps.clock.advance(LIMITS.settings.perMs);
  expect((await save()).httpStatus).toBe(200);
});

test('a customer connects 10,000 accounts at most; those known already can be connected again', async () => {
  const { client, user } = await registerCustomer(app, deps, 'collector');
  await deps.database.db.transaction().execute(async (tx) => {
    // Nothing is told of each.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into account (workspace_id, id, ig_username, ig_id, created_at)
      select workspace_id, gen_random_uuid(), 'planted.' || n, 'planted ' || n, ${new Date(deps.clock.now())}
      from account cross join generate_series(3, ${ACCOUNTS_LIMIT}) n
      where ig_id = ${user.defaultIgId}`.execute(tx);
  });
  for (const name of ['last', 'beyond']) deps.network.addAccount(name);
  const addAccount = (igUsername: string) =>
    client.call(CALLS.addAccount, { userId: user.id, igUsername });
  expect((await addAccount('last')).httpStatus).toBe(200);
  const refusal = {
    code: 'too_many_accounts',
    message:
      'You can connect up to 10,000 accounts, including ones you’ve removed. You can still reconnect those.',
  };
  expect((await addAccount('beyond')).body).toMatchObject(refusal);
  const moved = await client.call(CALLS.updateUsername, {
    userId: user.id,
    oldIgUsername: 'last',
    igUsername: 'beyond',
  });
  expect(moved.body).toMatchObject(refusal);
  const removed = { userId: user.id, igUsername: 'last' };
  expect((await client.call(CALLS.removeAccount, removed)).httpStatus).toBe(200);
  expect((await addAccount('beyond')).body).toMatchObject(refusal);
  expect((await addAccount('last')).httpStatus).toBe(200);
});

test('log-ins with the right password have a bound of their own, which strangers can’t use up', async () => {
  const { user } = await registerCustomer(app, deps, 'often');
  for (let nr = 0; nr < LIMITS.signIn.uses; nr += 1) {
    await limit(deps, { ...LIMITS.signIn, key: user.id });
  }
  const form = { email: user.email, password: PASSWORD, keepSignedIn: false };
  const client = new ApiClient(app, { address: '203.0.113.77' });
  expect((await client.call(CALLS.login, form)).httpStatus).toBe(429);
  deps.clock.advance(LIMITS.signIn.perMs);
  expect((await client.call(CALLS.login, form)).httpStatus).toBe(200);
});
