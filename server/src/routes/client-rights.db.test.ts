import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALL_ACTIONS } from '#shared/contract/call-actions.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { may, type Role } from '#shared/domain/people/may.ts';
import { MUTATION_ACTIONS, type MutationName } from '#shared/sync/mutations.ts';
import { PUSH_PATH, type PushAnswer } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';
import { createApp } from '#server/main/app.ts';
import { type Asked, inputOf, namesAccount } from '#test/calls/call-inputs.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { CLIENT_ID, postJson, pullFrom, readEvents } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { joinAs, tokenFor } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** Whose account a call is about, from where a member stands who works for one client. */
const WHOSE = ['own client', 'other client', 'no client', 'other workspace'] as const;
type Whose = (typeof WHOSE)[number];
const GRANTED = ['Manager', 'Editor', 'Viewer'] as const;

interface Thing {
  accountId: string;
  igUsername: string;
  igId: string;
}

let deps: TestDeps;
let app: Hono;
let owner: Customer;

let clientId: string;
const things = new Map<Whose, Thing>();
const people = new Map<Role, Customer>();

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  await owner.client.call(CALLS.saveApproval, { userId: owner.user.id, approvalAbove: 123 });
  await registerCustomer(app, deps, 'elsewhere');
  clientId = await makeClient(owner, 'Bakery');
  const otherId = await makeClient(owner, 'Cinema');
  await keep('own client', await connectFor(deps, owner, 'bakery.own', clientId));
  await keep('other client', await connectFor(deps, owner, 'cinema.secret', otherId));
  await keep('no client', await connectFor(deps, owner, 'nobodys.secret', null));
  const { db } = deps.database;
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('ig_username', '=', 'elsewhere')
    .executeTakeFirstOrThrow();
  await keep('other workspace', id);
  for (const role of GRANTED) {
    const member = await joinAs(deps, app, owner, `the.${role.toLowerCase()}`, role);
    await grant(owner, member, [{ clientId, role }]);
    people.set(role, member);
  }
});
afterAll(() => deps.database.close());

async function keep(whose: Whose, accountId: string): Promise<void> {
  const row = await deps.database.db
    .selectFrom('account')
    .select(['workspace_id', 'ig_username', 'ig_id'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const thing = { accountId, igUsername: row.ig_username, igId: row.ig_id ?? '' };
  things.set(whose, thing);
  const planted = { ...thing, workspaceId: row.workspace_id, userId: '', subscriptionId: '' };
  await plantPost(deps, planted, { id: '101', caption: `caption of ${row.ig_username}` });
}

function get<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`there is no ${String(key)}`);
  return value;
}

/** What nobody may be told who works for the bakery alone. */
const secrets = (): string[] => [
  'Cinema',
  ...WHOSE.slice(1).flatMap((whose) => {
    const { accountId, igUsername, igId } = get(things, whose);
    return [accountId, igUsername, igId];
  }),
];
const isTold = (text: string): string[] => secrets().filter((secret) => text.includes(secret));

/** What ends or moves whoever asks, or changes what the next one is asked about. */
const AT_THE_END = new Set([
  'leaveWorkspace',
  'deleteAccount',
  'switchWorkspace',
  'acceptInvitation',
  'removeAccount',
]);
/** What isn’t carried out changes nothing for the next one. */
const isTriedHere = (name: string, whose: Whose): boolean =>
  whose === 'own client' ? !AT_THE_END.has(name) : namesAccount(name);
const guarded = (Object.entries(CALLS) as Array<[keyof typeof CALLS, Call]>).filter(
  ([, { session }]) => session === 'required',
);

