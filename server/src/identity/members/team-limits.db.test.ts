import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { createApp } from '#server/main/app.ts';
import { isWithinLimit, type Limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { limitPlanCalls } from '#server/money/cancellation/cancellation.service.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { invite, joinAs, tokenFor } from '#test/people/team.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const customer = (name: string): Promise<Customer> => registerCustomer(app, deps, name);

async function useUp(use: Limit, key: string): Promise<void> {
  for (let used = 0; used < use.uses; used += 1) await isWithinLimit(deps, { ...use, key });
}

const asOwner = async ({ client, user }: Customer, email: string) =>
  (await client.call(CALLS.inviteMember, { userId: user.id, email, role: 'Viewer' })).body.code;

test('a member isn’t invited again, nor more people than there is room for, and an address not too often', async () => {
  const owner = await customer('ada');
  const bob = await joinAs(deps, app, owner, 'bob', 'Manager');
  expect(await asOwner(bob, 'x@example.test')).toBe('not_allowed');
  expect(await asOwner(owner, 'bob@example.test')).toBe('already_member');
  for (let nr = 0; nr < 20; nr += 1) {
    expect(await asOwner(owner, `q${nr}@example.test`)).toBeUndefined();
  }
  expect(await asOwner(owner, 'q20@example.test')).toBe('team_full');
  // The same address again replaces its invitation, four times more a day.
  for (let nr = 0; nr < 4; nr += 1) {
    expect(await asOwner(owner, 'q1@example.test')).toBeUndefined();
  }
  expect(await asOwner(owner, 'q1@example.test')).toBe('rate_limited');
  const { body } = await owner.client.call(CALLS.findTeam, { userId: owner.user.id });
  const withdrawal = { userId: bob.user.id, invitationId: body.data?.invitations[0]?.id ?? '' };
  const refused = await bob.client.call(CALLS.withdrawInvitation, withdrawal);
  expect(refused.body.code).toBe('not_allowed');
});

test('a workspace has a hundred people at most, also when two accept the last place', async () => {
  const owner = await customer('full');
  const [cem, dee] = [await customer('cem'), await customer('dee')];
  await invite(owner, cem.user.email, 'Viewer');
  const token = await tokenFor(deps, cem.user.email);
  await invite(owner, 'new@example.test', 'Viewer');
  const newToken = await tokenFor(deps, 'new@example.test');
  const now = new Date(deps.clock.now());
  const people = Array.from({ length: 99 }, (_, nr) => ({
    workspace_id: deps.ids.uuid(),
    id: deps.ids.uuid(),
    name: `N${nr}`,
    email: `n${nr}@example.test`,
    phone: '',
    password_hash: '',
    package: 1,
    time_zone: 'UTC',
    default_account_id: null,
    created_at: now,
  }));
  const homes = people.map(({ workspace_id: id }) => ({ id, created_at: now }));
  const memberships = people.map((person) => ({
    workspace_id: owner.user.membership?.workspaceId ?? '',
    user_id: person.id,
    id: deps.ids.uuid(),
    home_workspace_id: person.workspace_id,
    role: 'Viewer' as const,
    created_at: now,
  }));
  await deps.database.transaction(async (tx) => {
    await tx.insertInto('workspace').values(homes).execute();
    await tx.insertInto('app_user').values(people).execute();
    await tx.insertInto('membership').values(memberships).execute();
  });
  const input = { userId: cem.user.id, token };
  expect((await cem.client.call(CALLS.acceptInvitation, input)).body.code).toBe('team_full');
  const typed = { token: newToken, name: 'New', password: PASSWORD };
  const visitor = new ApiClient(app, { address: 'visitor' });
  expect((await visitor.call(CALLS.signUpInvited, typed)).body.code).toBe('team_full');
  expect(await asOwner(owner, dee.user.email)).toBe('team_full');
});

test('who has signed up meanwhile can’t sign up by the link', async () => {
  const owner = await customer('meanwhile');
  await invite(owner, 'eve@example.test', 'Viewer');
  const token = await tokenFor(deps, 'eve@example.test');
  const eve = await customer('eve');
  const typed = { token, name: 'Eve', password: PASSWORD };
  const visitor = new ApiClient(app, { address: 'eve' });
  expect((await visitor.call(CALLS.signUpInvited, typed)).body.code).toBe('email_taken');
  const { body } = await eve.client.call(CALLS.acceptInvitation, { userId: eve.user.id, token });
  expect(body.data?.membership?.role).toBe('Viewer');
});

test('links are tried, and passwords checked, only so often', async () => {
  const owner = await customer('often');
  const fay = await joinAs(deps, app, owner, 'fay', 'Manager');
  const to = { userId: owner.user.id, memberId: fay.user.id };
  for (let tried = 0; tried < 5; tried += 1) {
    await owner.client.call(CALLS.handOver, { ...to, password: 'wrong' });
  }
  const handed = await owner.client.call(CALLS.handOver, { ...to, password: PASSWORD });
  expect(handed.body.code).toBe('rate_limited');
  const token = 'A'.repeat(43);
  const address = '203.0.113.77';
  await useUp(LIMITS.invitationToken, address);
  const visitor = new ApiClient(app, { address });
  const found = await visitor.call(CALLS.findInvitation, { token });
  const confirmed = await visitor.call(CALLS.confirmReports, { token });
  const typed = { token, name: 'X', password: PASSWORD };
  const signedUp = await visitor.call(CALLS.signUpInvited, typed);
  const gil = new ApiClient(app, { address: 'gil' });
  await customer('gil');
  await gil.call(CALLS.login, { email: 'gil@example.test', password: PASSWORD });
  const there = new ApiClient(app, { address });
  there.setCookie('ovation', gil.cookie('ovation') ?? '');
  const { body } = await gil.call(CALLS.login, { email: 'gil@example.test', password: PASSWORD });
  there.setCookie('ovation', gil.cookie('ovation') ?? '');
  const input = { userId: body.data?.id ?? '', token };
  const accepted = await there.call(CALLS.acceptInvitation, input);
  expect([found, confirmed, signedUp, accepted].map((each) => each.body.code)).toEqual(
    Array.from({ length: 4 }, () => 'rate_limited'),
  );
});

test('while too many passwords are checked nobody signs up or hands over', async () => {
  const owner = await customer('busy');
  const hal = await joinAs(deps, app, owner, 'hal', 'Manager');
  await invite(owner, 'ida@example.test', 'Viewer');
  const token = await tokenFor(deps, 'ida@example.test');
  const busy = createApp(deps, { passwords: { concurrency: 0, waiting: 0 } });
  const visitor = new ApiClient(busy, { address: 'ida' });
  const typed = { token, name: 'Ida', password: PASSWORD };
  const signedUp = await visitor.call(CALLS.signUpInvited, typed);
  const client = new ApiClient(busy, { address: 'busy' });
  client.setCookie('ovation', owner.client.cookie('ovation') ?? '');
  const to = { userId: owner.user.id, memberId: hal.user.id, password: PASSWORD };
  const handed = await client.call(CALLS.handOver, to);
  expect([signedUp.body.code, handed.body.code]).toEqual(['overloaded', 'overloaded']);
});

test('who saves delivery settings of an account without end keeps nobody else from it', async () => {
  const owner = await customer('saved');
  const [jan, kim] = [
    await joinAs(deps, app, owner, 'jan', 'Editor'),
    await joinAs(deps, app, owner, 'kim', 'Editor'),
  ];
  const settings = { automaticLikes: true, speed: 'Instant', range: null } as const;
  const save = async ({ client, user }: Customer): Promise<string | undefined> => {
    const input = { userId: user.id, igId: owner.user.defaultIgId, settings };
    return (await client.call(CALLS.saveDeliverySettings, input)).body.code;
  };
  for (let nr = 0; nr < 3; nr += 1) expect(await save(jan)).toBeUndefined();
  await countUses(deps, LIMITS.settings, LIMITS.settings.uses - 4);
  expect(await save(jan)).toBeUndefined();
  expect(await save(jan)).toBe('rate_limited');
  expect([await save(kim), await save(owner)]).toEqual([undefined, undefined]);
});

test('who pauses, stops and asks prices without end keeps nobody else from it; together managers have three times as many', async () => {
  const owner = await customer('paused');
  const [lee, mia, noa, oda] = await Promise.all(
    ['lee', 'mia', 'noa', 'oda'].map((name) => joinAs(deps, app, owner, name, 'Manager')),
  );
  const workspaceId = owner.user.membership?.workspaceId as WorkspaceId;
  for (const name of ['cancellation', 'quote'] as const) {
    const count = async (who: Customer | undefined, times: number): Promise<number> => {
      const { user_id: actor } = await deps.database.db
        .selectFrom('membership')
        .select('user_id')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', who?.user.id ?? '')
        .executeTakeFirstOrThrow();
      const asked = { workspaceId, igUsername: 'paused', actor };
      let done = 0;
      for (let nr = 0; nr < times; nr += 1) {
        await limitPlanCalls(deps, name, asked).then(
          () => (done += 1),
          () => undefined,
        );
      }
      return done;
    };
    const { uses } = LIMITS[name];
    expect(await count(lee, uses + 1)).toBe(uses);
    expect(await count(mia, uses - 1)).toBe(uses - 1);
    expect(await count(noa, uses - 1)).toBe(uses - 1);
    expect(await count(oda, uses)).toBe(2);
    expect(await count(owner, uses)).toBe(uses);
  }
});
