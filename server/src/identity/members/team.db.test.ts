import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer, signUp } from '#test/people/customers.ts';
import { invite, joinAs, tokenFor } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { deleteOldInvitations } from './invitation.repository.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const customer = (name: string): Promise<Customer> => registerCustomer(app, deps, name);
const teamOf = async ({ client, user }: Customer) => {
  const { body } = await client.call(CALLS.findTeam, { userId: user.id });
  return body.data;
};
const rolesOf = async (owner: Customer): Promise<Array<[email: string, role: Role]>> =>
  (await teamOf(owner))?.members.map(({ email, role }): [string, Role] => [email, role]) ?? [];

test('a customer alone is the owner of a workspace of one', async () => {
  const ada = await signUp(app, deps, 'ada');
  expect(ada.user.membership).toMatchObject({ role: 'Owner', people: 1 });
  expect(ada.user.membership?.workspaces).toHaveLength(1);
  expect(await rolesOf(ada)).toEqual([['ada@example.test', 'Owner']]);
});

test('whoever is signed in with the address accepts, acts there, and comes back home', async () => {
  const [owner, bob] = [await customer('o1'), await customer('bob')];
  await invite(owner, 'bob@example.test', 'Editor');
  const token = await tokenFor(deps, 'bob@example.test');
  const accepted = await bob.client.call(CALLS.acceptInvitation, { userId: bob.user.id, token });
  expect(accepted.httpStatus).toBe(200);
  const there = accepted.body.data;
  expect(there?.id).not.toBe(bob.user.id);
  expect(there?.connectedAccounts.map(({ igUsername }) => igUsername)).toEqual(['o1']);
  expect(there?.membership).toMatchObject({ role: 'Editor', people: 2 });
  expect(there?.membership?.workspaces.map(({ role }) => role)).toEqual(['Owner', 'Editor']);
  // What stood in an open page of before is nobody's here.
  const stale = await bob.client.call(CALLS.findUser, { userId: bob.user.id });
  expect(stale.body.code).toBe('not_yours');
  const homeId = bob.user.membership?.workspaceId ?? '';
  const back = { userId: there?.id ?? '', workspaceId: homeId };
  const home = await bob.client.call(CALLS.switchWorkspace, back);
  expect(home.body.data?.id).toBe(bob.user.id);
  expect(home.body.data?.connectedAccounts.map(({ igUsername }) => igUsername)).toEqual(['bob']);
  const foreign = { userId: bob.user.id, workspaceId: deps.ids.uuid() };
  expect((await bob.client.call(CALLS.switchWorkspace, foreign)).body.code).toBe('not_found');
});

test('who is new signs up with the address of the invitation, and is in both workspaces', async () => {
  const owner = await customer('o2');
  await invite(owner, 'new@example.test', 'Viewer');
  const token = await tokenFor(deps, 'new@example.test');
  const visitor = new ApiClient(app, { address: 'new' });
  const about = await visitor.call(CALLS.findInvitation, { token });
  expect(about.body.data).toMatchObject({
    workspaceName: 'Ada Example',
    email: 'new@example.test',
    role: 'Viewer',
    isKnown: false,
  });
  const typed = { token, name: 'Nora New', password: PASSWORD };
  const weak = await visitor.call(CALLS.signUpInvited, { ...typed, password: 'password1' });
  expect(weak.body.code).toBe('invalid_input');
  const { body } = await visitor.call(CALLS.signUpInvited, typed);
  expect(body.data).toMatchObject({ email: 'new@example.test', membership: { role: 'Viewer' } });
  expect(body.data?.membership?.workspaces.map(({ name }) => name)).toEqual([
    'Nora New',
    'Ada Example',
  ]);
  const again = await visitor.call(CALLS.signUpInvited, typed);
  expect(again.body.code).toBe('invitation_over');
  // Logged in again, they are where they were last.
  const login = { email: 'new@example.test', password: PASSWORD };
  const back = await new ApiClient(app, { address: 'new2' }).call(CALLS.login, login);
  expect(back.body.data?.id).toBe(body.data?.id);
});

