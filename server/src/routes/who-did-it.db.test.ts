import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALL_ACTIONS } from '#shared/contract/call-actions.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import type { Call } from '#shared/contract/call.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { MUTATION_ACTIONS, type MutationName } from '#shared/sync/mutations.ts';
import { PUSH_PATH, type PushAnswer } from '#shared/sync/push.ts';
import { createApp } from '#server/main/app.ts';
import { runBulk } from '#server/use-cases/bulk/bulk.job.ts';
import { type Asked, inputOf } from '#test/calls/call-inputs.ts';
import { makeClient } from '#test/people/clients.ts';
import { giveCredits } from '#test/money/credits-fixture.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { endAll, runDue } from '#test/money/subscription-fixture.ts';
import { postJson } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { invite, joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A workspace of two owners: what there has to be is the first one's, and the second one calls. */
interface Scene {
  name: string;
  owner: Customer;
  caller: Customer;
  workspaceId: string;
  accountId: string;
}

async function scene(name: string): Promise<Scene> {
  const owner = await registerCustomer(app, deps, name);
  const caller = await joinAs(deps, app, owner, `${name}.second`, 'Owner');
  const { id: accountId, workspace_id: workspaceId } = await deps.database.db
    .selectFrom('account')
    .select(['id', 'workspace_id'])
    .where('ig_username', '=', name)
    .executeTakeFirstOrThrow();
  return { name, owner, caller, workspaceId, accountId };
}

const thingsOf = ({ owner: { user }, caller }: Scene): Asked => ({
  userId: caller.user.id,
  igUsername: user.defaultIgUsername,
  igId: user.defaultIgId,
  sessionId: caller.user.id,
});

async function connect({ owner: { client, user }, name }: Scene): Promise<string> {
  const igUsername = `${name}.b`;
  deps.network.addAccount(igUsername);
  await client.call(CALLS.addAccount, { userId: user.id, igUsername });
  return igUsername;
}

async function planMany({ name }: Scene, { client, user }: Customer, change: AskedChange) {
  const operationId = deps.ids.uuid();
  const changes = [{ igUsername: name, change }];
  const asked = { userId: user.id, operationId, from: 0, changes };
  const { planned = 0, today = 0 } = (await client.call(CALLS.planBulk, asked)).body.data ?? {};
  return { operationId, planned, today };
}

async function fallPastDue({ name, owner, caller, accountId }: Scene): Promise<object> {
  await endAll(deps);
  await payPlan(deps, owner, name);
  deps.clock.advance(31 * DAY_MS);
  deps.gateway.queueFailure({ kind: 'declined', code: 'authentication_required' });
  await runDue(deps);
  await caller.client.call(CALLS.login, { email: caller.user.email, password: PASSWORD });
  return { accountId };
}

/** Another workspace has a plan for the account. */
async function writeCode({ caller: { client, user }, name }: Scene): Promise<void> {
  const stranger = await registerCustomer(app, deps, `${name}.stranger`);
  await stranger.client.call(CALLS.addAccount, { userId: stranger.user.id, igUsername: name });
  await payPlan(deps, stranger, name);
  const asked = { userId: user.id, igUsername: name };
  const { code } = (await client.call(CALLS.findOwnership, asked)).body.data ?? {};
  deps.network.change(name, { biography: `Pictures. ${code}` });
}

async function plantPostToLike({ accountId, workspaceId, name }: Scene): Promise<void> {
  await giveCredits(deps, workspaceId, 1000);
  const planted = { workspaceId, accountId, igUsername: name, igId: '', subscriptionId: '' };
  await plantPost(deps, planted, { id: '101' });
}

const SAVED = { savedCard: `${'•'.repeat(13)}242` };
const DEARER: AskedChange = { kind: 'plan', packageIndex: 4 };
const paid = ({ owner, name }: Scene): Promise<object> => payPlan(deps, owner, name);
const third = async ({ owner, name }: Scene): Promise<object> => {
  const { user } = await joinAs(deps, app, owner, `${name}.third`, 'Editor');
  return { memberId: user.id };
};

/** What there has to be before a call can succeed, and what it asks for then, beside what is always asked. */
const BEFORE: Partial<Record<keyof typeof CALLS, (of: Scene) => Promise<object | void>>> = {
  addAccount: async ({ name }) => {
    deps.network.addAccount(`${name}.new`);
    return { igUsername: `${name}.new` };
  },
  removeAccount: async (of) => ({ igUsername: await connect(of) }),
  proveOwnership: writeCode,
  updateUsername: async () => void deps.network.addAccount('eve'),
  addSubscriptionWithSavedCard: async (of) => {
    await paid(of);
    return { igUsername: await connect(of), ...SAVED };
  },
  changePlan: async (of) => {
    await paid(of);
    const { client, user } = of.owner;
    const wanted = { userId: user.id, igUsername: of.name, packageIndex: 4 };
    return { quoteId: (await client.call(CALLS.quotePlan, wanted)).body.data?.quoteId };
  },
  keepPlan: async (of) => {
    await paid(of);
    await changePlanTo(of.owner, 1, of.name);
  },
  pauseSubscription: async (of) => {
    await paid(of);
    return { until: new Date(deps.clock.now() + 10 * DAY_MS).toISOString() };
  },
  resumeSubscription: async (of) => {
    await paid(of);
    const asked = { userId: of.owner.user.id, igUsername: of.name };
    await of.owner.client.call(CALLS.cancelSubscription, asked);
  },
  cancelSubscription: paid,
  stopSubscription: paid,
  moneyBack: paid,
  startBulk: async (of) => {
    await paid(of);
    return planMany(of, of.caller, DEARER);
  },
  undoBulk: async (of) => {
    const shown = await planMany(of, of.owner, { kind: 'tags', add: ['many'], remove: [] });
    const { client, user } = of.owner;
    await client.call(CALLS.startBulk, { userId: user.id, ...shown });
    while ((await runBulk(deps)) === 'again') continue;
    return { operationId: shown.operationId };
  },
  stopBulk: async (of) => {
    const shown = await planMany(of, of.owner, { kind: 'tags', add: ['many'], remove: [] });
    const { client, user } = of.owner;
    await client.call(CALLS.startBulk, { userId: user.id, ...shown });
    return { operationId: shown.operationId };
  },
  proposeBulk: async (of) => {
    await paid(of);
    return planMany(of, of.caller, DEARER);
  },
  closeProposal: async (of) => {
    await paid(of);
    const shown = await planMany(of, of.owner, DEARER);
    const { client, user } = of.owner;
    await client.call(CALLS.proposeBulk, { userId: user.id, ...shown });
    return { operationId: shown.operationId };
  },
  confirmRenewal: fallPastDue,
  addLikeOrder: plantPostToLike,
  buyCreditsWithSavedCard: async (of) => {
    await paid(of);
    return SAVED;
  },
  withdrawInvitation: async ({ owner }) => {
    await invite(owner, 'guest@example.test', 'Viewer');
    const { body } = await owner.client.call(CALLS.findTeam, { userId: owner.user.id });
    return { invitationId: body.data?.invitations[0]?.id };
  },
  changeMember: third,
  removeMember: third,
  handOver: third,
  grantClients: third,
  mergeClients: async ({ owner }) => ({
    clientId: await makeClient(owner, 'Bakery'),
    intoId: await makeClient(owner, 'Cinema'),
  }),
  archiveClient: async ({ owner }) => ({ clientId: await makeClient(owner, 'Bakery') }),
};

/** What only reads, plans or prices, opens a page, or ends a payment that has bought nothing. */
const CHANGES_NOTHING = new Set<string>([
  'lookUpAccount',
  'findOwnership',
  'quoteMoneyBack',
  'quotePlan',
  'planBulk',
  'reviewBulk',
  'findBulk',
  'findBulkItems',
  'findMadeItems',
  'findProposals',
  'findPaymentState',
  'giveUpPayment',
  'enterCardElsewhere',
  'findReportMail',
]);
const NEED_ENTRY = new Set<string>(['edit', 'connect', 'clients', 'spend', 'team']);

async function actorsOf(workspaceId: string): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select('actor')
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq')
    .execute();
  return rows.map(({ actor }) => actor);
}

