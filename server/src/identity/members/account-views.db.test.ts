import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import { PUSH_PATH, type PushAnswer } from '#shared/sync/push.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { projectUser } from '#server/read-model/users.service.ts';
import { grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { postJson } from '#test/calls/sync-client.ts';
import { syncPath } from '#test/calls/sync-server.ts';
import { joinAs } from '#test/people/team.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let owner: Customer;
let manager: Customer;
let editor: Customer;
/** Works for one client. */
let viewer: Customer;
let mids: Map<Customer, number>;

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  manager = await joinAs(deps, app, owner, 'the.manager', 'Manager');
  editor = await joinAs(deps, app, owner, 'the.editor', 'Editor');
  viewer = await joinAs(deps, app, owner, 'the.viewer', 'Viewer');
  const clientId = await makeClient(owner, 'Bakery');
  await grant(owner, viewer, [{ clientId, role: 'Viewer' }]);
  mids = new Map();
});
afterAll(() => deps.database.close());
beforeEach(() => deps.database.db.deleteFrom('account_view').execute());

const id = (nr: number): string => `01890000-0000-7000-8000-${String(nr).padStart(12, '0')}`;
const view = (nr: number, more: Partial<AccountView> = {}): AccountView => ({
  id: id(nr),
  name: `View ${nr}`,
  search: '?sort=plan',
  isShared: false,
  ...more,
});

/** What it was refused for, or has to wait for; undefined: done. */
async function push(who: Customer, name: string, args: object): Promise<string | undefined> {
  const mid = (mids.get(who) ?? 0) + 1;
  // One for each person: changes of a client are numbered without a gap.
  const clientId = who.user.id;
  const sent = { clientId, mutations: [{ mid, name, v: 1, args }] };
  const response = await postJson(who.client, syncPath(PUSH_PATH), sent);
  const { results } = (await response.json()) as PushAnswer;
  const [result] = results;
  // What isn't decided is sent again under its number.
  if (result?.status !== 'later') mids.set(who, mid);
  return result?.status === 'ok' ? undefined : result?.code;
}
const save = (who: Customer, { id: viewId, ...rest }: AccountView) =>
  push(who, 'saveView', { viewId, ...rest });
const remove = (who: Customer, viewId: string) => push(who, 'removeView', { viewId });

async function seenBy({ user }: Customer): Promise<string[]> {
  const workspaceId = user.membership?.workspaceId;
  if (workspaceId === undefined) throw new Error(`${user.name} is in no workspace`);
  const [[, row] = []] = await projectUser(deps, { scope: `u:${user.id}`, workspaceId });
  return (row?.views ?? []).map(({ name, isShared }) => (isShared ? `${name} (shared)` : name));
}

async function headOf({ user }: Customer): Promise<number> {
  const head = await deps.database.db
    .selectFrom('sync_head')
    .select('v')
    .where('scope', '=', `u:${user.id}`)
    .executeTakeFirstOrThrow();
  return head.v;
}

test('an own view is seen by whoever saved it alone', async () => {
  expect(await save(editor, view(1))).toBeUndefined();
  expect(await seenBy(editor)).toEqual(['View 1']);
  expect(await seenBy(owner)).toEqual([]);
});

test('a shared view is seen by all who work for all clients, and a change of it reaches each replica', async () => {
  const people = [owner, manager, editor];
  const before = await Promise.all(people.map(headOf));
  expect(await save(manager, view(1, { isShared: true }))).toBeUndefined();
  expect(await Promise.all(people.map(seenBy))).toEqual(people.map(() => ['View 1 (shared)']));
  expect(await Promise.all(people.map(headOf))).toEqual(before.map((v) => v + 1));
  expect(await save(owner, view(1, { isShared: true, name: 'Renamed' }))).toBeUndefined();
  expect(await seenBy(editor)).toEqual(['Renamed (shared)']);
  expect(await remove(manager, id(1))).toBeUndefined();
  expect(await seenBy(editor)).toEqual([]);
  expect(await Promise.all(people.map(headOf))).toEqual(before.map((v) => v + 3));
});