describe.each(GRANTED)('as somebody who is %s for one client', (role) => {
  const asked = (whose: Whose): Asked => {
    const { user } = get(people, role);
    return { ...get(things, whose), userId: user.id, sessionId: user.id };
  };
  const person = () => ({ role, allClients: false, grants: { [clientId]: role } });

  describe.each(WHOSE)('asking about an account of: %s', (whose) => {
    test.each(guarded.filter(([name]) => isTriedHere(name, whose)))(
      '%s is answered by the rule, and tells of nobody else',
      async (name, call) => {
        const action = CALL_ACTIONS[name];
        if (action === 'anyone') throw new Error(`${name} needs a session`);
        const input = inputOf(name, asked(whose));
        const { body, httpStatus } = await get(people, role).client.call(call, input);
        // A name that was sent may come back in the sentence; nothing else may.
        const sentence = (body.message ?? '').replaceAll(get(things, whose).igUsername, '');
        expect(isTold(JSON.stringify(body.data ?? sentence))).toEqual([]);
        const namesAccounts = Object.keys(input).some((field) =>
          /^(old)?ig(Id|Username)/i.test(field),
        );
        const isOfAccount = namesAccounts && ['read', 'edit'].includes(action);
        // Whose role is enough for no account at all is told so before anything is read.
        const isAllowed = may(person(), action, isOfAccount ? { clientId } : undefined);
        const isRefused =
          httpStatus === 403 && ['not_yours', 'not_allowed'].includes(body.code ?? '');
        const wanted = isOfAccount && whose !== 'own client' ? 'not_yours' : 'let in';
        // Nobody's things, which some of these inputs name, are refused later.
        const later = !isOfAccount && isAllowed && body.code === 'not_yours';
        expect(isRefused && !later ? body.code : 'let in').toBe(isAllowed ? wanted : 'not_allowed');
      },
    );

    test.each(['saveDeliverySettings', 'tagAccounts', 'switchAccount', 'setPreferences'] as const)(
      'the change %s is carried out for the own client only',
      async (name) => {
        const { accountId, igId } = get(things, whose);
        const args = {
          saveDeliverySettings: {
            igId,
            settings: { automaticLikes: true, speed: 'Instant', range: null },
          },
          tagAccounts: { accountIds: [accountId], add: ['mine'], remove: [] },
          switchAccount: { accountId },
          setPreferences: { pinnedAccountIds: [accountId] },
        }[name];
        const { client } = get(people, role);
        const clientOf = deps.ids.uuid();
        const body = { clientId: clientOf, mutations: [{ mid: 1, name, v: 1, args }] };
        const response = await postJson(client, syncPath(PUSH_PATH), body);
        const [result] = ((await response.json()) as PushAnswer).results;
        const action = MUTATION_ACTIONS[name];
        const isAllowed = action === 'self' || may(person(), action, { clientId });
        const refused = isAllowed ? 'not_yours' : 'not_allowed';
        expect(result && 'code' in result ? result.code : 'ok').toBe(
          isAllowed && whose === 'own client' ? 'ok' : refused,
        );
      },
    );
  });

  test('lists have the own client’s accounts alone, and the team is oneself', async () => {
    const { client, user } = get(people, role);
    const found = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
    expect(found.body.data?.map(({ igUsername }) => igUsername)).toEqual(['bakery.own']);
    const me = await client.call(CALLS.findUser, { userId: user.id });
    expect(me.body.data?.connectedAccounts.map(({ igUsername }) => igUsername)).toEqual([
      'bakery.own',
    ]);
    expect(me.body.data?.membership).toMatchObject({
      allClients: false,
      grants: [{ clientId, role }],
    });
    const clients = await client.call(CALLS.findClients, { userId: user.id });
    expect(clients.body.data?.map(({ name }) => name)).toEqual(['Bakery']);
    const team = await client.call(CALLS.findTeam, { userId: user.id });
    expect(team.body.data?.members.map(({ isThis }) => isThis)).toEqual([true]);
    expect(team.body.data?.approvalAbove).toBeNull();
  });

  test('sync delivers the own client’s rows, no money, and no byte of anybody else', async () => {
    const { client, user } = get(people, role);
    const pulled = await pullFrom(client, null, {});
    const own = [`u:${user.id}`, `w:${user.id}`];
    expect(pulled.new.toSorted()).toEqual(own);
    const bytes: string[] = [];
    for (const scope of own) {
      bytes.push(await (await client.send(syncPath(SNAPSHOT_PATH, { scope }))).text());
    }
    const log = await pullFrom(client, pulled.epoch, { [own[0] ?? '']: 0, [own[1] ?? '']: 0 });
    bytes.push(JSON.stringify(log));
    const stream = await client.send(syncPath(STREAM_PATH));
    const events = readEvents(stream.body ?? new ReadableStream());
    bytes.push((await events.next()) ?? '');
    // Others’ accounts are changed first: what is told of them would come before the own one.
    for (const whose of ['other client', 'no client', 'own client'] as const) {
      const { igUsername } = get(things, whose);
      const tagged = { igUsernames: [igUsername], add: [`told.${role}`], remove: [] };
      await owner.client.call(CALLS.tagAccounts, { userId: owner.user.id, ...tagged });
    }
    for (let event = await events.next(); event !== undefined; event = await events.next()) {
      bytes.push(event);
      if (event.includes(`told.${role}`)) break;
    }
    await events.close();
    // One account’s newest rows, and the rows behind them, are asked for by the account’s id.
    for (const whose of WHOSE) {
      const { accountId: account } = get(things, whose);
      for (const more of [{ limit: '50' }, { entity: 'post', limit: '50' }]) {
        const asked = { scope: `w:${user.id}`, account, ...more };
        bytes.push(await (await client.send(syncPath(SNAPSHOT_PATH, asked))).text());
      }
    }
    for (const own of ['caption of bakery.own', `told.${role}`])
      expect(bytes.join()).toContain(own);
    expect(isTold(bytes.join())).toEqual([]);
    const workspaceId = owner.user.membership?.workspaceId ?? '';
    for (const scope of [`w:${workspaceId}`, `b:${workspaceId}`, `w:${owner.user.id}`]) {
      const snapshot = await client.send(syncPath(SNAPSHOT_PATH, { scope }));
      const compared = { clientId: CLIENT_ID, scope, v: 0, entities: {} };
      const verified = await postJson(client, syncPath(VERIFY_PATH), compared);
      expect([snapshot.status, verified.status]).toEqual([403, 403]);
      const cursors = await pullFrom(client, pulled.epoch, { [scope]: 0 });
      expect([cursors.drop, cursors.scopes]).toEqual([[scope], {}]);
    }
  });
});

