import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { CLIENTS_LIMIT } from '#shared/domain/people/team.ts';
import { createApp } from '#server/main/app.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const NOBODYS = '01890000-0000-7000-8000-000000000001';

let deps: TestDeps;
let app: Hono;
let owner: Customer;
let editor: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  editor = await joinAs(deps, app, owner, 'the.editor', 'Editor');
});
afterAll(() => deps.database.close());

const idOf = ({ user }: Customer) => ({ userId: user.id });
const names = async (customer = owner): Promise<string[]> => {
  const { body } = await customer.client.call(CALLS.findClients, idOf(customer));
  return (body.data ?? []).map(({ name, accounts, archivedAt }) =>
    [name, accounts, archivedAt ? 'archived' : ''].join(' ').trim(),
  );
};

test('clients are made, renamed, given accounts, archived and merged', async () => {
  const bakery = await makeClient(owner, 'Bakery');
  const cinema = await makeClient(owner, 'Cinema');
  await connectFor(deps, owner, 'bread', bakery);
  await connectFor(deps, owner, 'film', cinema);
  const renamed = { ...idOf(owner), clientId: bakery, name: 'BAKERY' };
  expect((await owner.client.call(CALLS.saveClient, renamed)).body.message).toBe('Client saved');
  const put = { ...idOf(owner), clientId: cinema };
  await owner.client.call(CALLS.archiveClient, { ...put, isArchived: true });
  expect(await names()).toEqual(['BAKERY 1', 'Cinema 1 archived']);
  await owner.client.call(CALLS.archiveClient, { ...put, isArchived: false });
  const { body: activity } = await owner.client.call(CALLS.findActivity, { ...idOf(owner) });
  expect(activity.data?.entries.slice(0, 2).map(({ text }) => text)).toEqual([
    expect.stringMatching(/ took the client .* out of the archive\.$/),
    expect.stringMatching(/ archived the client [^,]*\.$/),
  ]);
  expect(await names(editor)).toEqual(['BAKERY 1', 'Cinema 1']);
  await owner.client.call(CALLS.mergeClients, { ...put, intoId: bakery });
  expect(await names()).toEqual(['BAKERY 2']);
});

test('an account that becomes another network account stays its client’s', async () => {
  const clientId = await makeClient(owner, 'Renamer');
  await connectFor(deps, owner, 'before', clientId);
  deps.network.addAccount('after');
  const names = { oldIgUsername: 'before', igUsername: 'after' };
  await owner.client.call(CALLS.updateUsername, { ...idOf(owner), ...names });
  const { body } = await owner.client.call(CALLS.findConnectedAccounts, idOf(owner));
  const after = body.data?.find(({ igUsername }) => igUsername === 'after');
  expect(after?.client).toEqual({ id: clientId, name: 'Renamer' });
});

test('a name is there once, in whatever case, and there are only so many', async () => {
  await makeClient(owner, 'Twice');
  const again = await owner.client.call(CALLS.saveClient, { ...idOf(owner), name: 'tWICE' });
  expect(again.body).toMatchObject({
    code: 'client_exists',
    fields: { name: 'You already have a client called Twice.' },
  });
  const workspaceId = owner.user.membership?.workspaceId ?? '';
  const created_at = new Date(deps.clock.now());
  const { length: left } = await names();
  await deps.database.db
    .insertInto('client')
    .values(
      Array.from({ length: CLIENTS_LIMIT - left }, (_, at) => ({
        workspace_id: workspaceId,
        id: deps.ids.uuid(),
        name: `many ${at}`,
        archived_at: null,
        created_at,
      })),
    )
    .execute();
  const more = await owner.client.call(CALLS.saveClient, { ...idOf(owner), name: 'One more' });
  expect(more.body.code).toBe('too_many_clients');
});

test('who may not is told who may, and a client that is gone is said to be gone', async () => {
  const [notAllowed, notFound] = ['not_allowed', 'not_found'];
  const answers = async (customer: Customer): Promise<Array<string | undefined>> => {
    const { client } = customer;
    const gone = { ...idOf(customer), clientId: NOBODYS };
    const member = { ...idOf(customer), memberId: editor.user.id, allClients: false };
    const grants = [{ clientId: NOBODYS, role: 'Viewer' as const }];
    const results = [
      await client.call(CALLS.saveClient, { ...gone, name: 'New name' }),
      await client.call(CALLS.archiveClient, { ...gone, isArchived: true }),
      await client.call(CALLS.setClient, { ...gone, igUsernames: ['bread'] }),
      await client.call(CALLS.mergeClients, { ...gone, intoId: NOBODYS }),
      await client.call(CALLS.grantClients, { ...member, grants }),
    ];
    return results.map(({ body }) => body.code);
  };
  expect(await answers(editor)).toEqual(Array.from({ length: 5 }, () => notAllowed));
  expect(await answers(owner)).toEqual(Array.from({ length: 5 }, () => notFound));
});

test('an owner has all clients, and whoever becomes one gets them', async () => {
  const own = { ...idOf(owner), memberId: owner.user.id, allClients: false, grants: [] };
  const less = await owner.client.call(CALLS.grantClients, own);
  expect(less.body.code).toBe('last_owner');
  await grant(owner, editor, []);
  const change = { ...idOf(owner), memberId: editor.user.id, role: 'Owner' as const };
  const { body } = await owner.client.call(CALLS.changeMember, change);
  expect(body.data?.members.map(({ allClients }) => allClients)).toEqual([true, true]);
});
