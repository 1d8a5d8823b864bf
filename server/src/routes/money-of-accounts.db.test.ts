import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { createApp } from '#server/main/app.ts';
import { grant, makeClient } from '#test/people/clients.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { live } from '#test/money/subscription-fixture.ts';
import { pullFrom } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let owner: Customer;
const members = new Map<string, Customer>();

beforeAll(async () => {
  deps = await createTestDeps();
  const app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  await payPlan(deps, owner);
  const clientId = await makeClient(owner, 'Bakery');
  await owner.client.call(CALLS.setClient, {
    userId: owner.user.id,
    igUsernames: [owner.user.defaultIgUsername],
    clientId,
  });
  for (const role of ['Manager', 'Editor', 'Viewer'] as const) {
    members.set(role, await joinAs(deps, app, owner, `all.${role.toLowerCase()}`, role));
    const granted = await joinAs(deps, app, owner, `one.${role.toLowerCase()}`, role);
    await grant(owner, granted, [{ clientId, role }]);
    members.set(`${role} for one client`, granted);
  }
});
afterAll(() => deps.database.close());

const moneyOf = (account: ConnectedAccount | undefined) =>
  account && [
    account.accountPackageSubsriptionDate,
    account.nextBillingDate,
    account.moneyBackUntil,
    account.moneyBackAmount,
  ];
const SEEN = [expect.any(String), expect.any(String), expect.any(String), expect.any(Number)];
const NONE = [null, null, null, null];

test.each([
  { who: 'Manager', seen: SEEN },
  { who: 'Editor', seen: NONE },
  { who: 'Viewer', seen: NONE },
  { who: 'Manager for one client', seen: NONE },
  { who: 'Viewer for one client', seen: NONE },
])('what an account is charged next is told to who sees money: $who', async ({ who, seen }) => {
  const { client, user } = memberOf(who);
  const me = await client.call(CALLS.findUser, { userId: user.id });
  const found = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  expect(me.body.data?.connectedAccounts.map(moneyOf)).toEqual([seen]);
  expect(found.body.data?.map(moneyOf)).toEqual([seen]);
});

test.each(['Manager', 'Editor', 'Viewer'])(
  'no byte that sync delivers to a %s for one client says when money moves',
  async (role) => {
    const { body } = await owner.client.call(CALLS.findUser, { userId: owner.user.id });
    const [account] = body.data?.connectedAccounts ?? [];
    const secrets = [account?.nextBillingDate, account?.moneyBackUntil].map(String);
    const bytes = await deliveredTo(memberOf(`${role} for one client`));
    expect(bytes).toContain(account?.igUsername);
    expect(bytes).toContain('"accountPackageSubsriptionDate":null');
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
  },
);

/** Everything that a device of somebody with single clients gets, by both ways. */
async function deliveredTo({ client, user }: Customer): Promise<string> {
  const scope = `w:${user.id}`;
  const snapshot = await (await client.send(syncPath(SNAPSHOT_PATH, { scope }))).text();
  const { epoch } = await pullFrom(client, null, {});
  return snapshot + JSON.stringify(await pullFrom(client, epoch, { [scope]: 0 }));
}

test('a client isn’t told that a card was declined, but that posts wait, and at once', async () => {
  const baker = memberOf('Viewer for one client');
  const { gateway } = deps;
  const charge = gateway.charge.bind(gateway);
  gateway.charge = () => Promise.resolve({ kind: 'declined', code: 'insufficient_funds' });
  await live(deps, 30 * DAY_MS);
  // The moments of the charge are none of an answer's own.
  deps.clock.advance(MINUTE_MS);
  for (const each of [owner, ...members.values()]) await logIn(each);
  const told = async () => {
    const { client, user } = baker;
    const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
    const bytes = await deliveredTo(baker);
    const [account] = body.data ?? [];
    return { state: account?.subscriptionState, waits: account?.postsWait, bytes };
  };
  const served = await told();
  expect(served).toMatchObject({ state: 'Active', waits: false });
  await live(deps, DAY_MS);
  const waiting = await told();
  expect(waiting).toMatchObject({ state: 'Active', waits: true });
  expect(waiting.bytes).toContain('"postsWait":true');
  gateway.charge = charge;

  const { body } = await owner.client.call(CALLS.findUser, { userId: owner.user.id });
  const [account] = body.data?.connectedAccounts ?? [];
  expect(account).toMatchObject({ subscriptionState: 'Past due' });
  const secrets = ['Past due', account?.postsWaitSince, account?.pastDueSince].map(String);
  const bytes = served.bytes + waiting.bytes;
  expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
});

test('no payment is told in the activity of who isn’t told of money', async () => {
  const textsOf = async ({ client, user }: Customer) => {
    const { body } = await client.call(CALLS.findActivity, { userId: user.id });
    return body.data?.entries.map(({ text }) => text).filter((text) => text.includes('paid'));
  };
  expect(await textsOf(owner)).not.toEqual([]);
  for (const who of ['Viewer', 'Editor', 'Viewer for one client', 'Manager for one client']) {
    expect(await textsOf(memberOf(who))).toEqual([]);
  }
});

async function logIn({ client, user }: Customer): Promise<void> {
  await client.call(CALLS.login, { email: user.email, password: PASSWORD, keepSignedIn: true });
}

function memberOf(who: string): Customer {
  const member = members.get(who);
  if (!member) throw new Error(`there is no ${who}`);
  return member;
}
