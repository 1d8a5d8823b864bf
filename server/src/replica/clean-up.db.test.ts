import { DAY_MS } from '#shared/domain/durations.ts';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PullAnswer } from '#shared/sync/pull.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import * as v from 'valibot';
import { plantPost } from '#test/delivery/order-fixture.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { CLIENT_ID, postJson, pullFrom, readSnapshot } from '#test/calls/sync-client.ts';
import { startSyncServer, syncPath, type SyncServer } from '#test/calls/sync-server.ts';
import { createSyncCleanUpJob } from './clean-up.job.ts';
import { cleanScope, listScopesToClean } from './clean-up.repository.ts';
import { beginEpoch, noticeOtherDatabase } from './epoch.repository.ts';
import { pull } from './pull.service.ts';
import { countLiveRows, listLiveKeys } from './sync-log.repository.ts';
import { ownerSession } from '#test/people/owner-session.ts';
import { scopesOfMember } from './scope-owner.ts';

let server: SyncServer;
let ada: SignedIn;
beforeAll(async () => {
  server = await startSyncServer();
  ada = await server.signIn('ada');
});
afterAll(() => server.close());

/** One round of the job, as at so many days from now. */
async function cleanUp(daysAhead = 0): Promise<void> {
  const { deps } = server;
  const stop = new AbortController();
  const now = deps.clock.now() + daysAhead * DAY_MS;
  const clock = { now: () => now, sleep: async () => stop.abort() };
  await createSyncCleanUpJob({ ...deps, clock }).run(stop.signal);
}

async function deletePost(customer: SignedIn, id: string): Promise<void> {
  await server.deps.database.db
    .deleteFrom('post')
    .where('workspace_id', '=', customer.workspaceId)
    .where('id', '=', id)
    .execute();
}

/** A post that came and went; returns where the log stood before it went. */
async function plantTombstone(customer: SignedIn, id: string): Promise<number> {
  await plantPost(server.deps, { ...customer, subscriptionId: '' }, { id });
  const { head } = await readSnapshot(customer.client, `w:${customer.workspaceId}`);
  await deletePost(customer, id);
  return head.v;
}

const tombstones = async (): Promise<number> => {
  const rows = await server.deps.database.db
    .selectFrom('sync_row')
    .select('id')
    .where('deleted', '=', true)
    .execute();
  return rows.length;
};

test('a tombstone stays for 45 days and then goes; older cursors and snapshots begin anew', async () => {
  const scope = `w:${ada.workspaceId}`;
  const before = await plantTombstone(ada, 'short-lived');
  const { head } = await readSnapshot(ada.client, scope);
  await cleanUp();
  await cleanUp(44);
  expect(await tombstones()).toBe(1);
  const told = await pullFrom(ada.client, head.epoch, { [scope]: before });
  expect(Object.values(told.scopes)).toMatchObject([
    { rows: [['post', `${ada.accountId}/short-lived`, before + 1, null]] },
  ]);
  await cleanUp(46);
  expect(await tombstones()).toBe(0);
  const late = await pullFrom(ada.client, head.epoch, { [scope]: before });
  expect(late).toMatchObject({ resync: [scope], scopes: {} });
  const current = await pullFrom(ada.client, head.epoch, { [scope]: head.v });
  expect(current).toMatchObject({ resync: [], scopes: { [scope]: { rows: [] } } });
  const resumed = await ada.client.send(
    syncPath(SNAPSHOT_PATH, { scope, v: String(before), entity: 'post' }),
  );
  expect(resumed.status).toBe(410);
});

test('only scopes with tombstones are cleaned, and a checksum has what a scope holds and none of them', async () => {
  const fay = await server.signIn('fay');
  const owner = { workspaceId: fay.workspaceId, scope: `w:${fay.workspaceId}` } as const;
  await plantTombstone(fay, 'gone');
  const { db } = server.deps.database;
  expect(await listScopesToClean(db, { before: new Date(0), limit: 10 })).toEqual([owner]);
  const { chunks } = await readSnapshot(fay.client, owner.scope);
  const shown = chunks.flatMap(({ entity, rows }) => rows.map(([id]) => `${entity} ${id}`));
  const keys = await listLiveKeys(db, owner);
  expect(keys.map(({ entity, id }) => `${entity} ${id}`).sort()).toEqual(shown.sort());
  const posts = keys.filter(({ entity }) => entity === 'post').length;
  expect(await countLiveRows(db, owner, ['post'])).toEqual(new Map([['post', posts]]));
  await cleanUp();
  await cleanUp(46);
});

