import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { createApp } from '#server/main/app.ts';
import { grant, makeClient } from '#test/clients.ts';
import { type Customer, registerCustomer } from '#test/customers.ts';
import { payPlan } from '#test/paying-customer.ts';
import { pullFrom } from '#test/sync-client.ts';
import { syncPath } from '#test/sync-server.ts';
import { joinAs } from '#test/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let owner: Customer;
const members = new Map<string, Customer>();

beforeAll(async () => {
  deps = await createTestDeps();
  const app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  await payPlan(owner);
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
  account && [account.nextBillingDate, account.moneyBackUntil, account.moneyBackAmount];
const SEEN = [expect.any(String), expect.any(String), expect.any(Number)];
const NONE = [null, null, null];

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
    const { client, user } = memberOf(`${role} for one client`);
    const scope = `w:${user.id}`;
    const snapshot = await (await client.send(syncPath(SNAPSHOT_PATH, { scope }))).text();
    const { epoch } = await pullFrom(client, null, {});
    const bytes = snapshot + JSON.stringify(await pullFrom(client, epoch, { [scope]: 0 }));
    expect(bytes).toContain(account?.igUsername);
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
  },
);

function memberOf(who: string): Customer {
  const member = members.get(who);
  if (!member) throw new Error(`there is no ${who}`);
  return member;
}
