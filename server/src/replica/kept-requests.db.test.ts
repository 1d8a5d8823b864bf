import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MUTATION_NAMES } from '#shared/sync/mutations.ts';
import { PULL_PATH } from '#shared/sync/pull.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH } from '#shared/sync/verify.ts';
import { SYNC_PROTOCOL, SYNC_SCHEMA } from '#shared/sync/version.ts';
import { giveCredits } from '#test/money/credits-fixture.ts';
import {
  findMissing,
  KEPT_VERSIONS,
  namesOf,
  readKept,
  replay,
  withoutFormer,
} from '#test/calls/kept-requests.ts';
import type { SignedIn } from '#test/people/signed-in.ts';
import { startSyncServer, type SyncServer } from '#test/calls/sync-server.ts';

// A server for each version: what one client changes must not be there for the next.
describe.each(KEPT_VERSIONS)('old client, new server: %s', (version) => {
  let server: SyncServer;
  let ada: SignedIn;
  beforeAll(async () => {
    server = await startSyncServer();
    ada = await server.signIn('ada');
    await giveCredits(server.deps, ada.workspaceId, 500);
    await showOwnership();
  });
  afterAll(() => server.close());

  /** Organic likes are told to owners and buyers only. */
  async function showOwnership(): Promise<void> {
    const { clock, database } = server.deps;
    const { db } = database;
    const now = new Date(clock.now());
    const account = await db
      .selectFrom('account')
      .select('ig_id')
      .where('id', '=', ada.accountId)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('ownership_proof')
      .values({
        workspace_id: ada.workspaceId,
        ig_id: account.ig_id ?? '',
        asked_at: now,
        expires_at: now,
        proved_at: now,
      })
      .execute();
  }

  test.each(namesOf(version))('%s is answered so that it understands', async (name) => {
    const kept = readKept(version, name);
    const answer = await replay(server, ada, kept);
    expect(answer.status).toBe(kept.answer.status);
    expect(findMissing(withoutFormer(kept.answer.body), answer.body)).toEqual([]);
  });
});

test('the version of today is kept, each call and each change of it', () => {
  const today = `protocol-${SYNC_PROTOCOL}-schema-${SYNC_SCHEMA}`;
  expect(KEPT_VERSIONS).toContain(today);
  const texts = namesOf(today).map((name) => JSON.stringify(readKept(today, name)));
  const wanted = [PULL_PATH, SNAPSHOT_PATH, PUSH_PATH, STREAM_PATH, VERIFY_PATH, ...MUTATION_NAMES];
  expect(wanted.filter((part) => !texts.some((text) => text.includes(part)))).toEqual([]);
});

test('only rows of entities that have gone may be missing', () => {
  const kept = [
    { entity: 'deliverySettings', rows: [] },
    { entity: 'post', count: { post: 1 } },
  ];
  expect(findMissing(withoutFormer(kept), kept.slice(1))).toEqual([]);
  expect(findMissing(withoutFormer(kept), [])).toEqual([' has 0 of 1 entries']);
});

test.each([
  ['a field that is gone', { a: 1 }, '.likes is missing'],
  ['another kind of value', { a: 1, likes: '5' }, '.likes is string, was number'],
  ['a shorter list', { a: 1, likes: 5, rows: [] }, '.rows has 0 of 1 entries'],
  [
    'another word',
    { a: 1, likes: 5, rows: [{ status: 'fine' }] },
    '.rows[0].status is fine, was ok',
  ],
])('a planted %s is found', (_what, now, found) => {
  const kept = { likes: 5, rows: [{ status: 'ok' }], none: null };
  expect(findMissing(kept, { none: 'now', ...now })[0]).toBe(found);
  expect(findMissing(kept, { ...kept, none: 'now', more: true })).toEqual([]);
});