test.each(GRANTED)(
  'an account of the own client is removed by a %s whose role is enough',
  async (role) => {
    const igUsername = `removed.by.${role.toLowerCase()}`;
    await connectFor(deps, owner, igUsername, clientId);
    const { client, user } = get(people, role);
    const { body } = await client.call(CALLS.removeAccount, { userId: user.id, igUsername });
    const person = { role, allClients: false, grants: { [clientId]: role } };
    const isAllowed = may(person, 'edit', { clientId });
    expect(body.code).toBe(isAllowed ? undefined : 'not_allowed');
  },
);

test('every change of sync that names an account is tried above', () => {
  const others: MutationName[] = ['orderLikes', 'setAlerts', 'saveView', 'removeView'];
  expect(
    Object.keys(MUTATION_ACTIONS).filter((name) => !others.includes(name as MutationName)),
  ).toEqual(['saveDeliverySettings', 'tagAccounts', 'switchAccount', 'setPreferences']);
  expect(may({ role: 'Manager', allClients: false, grants: { a: 'Manager' } }, 'spend')).toBe(
    false,
  );
});

test('a right taken away is gone from an open stream: the rows at once, the scope with the last', async () => {
  const member = await joinAs(deps, app, owner, 'moving', 'Editor');
  const { client, user } = member;
  const workspaceId = user.membership?.workspaceId ?? '';
  const stream = await client.send(syncPath(STREAM_PATH));
  const events = readEvents(stream.body ?? new ReadableStream());
  await events.until('event: hello');
  await grant(owner, member, [{ clientId, role: 'Editor' }]);
  expect(await events.until('event: drop')).toContain(`w:${workspaceId}`);
  expect(await events.until('event: head')).toContain(`w:${user.id}`);
  await grant(owner, member, []);
  const { accountId } = get(things, 'own client');
  expect(await events.until(`["account","${accountId}"`)).toContain('null]');
  await events.close();
});

test('somebody invited without all clients sees nothing before they are granted something', async () => {
  const guest = await registerCustomer(app, deps, 'guest');
  await owner.client.call(CALLS.inviteMember, {
    userId: owner.user.id,
    email: guest.user.email,
    role: 'Editor',
    allClients: false,
  });
  const token = await tokenFor(deps, guest.user.email);
  const joined = await guest.client.call(CALLS.acceptInvitation, { userId: guest.user.id, token });
  expect(joined.body.data?.connectedAccounts).toEqual([]);
  const pulled = await pullFrom(guest.client, null, {});
  expect(pulled.new.toSorted()).toEqual([`u:${joined.body.data?.id}`, `w:${joined.body.data?.id}`]);
});

test('pictures of accounts that somebody doesn’t see are refused', async () => {
  const { body } = await owner.client.call(CALLS.findConnectedAccounts, { userId: owner.user.id });
  const pictureOf = (igUsername: string): string =>
    body.data?.find((each) => each.igUsername === igUsername)?.profilePic ?? '';
  const { client } = get(people, 'Manager');
  expect((await client.send(pictureOf('cinema.secret'))).status).toBe(403);
  expect((await client.send(pictureOf('bakery.own'))).status).not.toBe(403);
});