test('only owners and managers share, change what is shared, and take it away', async () => {
  await save(owner, view(1, { isShared: true }));
  expect(await save(editor, view(2, { isShared: true }))).toBe('not_allowed');
  expect(await save(editor, view(1, { name: 'Mine' }))).toBe('not_allowed');
  expect(await remove(editor, id(1))).toBe('not_allowed');
  expect(await seenBy(editor)).toEqual(['View 1 (shared)']);
});

test('an id in capitals is the same id, and gets nobody around what sharing takes', async () => {
  const shared = { ...view(1, { isShared: true }), id: '01890000-0000-7000-8000-00000000abcd' };
  await save(owner, shared);
  const inCapitals = { ...shared, id: shared.id.toUpperCase(), isShared: false };
  expect(await save(editor, inCapitals)).toBe('not_allowed');
  expect(await seenBy(owner)).toEqual(['View 1 (shared)']);
  expect(await remove(owner, inCapitals.id)).toBeUndefined();
  expect(await seenBy(owner)).toEqual([]);
});

test('a view that is shared no longer belongs to whoever stopped it', async () => {
  await save(owner, view(1, { isShared: true }));
  expect(await save(manager, view(1))).toBeUndefined();
  expect(await seenBy(manager)).toEqual(['View 1']);
  expect(await seenBy(owner)).toEqual([]);
});

test('somebody else’s own view can’t be changed or taken away by its id', async () => {
  await save(editor, view(1));
  expect(await save(owner, view(1, { name: 'Taken' }))).toBe('not_yours');
  expect(await remove(owner, id(1))).toBeUndefined();
  expect(await seenBy(editor)).toEqual(['View 1']);
});

test('names are told apart in each list, whatever their case, and a list has 20', async () => {
  await save(owner, view(1));
  expect(await save(owner, view(2, { name: 'VIEW 1' }))).toBe('view_exists');
  expect(await save(owner, view(2, { name: 'VIEW 1', isShared: true }))).toBeUndefined();
  for (let nr = 3; nr < 22; nr += 1) await save(owner, view(nr));
  expect(await save(owner, view(22))).toBe('too_many_views');
  expect(await save(owner, view(21, { name: 'Other name' }))).toBeUndefined();
});

test('names that only the database takes for the same are refused, too, and what comes next is done', async () => {
  await save(owner, view(1, { name: 'istanbul' }));
  expect(await save(owner, view(2, { name: 'İstanbul' }))).toBe('view_exists');
  expect(await save(owner, view(2))).toBeUndefined();
});

test('who saves views without end waits, and nobody else does', async () => {
  deps.clock.advance(LIMITS.views.perMs);
  for (let nr = 0; nr < 4; nr += 1) {
    expect(await save(editor, view(1, { name: `View ${nr}` }))).toBeUndefined();
    expect(await remove(editor, id(1))).toBeUndefined();
    if (nr === 2) await countUses(deps, LIMITS.views, LIMITS.views.uses - 8);
  }
  expect(await save(editor, view(2))).toBe('rate_limited');
  expect(await remove(editor, id(2))).toBe('rate_limited');
  expect(await save(manager, view(3, { isShared: true }))).toBeUndefined();
  deps.clock.advance(LIMITS.views.perMs);
  expect(await save(editor, view(2))).toBeUndefined();
});

test('who works for single clients, or is one, isn’t told of shared views: their words may name others', async () => {
  await save(owner, view(1, { isShared: true }));
  expect(await seenBy(editor)).toEqual(['View 1 (shared)']);
  await save(viewer, view(2));
  expect(await seenBy(viewer)).toEqual(['View 2']);
});

test('whoever leaves takes their own views along, and leaves the shared ones', async () => {
  const gone = await joinAs(deps, app, owner, 'the.leaver', 'Manager');
  await save(gone, view(1));
  await save(gone, view(2, { isShared: true }));
  await gone.client.call(CALLS.leaveWorkspace, { userId: gone.user.id });
  const rows = await deps.database.db.selectFrom('account_view').select('name').execute();
  expect(rows).toEqual([{ name: 'View 2' }]);
});
