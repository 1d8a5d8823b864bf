import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALL_ACTIONS } from '#shared/contract/call-actions.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { bulkAction } from '#shared/domain/accounts/bulk.ts';
import { may, type Role, ROLES } from '#shared/domain/people/may.ts';
import { MUTATION_ACTIONS, type MutationName } from '#shared/sync/mutations.ts';
import { PUSH_PATH, type PushAnswer } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';
import { createApp } from '#server/main/app.ts';
import type { ApiClient } from '#test/calls/api-client.ts';
import { type Asked, BULK_CHANGES, inputOf } from '#test/calls/call-inputs.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { CLIENT_ID, postJson, pullFrom, readEvents } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let owner: Customer;
/** Another workspace, which everybody below is in as well, at home, but doesn't act in. */
let other: Customer;
const people = new Map<Role, Customer>();
/** What the other workspace's owner saw, and at which versions: each change of a row has one of its own. */
let seen: unknown;
let seenVersions: unknown;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  other = await registerCustomer(app, deps, 'elsewhere');
  seen = (await other.client.call(CALLS.findUser, { userId: other.user.id })).body;
  seenVersions = await versionsOf(other);
  people.set('Owner', owner);
  for (const role of ['Manager', 'Editor', 'Viewer'] as const) {
    people.set(role, await joinAs(deps, app, owner, `the.${role.toLowerCase()}`, role));
  }
});
afterAll(() => deps.database.close());

const as = (role: Role): Customer => {
  const person = people.get(role);
  if (!person) throw new Error(`nobody is ${role}`);
  return person;
};
const versionsOf = ({ user }: Customer) =>
  deps.database.db
    .selectFrom('sync_head')
    .select(['scope', 'v'])
    .where('workspace_id', '=', user.membership?.workspaceId ?? '')
    .orderBy('scope')
    .execute();
const guarded = (Object.entries(CALLS) as Array<[keyof typeof CALLS, Call]>).filter(
  ([, { session }]) => session === 'required',
);
const thingsOf = ({ user }: Customer): Asked => ({
  userId: user.id,
  igUsername: user.defaultIgUsername,
  igId: user.defaultIgId,
  sessionId: user.id,
});