test('an invitation is good once, for its address, for 48 hours, until it is withdrawn', async () => {
  const [owner, eve, fay] = [await customer('o3'), await customer('eve'), await customer('fay')];
  const accept = async ({ client, user }: Customer, token: string) =>
    (await client.call(CALLS.acceptInvitation, { userId: user.id, token })).body.code;
  await invite(owner, 'fay@example.test', 'Editor');
  const first = await tokenFor(deps, 'fay@example.test');
  expect(await accept(eve, first)).toBe('other_address');
  const unknown = 'A'.repeat(43);
  expect(await accept(fay, unknown)).toBe('invitation_over');
  // A newer invitation replaces it.
  await invite(owner, 'FAY@example.test', 'Viewer');
  const second = await tokenFor(deps, 'fay@example.test');
  expect(await accept(fay, first)).toBe('invitation_over');
  const open = (await teamOf(owner))?.invitations ?? [];
  expect(open.map(({ email, role }) => [email, role])).toEqual([['fay@example.test', 'Viewer']]);
  const withdrawal = { userId: owner.user.id, invitationId: open[0]?.id ?? '' };
  expect((await owner.client.call(CALLS.withdrawInvitation, withdrawal)).httpStatus).toBe(200);
  const twice = await owner.client.call(CALLS.withdrawInvitation, withdrawal);
  expect(twice.body.code).toBe('not_found');
  expect(await accept(fay, second)).toBe('invitation_over');
  await invite(owner, 'fay@example.test', 'Viewer');
  const third = await tokenFor(deps, 'fay@example.test');
  deps.clock.advance(48 * HOUR_MS);
  const { body } = await fay.client.call(CALLS.findInvitation, { token: third });
  expect(body.code).toBe('invitation_over');
  const late = await fay.client.call(CALLS.signUpInvited, {
    token: third,
    name: 'Fay',
    password: PASSWORD,
  });
  expect(late.body.code).toBe('invitation_over');
});

