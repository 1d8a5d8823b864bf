import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Database } from '#server/kit/db/database.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { archiveClient, saveClient } from '#server/network/clients/clients.service.ts';
import { newShopper } from '#test/checkout-fixture.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { mergeClients, setClient } from './accounts-of-clients.service.ts';

let deps: TestDeps;
let session: Session;
beforeAll(async () => {
  deps = await createTestDeps();
  ({ session } = await newShopper(deps, 'bread'));
});
afterAll(() => deps.database.close());

interface Scene {
  clientId: string;
  intoId: string;
  /** What whoever edits was told; undefined: done. */
  told?: string;
}

/** Two clients, and an account of nobody's. */
async function scene(): Promise<Scene> {
  const { db } = deps.database;
  const { workspaceId } = session;
  await db.updateTable('account').set({ client_id: null }).execute();
  await db.deleteFrom('client').execute();
  const [clientId, intoId] = [deps.ids.uuid(), deps.ids.uuid()];
  const client = { workspace_id: workspaceId, archived_at: null, created_at: new Date(0) };
  await db
    .insertInto('client')
    .values([
      { ...client, id: clientId, name: 'Bakery' },
      { ...client, id: intoId, name: 'Cinema' },
    ])
    .execute();
  return { clientId, intoId };
}

type Edit = (database: Database, scene: Scene) => Promise<unknown>;

const EDITS: Record<string, Edit> = {
  renames: (database, { clientId }) =>
    saveClient({ ...deps, database }, session, { clientId, name: 'Baker' }),
  archives: (database, { clientId }) =>
    archiveClient({ ...deps, database }, session, { clientId, isArchived: true }),
  'gives an account to': (database, { clientId }) =>
    setClient({ ...deps, database }, session, { igUsernames: ['bread'], clientId }),
};
const GONE = 'not_found: This client no longer exists. Please choose another one.';

/** Audited in this order, the newest last. */
async function lastActions(workspaceId: WorkspaceId, limit: number): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select('action')
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ action }) => action).toReversed();
}

/** Somebody edits a client while another merges it into a second one. */
const race = (edit: Edit): Race<Scene> => ({
  scene,
  sides: [
    async (database, played) => {
      await edit(database, played).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        played.told = `${error.code}: ${error.message}`;
      });
    },
    (database, { clientId, intoId }) =>
      mergeClients({ ...deps, database }, session, { clientId, intoId }),
  ],
  check: async ({ intoId, told }) => {
    const { db } = deps.database;
    const clients = await db.selectFrom('client').select(['id', 'name', 'archived_at']).execute();
    expect(clients).toEqual([{ id: intoId, name: 'Cinema', archived_at: null }]);
    const [account] = await db.selectFrom('account').select('client_id').execute();
    const isGiven = edit === EDITS['gives an account to'] && told === undefined;
    expect(account?.client_id).toBe(isGiven ? intoId : null);
    expect([undefined, GONE]).toContain(told);
    // What was done was done before the merge, and so was never lost without a word.
    if (told === undefined) {
      const [before, after] = await lastActions(session.workspaceId, 2);
      expect(before).toMatch(/^client_/);
      expect(after).toBe('clients_merged');
    }
  },
});

test.each(Object.entries(EDITS))(
  'whoever %s a client while it is merged has done it before, or is told that the client is gone',
  async (what, edit) => {
    const outcomes = new Set<string>();
    const raced = race(edit);
    const played = await playAllOrders(deps.database, {
      ...raced,
      check: async (done) => {
        await raced.check(done);
        outcomes.add(done.told ?? 'done');
      },
    });
    process.stdout.write(describePlayed(`${what} and merges`, played));
    expect([...outcomes].sort()).toEqual(['done', GONE]);
  },
);

test('an edit that doesn’t hold the workspace is caught', async () => {
  const rewriteFirst = (text: string): string => text.replaceAll(' for no key update', '');
  const planted = playAllOrders(deps.database, {
    ...race((database, played) =>
      saveClient({ ...deps, database }, session, { clientId: played.clientId, name: 'Baker' }),
    ),
    rewriteFirst,
  });
  await expect(planted).rejects.toThrow('After schedule');
});