test('what goes of one workspace makes nobody of another begin anew', async () => {
  const [cleo, dora] = [await server.signIn('cleo'), await server.signIn('dora')];
  const scope = `w:${dora.workspaceId}`;
  const { head } = await readSnapshot(dora.client, scope);
  let v = 0;
  for (let n = 0; v <= head.v; n += 1) v = await plantTombstone(cleo, `gone-${n}`);
  await cleanUp();
  await cleanUp(46);
  expect(await tombstones()).toBe(0);
  const told = await pullFrom(dora.client, head.epoch, { [scope]: head.v });
  expect(told).toMatchObject({ resync: [], scopes: { [scope]: { rows: [] } } });
});

test('a row that is made again is no tombstone any more', async () => {
  const before = await plantTombstone(ada, 'returning');
  await cleanUp();
  await plantPost(server.deps, { ...ada, subscriptionId: '' }, { id: 'returning' });
  await cleanUp(46);
  const scope = `w:${ada.workspaceId}`;
  const { head } = await readSnapshot(ada.client, scope);
  const told = await pullFrom(ada.client, head.epoch, { [scope]: before });
  expect(told).toMatchObject({ resync: [], scopes: { [scope]: { to: head.v } } });
});

test('a clean-up between any two statements of a pull hides no tombstone from it', async () => {
  const { deps } = server;
  const told: string[] = [];
  for (let after = 1; after <= 12; after += 1) {
    const bob = await server.signIn(`bob.${after}`);
    const scope = `w:${bob.workspaceId}` as const;
    const owner = { scope, workspaceId: bob.workspaceId };
    const cursor = await plantTombstone(bob, 'gone');
    const { head } = await readSnapshot(bob.client, scope);
    const ages = { now: new Date(deps.clock.now()), before: new Date(deps.clock.now() + 1) };
    const clean = () => deps.database.transaction((tx) => cleanScope(tx, owner, ages));
    await clean();
    let statements = 0;
    const between: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        if (statements === after) await clean();
        return result;
      },
    };
    const database = { ...deps.database, db: deps.database.db.withPlugin(between) };
    const request = { epoch: head.epoch, clientId: CLIENT_ID, cursors: { [scope]: { v: cursor } } };
    const session = ownerSession({ ...bob, sessionId: bob.userId });
    const asked = { ...request, session, schema: 1 };
    const pulling = { ...deps, database, projection: PROJECTION };
    const text = await pull(pulling, scopesOfMember(pulling), asked);
    const answer = v.parse(PullAnswer, JSON.parse(text));
    const isTold = answer.scopes[scope]?.rows.some(([, , , row]) => row === null) ?? false;
    told.push(isTold ? 'tombstone' : answer.resync.includes(scope) ? 'resync' : 'nothing');
    if (statements < after) break;
  }
  expect(told).not.toContain('nothing');
  expect(new Set(told)).toEqual(new Set(['tombstone', 'resync']));
});

test('what a member saw goes when they are gone; what others see stays', async () => {
  const eve = await server.signIn('eve.left');
  const { db } = server.deps.database;
  const { workspaceId: workspace_id, userId } = eve;
  const [left, stays] = [`w:${server.deps.ids.uuid()}`, `w:${userId}`] as const;
  const line = { entity: 'account', id: eve.accountId, v: 1, deleted: false } as const;
  for (const scope of [left, stays] as const) {
    await db.insertInto('sync_head').values({ workspace_id, scope, v: 1 }).execute();
    await db
      .insertInto('sync_row')
      .values({ workspace_id, scope, ...line })
      .execute();
  }
  await cleanUp();
  const kept = async (table: 'sync_head' | 'sync_row'): Promise<string[]> => {
    const rows = await db
      .selectFrom(table)
      .select('scope')
      .distinct()
      .where('workspace_id', '=', workspace_id)
      .where('scope', 'like', 'w:%')
      .execute();
    return rows.map(({ scope }) => scope).toSorted();
  };
  const expected = [`w:${workspace_id}`, stays].toSorted();
  expect([await kept('sync_head'), await kept('sync_row')]).toEqual([expected, expected]);
});