/** Whom the entries name that this leaves: one change is one. */
async function namedBy(
  { caller, workspaceId }: Scene,
  act: () => Promise<void>,
): Promise<string[]> {
  const { user_id: callerId } = await deps.database.db
    .selectFrom('membership')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', caller.user.id)
    .executeTakeFirstOrThrow();
  const before = await actorsOf(workspaceId);
  await act();
  const left = (await actorsOf(workspaceId)).slice(before.length);
  return left.map((actor) => (actor === callerId ? 'caller' : actor));
}

/** Those that share a workspace come first: later on time passes, and its sessions end. */
const changing = (Object.entries(CALLS) as Array<[keyof typeof CALLS, Call]>)
  .filter(([name]) => NEED_ENTRY.has(CALL_ACTIONS[name]) && !CHANGES_NOTHING.has(name))
  .toSorted(([one], [other]) => Number(one in BEFORE) - Number(other in BEFORE));

describe('what changes something names in the audit log who called', () => {
  /** Of calls that need nothing before them, and of changes; each looks only at the entries that it leaves itself. */
  let shared: Scene;
  beforeAll(async () => {
    shared = await scene('shared');
    await plantPostToLike(shared);
  });

  const mutations = (Object.keys(MUTATION_ACTIONS) as MutationName[]).filter((name) =>
    NEED_ENTRY.has(MUTATION_ACTIONS[name]),
  );
  test.each(mutations)('the change %s', async (name) => {
    const { accountId, owner, caller } = shared;
    const { defaultIgId: igId } = owner.user;
    const off = { automaticLikes: false, speed: 'Instant', range: null };
    const args: Partial<Record<MutationName, object>> = {
      orderLikes: { orderId: deps.ids.uuid(), igId, postId: '101', shortCode: 'C101', likes: 20 },
      saveDeliverySettings: { igId, settings: off },
      tagAccounts: { accountIds: [accountId], add: ['theirs'], remove: [] },
    };
    const named = await namedBy(shared, async () => {
      const change = { mid: 1, name, v: 1, args: args[name] };
      const body = { clientId: deps.ids.uuid(), mutations: [change] };
      const response = await postJson(caller.client, syncPath(PUSH_PATH), body);
      const [result] = ((await response.json()) as PushAnswer).results;
      expect(result).toMatchObject({ status: 'ok' });
    });
    expect(named).toEqual(['caller']);
  });

  test.each(changing)('%s', async (name, call) => {
    const of = name in BEFORE ? await scene(`w${deps.ids.uuid().slice(-12)}`) : shared;
    const input = { ...inputOf(name, thingsOf(of)), ...(await BEFORE[name]?.(of)) };
    const named = await namedBy(of, async () => {
      const { body } = await of.caller.client.call(call, input);
      expect(body).toMatchObject({ status: 'success' });
    });
    expect(named).toEqual(['caller']);
  });
});

test('the gateway’s page is one for all: the card is of whoever asked for it last', async () => {
  const of = await scene('page');
  const { owner, caller } = of;
  const open = async ({ client, user }: Customer) =>
    (await client.call(CALLS.enterCardElsewhere, { userId: user.id })).body.data;
  await open(owner);
  const named = await namedBy(of, async () => {
    const { paymentId = '', url = '' } = (await open(caller)) ?? {};
    const typed = { number: '5555555555554444', name: 'Ada Page', month: 3, year: 2031 };
    deps.gateway.enterCard(url.split('/').at(-1) ?? '', typed);
    await owner.client.call(CALLS.findPaymentState, { userId: owner.user.id, paymentId });
  });
  expect(named).toEqual(['caller']);
});