test('every call has an action, and what needs no session is anybody’s', () => {
  const open = Object.entries(CALL_ACTIONS).flatMap(([name, action]) =>
    action === 'anyone' ? [name] : [],
  );
  const sessionless = Object.entries(CALLS).flatMap(([name, { session }]) =>
    session === 'none' ? [name] : [],
  );
  expect(open.toSorted()).toEqual(sessionless.toSorted());
  expect(Object.keys(CALL_ACTIONS).toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

describe.each(ROLES)('as %s', (role) => {
  // Whose role isn't enough is told so before anything is read of the input, so an empty one changes nothing.
  test.each(guarded)('%s in the own workspace is let in by role alone', async (name, call) => {
    const action = CALL_ACTIONS[name];
    const { body } = await as(role).client.call(call, {});
    const isAllowed = action !== 'anyone' && may({ role, allClients: true }, action);
    expect(body.code).toBe(isAllowed ? 'invalid_input' : 'not_allowed');
  });

  test.each(guarded)('%s reaches nothing of another workspace', async (name, call) => {
    const answer = await as(role).client.call(call, inputOf(name, thingsOf(other)));
    expect([403, 404]).toContain(answer.httpStatus);
    expect(answer.body.data).toBeUndefined();
    expect(await versionsOf(other)).toEqual(seenVersions);
  });

  test('the other workspace is what it was', async () => {
    const { body } = await other.client.call(CALLS.findUser, { userId: other.user.id });
    expect(body).toEqual(seen);
  });

  test.each(Object.values(BULK_CHANGES))(
    'a change of many accounts, $kind, is planned by role alone',
    async (change) => {
      const { client, user } = as(role);
      const operationId = deps.ids.uuid();
      const changes = [{ igUsername: 'house', change }];
      const asked = { userId: user.id, operationId, from: 0, changes };
      const { body } = await client.call(CALLS.planBulk, asked);
      const mayAll = [CALL_ACTIONS.planBulk, bulkAction(change.kind)].every((action) =>
        may({ role, allClients: true }, action),
      );
      expect(body.code).toBe(mayAll ? undefined : 'not_allowed');
    },
  );

  test('the ledger as a file is for whoever may read money', async () => {
    const { status } = await as(role).client.send('/user/creditsTransaction/ledger.csv');
    expect(status).toBe(may({ role, allClients: true }, 'readMoney') ? 200 : 403);
  });

  test.each(Object.keys(MUTATION_ACTIONS) as MutationName[])(
    'the change %s is let in by role alone',
    async (name) => {
      const mid = Object.keys(MUTATION_ACTIONS).indexOf(name) + 1;
      const results = await push(as(role).client, [{ mid, name, v: 1, args: {} }]);
      const isAllowed = may({ role, allClients: true }, MUTATION_ACTIONS[name]);
      // An empty choice is no mistake.
      const done = name.startsWith('set') ? undefined : 'invalid_input';
      expect(codeOf(results[0])).toBe(isAllowed ? done : 'not_allowed');
    },
  );

  test('sync delivers the own workspace, its money to whoever may read it, and nothing of another', async () => {
    const { client, user } = as(role);
    const workspaceId = user.membership?.workspaceId ?? '';
    const money = may({ role, allClients: true }, 'readMoney') ? [`b:${workspaceId}`] : [];
    const own = [`w:${workspaceId}`, ...money, `u:${user.id}`];
    const pulled = await pullFrom(client, null, {});
    expect(pulled.new.toSorted()).toEqual(own.toSorted());
    const bytes: string[] = [JSON.stringify(pulled)];
    for (const scope of own) {
      const response = await client.send(syncPath(SNAPSHOT_PATH, { scope }));
      expect(response.status).toBe(200);
      bytes.push(await response.text());
    }
    const stream = await client.send(syncPath(STREAM_PATH));
    const events = readEvents(stream.body ?? new ReadableStream());
    bytes.push((await events.next()) ?? '');
    await events.close();
    const theirs = other.user.membership?.workspaceId ?? '';
    const secrets = [theirs, other.user.id, 'elsewhere', other.user.defaultIgId];
    for (const secret of secrets) {
      expect(bytes.some((text) => text.includes(secret))).toBe(false);
    }
    expect(/"(wallet|ledger|transaction)"/.test(bytes.join())).toBe(money.length > 0);
    const foreign = [`w:${theirs}`, `b:${theirs}`, `u:${other.user.id}`, `b:${workspaceId}`];
    for (const scope of foreign.filter((one) => !own.includes(one))) {
      const snapshot = await client.send(syncPath(SNAPSHOT_PATH, { scope }));
      const asked = { clientId: CLIENT_ID, scope, v: 0, entities: {} };
      const verified = await postJson(client, syncPath(VERIFY_PATH), asked);
      expect([snapshot.status, verified.status]).toEqual([403, 403]);
      const cursors = await pullFrom(client, pulled.epoch, { [scope]: 0 });
      expect([cursors.drop, cursors.scopes]).toEqual([[scope], {}]);
    }
  });
});

async function push(client: ApiClient, mutations: object[]): Promise<PushAnswer['results']> {
  const body = { clientId: CLIENT_ID, mutations };
  const response = await postJson(client, syncPath(PUSH_PATH), body);
  return ((await response.json()) as PushAnswer).results;
}

const codeOf = (result: PushAnswer['results'][number] | undefined): string | undefined =>
  result && 'code' in result ? result.code : undefined;

async function openStream(client: ApiClient) {
  const stream = await client.send(syncPath(STREAM_PATH));
  return readEvents(stream.body ?? new ReadableStream());
}

test('a role taken away takes the money from an open stream, and one given brings it', async () => {
  const { client, user } = await joinAs(deps, app, owner, 'moved', 'Manager');
  const workspaceId = user.membership?.workspaceId ?? '';
  const events = await openStream(client);
  await events.until('event: hello');
  const change = { userId: owner.user.id, memberId: user.id };
  await owner.client.call(CALLS.changeMember, { ...change, role: 'Editor' });
  expect(await events.until('event: drop')).toContain(`b:${workspaceId}`);
  await owner.client.call(CALLS.changeMember, { ...change, role: 'Manager' });
  expect(await events.until('event: head')).toContain(`b:${workspaceId}`);
  await events.close();
});

test('a removed member’s stream ends, and pull and push say why', async () => {
  const { client, user } = await joinAs(deps, app, owner, 'removed', 'Editor');
  const events = await openStream(client);
  await events.until('event: hello');
  const removal = { userId: owner.user.id, memberId: user.id };
  await owner.client.call(CALLS.removeMember, removal);
  await events.until('event: reauth');
  expect(await events.next()).toBeUndefined();
  for (const path of ['pull', 'push', 'verify']) {
    const response = await postJson(client, syncPath(`/user/sync/${path}`), {});
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      code: 'session_ended',
      fields: { membership: expect.any(String) as string },
    });
  }
});