test('what is gone in one scope of a workspace is still told in its others', async () => {
  const fay = await server.signIn('fay');
  const { db } = server.deps.database;
  const scopes = [`w:${fay.workspaceId}`, `b:${fay.workspaceId}`] as const;
  const at = new Date(server.deps.clock.now());
  const gone = { workspace_id: fay.workspaceId, entity: 'post', id: 'gone', v: 1 } as const;
  for (const scope of scopes) {
    const line = { ...gone, scope, deleted: true, deleted_at: at };
    await db.insertInto('sync_row').values(line).execute();
  }
  const owner = { workspaceId: fay.workspaceId, scope: scopes[0] };
  const ages = { now: at, before: new Date(at.getTime() + 1) };
  expect(await server.deps.database.transaction((tx) => cleanScope(tx, owner, ages))).toBe(1);
  const left = await db
    .selectFrom('sync_row')
    .select('scope')
    .where('workspace_id', '=', fay.workspaceId)
    .where('deleted', '=', true)
    .execute();
  expect(left).toEqual([{ scope: scopes[1] }]);
});

test('more gone members than one round takes are gone before the job rests', async () => {
  const { db } = server.deps.database;
  const { workspaceId: workspace_id } = await server.signIn('many.left');
  const scopes = Array.from({ length: 11 }, () => `w:${server.deps.ids.uuid()}` as const);
  await db
    .insertInto('sync_head')
    .values(scopes.map((scope) => ({ workspace_id, scope, v: 1 })))
    .execute();
  await cleanUp();
  const left = await db
    .selectFrom('sync_head')
    .select('scope')
    .where('scope', 'in', scopes)
    .execute();
  expect(left).toEqual([]);
});

test('answers go after 30 days and clients after 180; what such a client still holds is numbered anew', async () => {
  const eve = await server.signIn('eve');
  const mutation = (mid: number) => ({
    clientId: CLIENT_ID,
    mutations: [{ mid, name: 'setPreferences', v: 1, args: { density: 'compact' } }],
  });
  const push = (mid: number) => postJson(eve.client, syncPath(PUSH_PATH), mutation(mid));
  const kept = async (): Promise<number[]> => {
    const { db } = server.deps.database;
    const answers = await db.selectFrom('sync_mutation').select('mid').execute();
    const clients = await db
      .selectFrom('sync_client')
      .select('client_id')
      .where('user_id', '=', eve.userId)
      .execute();
    return [answers.length, clients.length];
  };
  expect((await push(1)).status).toBe(200);
  await cleanUp(29);
  expect(await kept()).toEqual([1, 1]);
  await cleanUp(31);
  expect(await kept()).toEqual([0, 1]);
  // Asked again after its answer went, it is known to have been executed.
  expect(await (await push(1)).json()).toMatchObject({ results: [{ status: 'ok' }], lastMid: 1 });
  await cleanUp(179);
  expect(await kept()).toEqual([0, 1]);
  await cleanUp(181);
  expect(await kept()).toEqual([0, 0]);
  const gap = await push(2);
  expect(gap.status).toBe(409);
  expect(await gap.json()).toMatchObject({ code: 'mutation_gap', fields: { lastMid: '0' } });
});

test('the same database keeps its epoch; another one in its place begins a new one, and all cursors are void', async () => {
  const { db } = server.deps.database;
  const scope = `w:${ada.workspaceId}`;
  const { head } = await readSnapshot(ada.client, scope);
  expect([await noticeOtherDatabase(db), await noticeOtherDatabase(db)]).toEqual([false, false]);
  expect((await readSnapshot(ada.client, scope)).head.epoch).toBe(head.epoch);
  // As a copy of it would find it, or the same files on a later timeline.
  await db.updateTable('sync_epoch').set({ cluster: '7/1/00000001' }).execute();
  expect([await noticeOtherDatabase(db), await noticeOtherDatabase(db)]).toEqual([true, false]);
  const answer = await pullFrom(ada.client, head.epoch, { [scope]: head.v });
  expect(answer.epoch).not.toBe(head.epoch);
  expect(answer).toMatchObject({ resync: [scope], scopes: {} });
});

test('an operator’s word begins a new epoch too', async () => {
  const scope = `w:${ada.workspaceId}`;
  const { head } = await readSnapshot(ada.client, scope);
  await beginEpoch(server.deps.database.db);
  const answer = await pullFrom(ada.client, head.epoch, { [scope]: head.v });
  expect(answer).toMatchObject({ resync: [scope], scopes: {} });
});
