import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { MUTATION_ARGS, type MutationName } from '#shared/sync/mutations.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { createApp } from '#server/main/app.ts';
import { planMany, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { inputOf } from '#test/calls/call-inputs.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { connectFor, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { fieldsOf } from '#test/calls/schema-fields.ts';
import { postJson } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { invite, joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** Fields of calls and mutations that name a thing by our id. */
const IDS = [
  'operationId',
  'proposalId',
  'paymentId',
  'quoteId',
  'documentId',
  'invitationId',
  'memberId',
  'clientId',
  'intoId',
  'workspaceId',
  'sessionId',
  'accountId',
  'viewId',
] as const;
type Ids = Record<(typeof IDS)[number], string>;
/** Who asks, and what a network or a client has made: not ours to look up. */
const NOT_OURS = ['userId', 'igId', 'postId', 'beforeId', 'taxId', 'orderId'];

/** What isn't a field of its own. */
const WITHIN: Readonly<Record<string, (ids: Ids) => object>> = {
  grantClients: ({ memberId, clientId }) => ({
    memberId,
    grants: [{ clientId, role: 'Viewer' }],
  }),
  saveReportMail: ({ clientId, memberId }) => ({ clientId, memberIds: [memberId] }),
  planBulk: ({ operationId, clientId }) => ({
    operationId,
    changes: [{ igUsername: 'mine', change: { kind: 'client', clientId } }],
  }),
  setClient: ({ clientId }) => ({ clientId }),
  tagAccounts: ({ accountId }) => ({ accountIds: [accountId], add: ['x'], remove: [] }),
  setPreferences: ({ accountId }) => ({ pinnedAccountIds: [accountId] }),
  setAlerts: ({ clientId }) => ({ mute: { kind: 'account_unreadable', clientId, isOn: true } }),
};

let deps: TestDeps;
let app: Hono;
let mine: Customer;
let theirs: Customer;
let their: Ids;
let theirsBefore: unknown;
/** Operations of theirs in each of their states. */
const operations = { planned: '', proposed: '', running: '', done: '' };
const STATES = ['planned', 'proposed', 'running', 'done'] as const;

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  mine = await registerCustomer(app, deps, 'mine');
  await payPlan(deps, mine);
  theirs = await registerCustomer(app, deps, 'theirs');
  await payPlan(deps, theirs);
  const clientId = await makeClient(theirs, 'Bakery');
  const accountId = await connectFor(deps, theirs, 'bakery', clientId);
  const { client, user } = theirs;
  const userId = user.id;
  const manager = await joinAs(deps, app, theirs, 'their.manager', 'Manager');
  await invite(theirs, 'awaited@example.test', 'Viewer');
  const paying = { userId, igUsername: 'bakery', packageIndex: 1, ...CARD_FORM, ...ASKING_CARD };
  const asked = (await client.call(CALLS.addSubscription, paying)).body;
  const tagged = await planMany(deps, theirs, ['theirs'], { kind: 'tags', add: ['a'], remove: [] });
  await startMany(theirs, tagged);
  await runMany(deps);
  await client.call(CALLS.saveApproval, { userId, approvalAbove: 0 });
  const { operationId: proposed, ...seen } = await planMany(deps, manager, ['theirs'], {
    kind: 'plan',
    packageIndex: 4,
  });
  const { planned, today } = seen;
  const proposal = { userId: manager.user.id, operationId: proposed, planned, today };
  await manager.client.call(CALLS.proposeBulk, proposal);
  const waiting = await planMany(deps, theirs, ['theirs'], { kind: 'cancel' });
  await startMany(theirs, waiting);
  const shown = await planMany(deps, theirs, ['bakery'], { kind: 'tags', add: ['b'], remove: [] });
  operations.done = tagged.operationId;
  operations.proposed = proposed;
  operations.running = waiting.operationId;
  operations.planned = shown.operationId;
  const wanted = { userId, igUsername: 'theirs', packageIndex: 5 };
  const quote = (await client.call(CALLS.quotePlan, wanted)).body.data;
  const documents = (await client.call(CALLS.findDocuments, { userId })).body.data;
  const sessions = (await client.call(CALLS.findSessions, { userId })).body.data;
  const team = (await client.call(CALLS.findTeam, { userId })).body.data;
  const viewId = deps.ids.uuid();
  const view = { viewId, name: 'Late', search: '', isShared: true };
  await push(client, 'saveView', view);
  their = {
    operationId: operations.done,
    proposalId: proposed,
    paymentId: asked.action?.paymentId ?? '',
    quoteId: quote?.quoteId ?? '',
    documentId: documents?.documents[0]?.id ?? '',
    invitationId: team?.invitations[0]?.id ?? '',
    memberId: manager.user.id,
    clientId,
    intoId: clientId,
    workspaceId: workspaceOf(theirs),
    sessionId: sessions?.[0]?.id ?? '',
    accountId,
    viewId,
  };
  theirsBefore = await theirRows();
});
afterAll(() => deps.database.close());
// What was planned under an id of theirs is of one's own workspace, and would be found by it.
afterEach(() =>
  deps.database.db
    .deleteFrom('bulk_operation')
    .where('workspace_id', '=', workspaceOf(mine))
    .execute(),
);

