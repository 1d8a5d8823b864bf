import { type KyselyPlugin, sql } from 'kysely';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { type Cursor, PullAnswer } from '#shared/sync/pull.ts';
import type { Scope } from '#shared/contract/scope.ts';
import { SYNC_SCHEMA } from '#shared/sync/version.ts';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { ownerSession } from '#test/people/owner-session.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { CLIENT_ID, readSnapshot } from '#test/calls/sync-client.ts';
import { startSyncServer, type SyncServer } from '#test/calls/sync-server.ts';
import { pull } from './pull.service.ts';
import { scopesOfMember } from './scope-owner.ts';

let server: SyncServer;
beforeAll(async () => {
  server = await startSyncServer();
});
afterAll(() => server.close());

type Page = NonNullable<PullAnswer['scopes'][Scope]>;

/** Fails where the log is read more often than any page needs. */
const fewReads = (): KyselyPlugin => {
  let reads = 0;
  return {
    transformQuery: ({ node }) => {
      const isLog = node.kind === 'RawNode' && node.sqlFragments.join('').includes('from sync_row');
      reads += isLog ? 1 : 0;
      if (reads > 20) throw new Error('The log is read on and on');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
};

/** The pages of one pull, by scope. */
async function pullPages(
  { workspaceId, userId }: SignedIn,
  epoch: string,
  cursors: Partial<Record<Scope, Cursor>>,
): Promise<PullAnswer['scopes']> {
  const { deps } = server;
  const database = { ...deps.database, db: deps.database.db.withPlugin(fewReads()) };
  const session = ownerSession({ workspaceId, userId, sessionId: userId });
  const asked = { epoch, clientId: CLIENT_ID, cursors, session, schema: SYNC_SCHEMA };
  const text = await pull(
    { ...deps, database, projection: PROJECTION },
    scopesOfMember(deps),
    asked,
  );
  return v.parse(PullAnswer, JSON.parse(text)).scopes;
}

/** All pages of a scope behind a version, one after the other. */
async function allPages(
  customer: SignedIn,
  scope: Scope,
  { epoch, v: from }: { epoch: string; v: number },
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const cursor: Cursor = { v: from, ...(next && { next }) };
    const page = (await pullPages(customer, epoch, { [scope]: cursor }))[scope];
    if (!page) throw new Error('No page');
    pages.push(page);
    ({ next } = page);
  }
  return pages;
}

/** Lines of things that are gone, behind what a scope's log has. */
async function plantGone(workspaceId: string, scope: Scope, count: number): Promise<void> {
  await sql`with head as (
      insert into sync_head as h (workspace_id, scope, v) values (${workspaceId}, ${scope}, ${count})
      on conflict (workspace_id, scope) do update set v = h.v + ${count} returning v)
    insert into sync_row (workspace_id, scope, entity, id, v, deleted)
    select ${workspaceId}, ${scope}, 'post', 'gone' || n, head.v - ${count}::int + n, true
    from head, generate_series(1, ${count}::int) n`.execute(server.deps.database.db);
}

test('rows that are too many bytes for one page come in several, each once', async () => {
  const ada = await server.signIn('ada');
  const scope: Scope = `w:${ada.workspaceId}`;
  const { head } = await readSnapshot(ada.client, scope);
  const ids = Array.from({ length: 9 }, (_, nr) => `20${nr}`);
  const caption = 'x'.repeat(60_000);
  for (const id of ids)
    await plantPost(server.deps, { ...ada, subscriptionId: '' }, { id, caption });
  const pages = await allPages(ada, scope, head);
  const bytes = pages.map(({ rows }) => Buffer.byteLength(JSON.stringify(rows)));
  expect(bytes.map((each) => each <= SYNC_LIMITS.pullBytes)).toEqual([true, true]);
  const told = pages.flatMap(({ rows }) => rows.filter(([entity]) => entity === 'post'));
  expect(told.map(([, id]) => id).toSorted()).toEqual(ids.map((id) => `${ada.accountId}/${id}`));
});

test('a row that is larger than a page has one of its own, and none stands still before it', async () => {
  const cem = await server.signIn('cem');
  const scope: Scope = `w:${cem.workspaceId}`;
  const { head } = await readSnapshot(cem.client, scope);
  const caption = 'x'.repeat(SYNC_LIMITS.pullBytes);
  await plantPost(server.deps, { ...cem, subscriptionId: '' }, { id: '300', caption });
  const page = (await pullPages(cem, head.epoch, { [scope]: { v: head.v } }))[scope];
  expect(page?.rows.map(([entity, id]) => [entity, id])).toEqual([
    ['post', `${cem.accountId}/300`],
  ]);
});

test('a thousand rows fill the pages of all scopes; the rest comes with the next pull', async () => {
  const ben = await server.signIn('ben');
  const [own, money] = [`w:${ben.workspaceId}`, `b:${ben.workspaceId}`] as const;
  const { head } = await readSnapshot(ben.client, own);
  const { head: moneys } = await readSnapshot(ben.client, money);
  await plantGone(ben.workspaceId, own, SYNC_LIMITS.pullRows);
  await plantGone(ben.workspaceId, money, 1);
  const cursors = { [own]: { v: head.v }, [money]: { v: moneys.v } };
  const first = await pullPages(ben, head.epoch, cursors);
  expect([own, money].map((scope) => first[scope]?.rows.length)).toEqual([SYNC_LIMITS.pullRows, 0]);
  const next = first[money]?.next;
  const second = await pullPages(ben, head.epoch, {
    [money]: { v: moneys.v, ...(next && { next }) },
  });
  expect(second[money]).toMatchObject({
    rows: [['post', 'gone1', moneys.v + 1, null]],
    next: null,
  });
});