test('an invitation accepted twice at once makes one member', async () => {
  const [owner, gil] = [await customer('o4'), await customer('gil')];
  await invite(owner, 'gil@example.test', 'Editor');
  const token = await tokenFor(deps, 'gil@example.test');
  const input = { userId: gil.user.id, token };
  const answers = await Promise.all(
    [1, 2, 3].map(() => gil.client.call(CALLS.acceptInvitation, input)),
  );
  expect(answers.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(1);
  expect(await rolesOf(owner)).toHaveLength(2);
});

test('a removed member’s session ends with its reason, and the link that let them in is worth nothing', async () => {
  const owner = await customer('o5');
  const hal = await joinAs(deps, app, owner, 'hal', 'Editor');
  const there = hal.user;
  const removal = { userId: owner.user.id, memberId: there.id };
  expect((await owner.client.call(CALLS.removeMember, removal)).httpStatus).toBe(200);
  const asked = await hal.client.call(CALLS.findUser, { userId: there.id });
  expect(asked.httpStatus).toBe(401);
  expect(asked.body).toMatchObject({
    code: 'session_ended',
    fields: { membership: 'You’re no longer a member of that workspace.' },
  });
  expect((await owner.client.call(CALLS.removeMember, removal)).body.code).toBe('not_found');
  const login = { email: 'hal@example.test', password: PASSWORD };
  const client = new ApiClient(app, { address: 'hal2' });
  const { body } = await client.call(CALLS.login, login);
  expect(body.data?.membership).toMatchObject({ role: 'Owner', people: 1 });
  const token = hal.token;
  const again = await client.call(CALLS.acceptInvitation, { userId: body.data?.id ?? '', token });
  expect(again.body.code).toBe('invitation_over');
});

test.each(['removed', 'made less'])(
  'invitations of an owner who was %s meanwhile are over',
  async (how) => {
    const name = how.replace(' ', '.');
    const [owner, friend] = [await customer(`o.${name}`), await customer(`friend.${name}`)];
    const second = await joinAs(deps, app, owner, `second.${name}`, 'Owner');
    await invite(second, friend.user.email, 'Owner');
    const token = await tokenFor(deps, friend.user.email);
    expect((await teamOf(owner))?.invitations).toHaveLength(1);
    const member = { userId: owner.user.id, memberId: second.user.id };
    if (how === 'removed') await owner.client.call(CALLS.removeMember, member);
    else await owner.client.call(CALLS.changeMember, { ...member, role: 'Manager' });
    expect((await teamOf(owner))?.invitations).toEqual([]);
    expect((await friend.client.call(CALLS.findInvitation, { token })).body.code).toBe(
      'invitation_over',
    );
    const asked = { userId: friend.user.id, token };
    const { body } = await friend.client.call(CALLS.acceptInvitation, asked);
    expect(body.code).toBe('invitation_over');
  },
);

test('the last owner can’t leave, be removed or be less; after handing over they can', async () => {
  const owner = await customer('o6');
  const ivy = await joinAs(deps, app, owner, 'ivy', 'Manager');
  const userId = owner.user.id;
  const own = { userId, memberId: userId };
  const { client } = owner;
  expect((await client.call(CALLS.leaveWorkspace, { userId })).body.code).toBe('last_owner');
  expect((await client.call(CALLS.removeMember, own)).body.code).toBe('not_found');
  const less = await client.call(CALLS.changeMember, { ...own, role: 'Viewer' });
  expect(less.body.code).toBe('last_owner');
  const deletion = await client.call(CALLS.deleteAccount, { userId, password: PASSWORD });
  expect(deletion.body).toMatchObject({
    code: 'last_owner',
    message:
      'Other people work in your workspace. Hand it over to one of them, or remove them, before you delete your account.',
  });
  const to = { userId, memberId: ivy.user.id };
  const wrong = await client.call(CALLS.handOver, { ...to, password: 'not it' });
  expect(wrong.body.code).toBe('wrong_credentials');
  const handed = await client.call(CALLS.handOver, { ...to, password: PASSWORD });
  expect(handed.body.data?.members.map(({ email, role }) => [email, role])).toEqual([
    ['ivy@example.test', 'Owner'],
    ['o6@example.test', 'Manager'],
  ]);
  const refused = await client.call(CALLS.handOver, { ...to, password: PASSWORD });
  expect(refused.body.code).toBe('not_allowed');
  const left = await client.call(CALLS.leaveWorkspace, { userId });
  expect(left.body.data).toMatchObject({
    email: 'o6@example.test',
    connectedAccounts: [],
    membership: { role: 'Owner', people: 1 },
  });
  // What is theirs has come along: password, session, address.
  const next = { userId: left.body.data?.id ?? '' };
  expect((await client.call(CALLS.findSessions, next)).body.data).toHaveLength(1);
  const login = { email: 'o6@example.test', password: PASSWORD };
  const again = await new ApiClient(app, { address: 'o6b' }).call(CALLS.login, login);
  expect(again.body.data?.id).toBe(next.userId);
  expect(await rolesOf(ivy)).toEqual([['ivy@example.test', 'Owner']]);
});

test('deleting one’s account leaves others’ workspaces, and takes those one is alone in', async () => {
  const owner = await customer('o7');
  const jon = await joinAs(deps, app, owner, 'jon', 'Manager');
  const input = { userId: jon.user.id, password: PASSWORD };
  expect((await jon.client.call(CALLS.deleteAccount, input)).httpStatus).toBe(200);
  expect(await rolesOf(owner)).toEqual([['o7@example.test', 'Owner']]);
  const { db } = deps.database;
  const left = await db
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', 'jon@example.test')
    .execute();
  expect(left).toEqual([]);
  // Handed over, and then its only one: it goes with its owner, who has another home.
  const kim = await joinAs(deps, app, owner, 'kim', 'Manager');
  const { client, user } = owner;
  const to = { userId: user.id, memberId: kim.user.id, password: PASSWORD };
  await client.call(CALLS.handOver, to);
  await client.call(CALLS.leaveWorkspace, { userId: user.id });
  const gone = { userId: kim.user.id, password: PASSWORD };
  expect((await kim.client.call(CALLS.deleteAccount, gone)).httpStatus).toBe(200);
  const accounts = await db
    .selectFrom('account')
    .select('ig_username')
    .where('workspace_id', '=', user.membership?.workspaceId ?? '')
    .execute();
  expect(accounts.every(({ ig_username: name }) => name.startsWith('deleted-'))).toBe(true);
});

test('invitations that are over are forgotten in the end, open ones are not', async () => {
  const owner = await customer('old');
  const { db } = deps.database;
  const workspaceId = owner.user.membership?.workspaceId ?? '';
  const emails = async () =>
    (
      await db
        .selectFrom('invitation')
        .select('email')
        .where('workspace_id', '=', workspaceId)
        .execute()
    ).map(({ email }) => email);
  await invite(owner, 'first@example.test', 'Viewer');
  deps.clock.advance(3 * HOUR_MS);
  await invite(owner, 'second@example.test', 'Viewer');
  await deleteOldInvitations(db, new Date(deps.clock.now() + 46 * HOUR_MS));
  expect(await emails()).toEqual(['second@example.test']);
});

test('everything is in the audit log', async () => {
  const owner = await customer('o9');
  const { client, user } = owner;
  const mia = await joinAs(deps, app, owner, 'mia', 'Viewer');
  const change = { userId: user.id, memberId: mia.user.id, role: 'Manager' as const };
  await client.call(CALLS.changeMember, { ...change, spendLimit: 50 });
  await client.call(CALLS.handOver, { ...change, password: PASSWORD });
  await client.call(CALLS.leaveWorkspace, { userId: user.id });
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select('action')
    .where('workspace_id', '=', user.membership?.workspaceId ?? '')
    .orderBy('seq')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual([
    'registered',
    'member_invited',
    'member_joined',
    'role_changed',
    'spend_limit_changed',
    'ownership_handed_over',
    'member_left',
  ]);
});