const workspaceOf = ({ user }: Customer) => user.membership?.workspaceId as WorkspaceId;

const isKnown = (field: string): field is keyof Ids => IDS.some((id) => id === field);

/** The ids of an input: its own fields, and those within it. */
function idsOf(name: string, schema: unknown, ids: Ids): object {
  const own = fieldsOf(schema).filter(isKnown);
  return { ...Object.fromEntries(own.map((id) => [id, ids[id]])), ...WITHIN[name]?.(ids) };
}

/** Every row of their workspace, by table. */
async function theirRows(): Promise<unknown> {
  const { db } = deps.database;
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name = 'workspace_id'`.execute(db);
  const each = tables.map(
    ({ name }) => sql`select ${name}::text as name, to_jsonb(t) as row
      from ${sql.table(name)} t where t.workspace_id = ${their.workspaceId}`,
  );
  const { rows } = await sql`select * from (${sql.join(each, sql` union all `)}) r
    order by name, row::text`.execute(db);
  return rows;
}

/** All of it is as it was when somebody looked last. */
async function expectTheirsUntouched(): Promise<void> {
  const before = theirsBefore;
  theirsBefore = await theirRows();
  expect(theirsBefore).toEqual(before);
}

async function push(client: Customer['client'], name: MutationName, args: object) {
  const mutations = [{ mid: 1, name, v: 1, args }];
  const body = { clientId: deps.ids.uuid(), mutations };
  return (await postJson(client, syncPath(PUSH_PATH), body)).json();
}

const nobodys = (): Ids =>
  Object.fromEntries(IDS.map((id) => [id, deps.ids.uuid()] as const)) as Ids;

/** What an answer says, whichever ids it repeats or makes, and however often it was asked. */
const told = (answer: unknown): string =>
  JSON.stringify(answer)
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    .replaceAll(/:id":\d+/g, ':id":0');

test('the other workspace has one of each', () => {
  expect(Object.entries({ ...their, ...operations }).filter(([, id]) => id === '')).toEqual([]);
});

test('every id that a call or a mutation takes is one of these', () => {
  const inputs = [
    ...Object.values(CALLS).map(({ input }) => input),
    ...Object.values(MUTATION_ARGS),
  ];
  const ids = inputs.flatMap(fieldsOf).filter((field) => field.endsWith('Id'));
  expect(ids.filter((id) => !isKnown(id) && !NOT_OURS.includes(id))).toEqual([]);
});

const takesIds = (name: string, schema: unknown): boolean =>
  name in WITHIN || fieldsOf(schema).some(isKnown);
const asked = (Object.entries(CALLS) as Array<[keyof typeof CALLS, Call]>)
  .filter(([name, { input, session }]) => session === 'required' && takesIds(name, input))
  .flatMap(([name, call]) => {
    const states = fieldsOf(call.input).includes('operationId') ? STATES : ([''] as const);
    return states.map((state) => [name, state, call] as const);
  });

test.each(asked)('%s %s takes what is theirs for what nobody has', async (name, state, call) => {
  const { user } = mine;
  const { defaultIgUsername: igUsername, defaultIgId: igId } = user;
  const own = inputOf(name, { userId: user.id, igUsername, igId, sessionId: user.id });
  const ask = async (ids: Ids) => {
    const { httpStatus, body } = await mine.client.call(call, {
      ...own,
      ...idsOf(name, call.input, ids),
    });
    return { httpStatus, ...body };
  };
  const ofNobody = await ask(nobodys());
  expect(ofNobody.code).not.toBe('invalid_input');
  const operationId = state ? operations[state] : their.operationId;
  expect(told(await ask({ ...their, operationId }))).toBe(told(ofNobody));
  await expectTheirsUntouched();
});

const pushed = (Object.entries(MUTATION_ARGS) as Array<[MutationName, unknown]>).filter(
  ([name, schema]) => takesIds(name, schema),
);

test.each(pushed)(
  'the change %s takes what is theirs for what nobody has',
  async (name, schema) => {
    const ask = (ids: Ids) => {
      const view = name === 'saveView' && { name: ids.viewId, search: '', isShared: true };
      return push(mine.client, name, { ...view, ...idsOf(name, schema, ids) });
    };
    const ofNobody = told(await ask(nobodys()));
    expect(ofNobody).not.toContain('invalid_input');
    expect(told(await ask(their))).toBe(ofNobody);
    await expectTheirsUntouched();
  },
);
