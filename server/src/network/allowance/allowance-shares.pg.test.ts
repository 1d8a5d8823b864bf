import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SocialNetwork } from '#server/adapters/graph/social-network.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { readNetworkAccount } from './network-reader.ts';
import type { Share } from './allowance-share.ts';

const BUCKET = '17841400000000001';

let deps: TestDeps;
let calls = 0;
let used = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  deps.network.addAccount('curious');
});
afterAll(() => deps.database.close());

/** Another node's connections to the same database. */
function openNode() {
  if (deps.database.url === undefined) throw new Error('This test needs Postgres');
  return openPostgres(deps.database.url, { onError: () => undefined });
}

/** A network on which every call takes one percent, and takes its time. */
const metered = (): SocialNetwork => ({
  ...deps.network,
  async readAccount(request) {
    calls += 1;
    used += 1;
    const percent = used;
    const answer = await deps.network.readAccount(request);
    await new Promise((resolve) => setImmediate(resolve));
    return { ...answer, usage: { percent, regainAfterMs: undefined } };
  },
});

async function startAt(percent: number): Promise<void> {
  deps.clock.advance(1000);
  used = percent;
  calls = 0;
  await readNetworkAccount({ ...deps, network: metered() }, { username: 'curious', limit: 1 });
}

test.each([
  ['unpaid', 40, 9],
  ['paying', 70, 4],
] as const)(
  'a hundred readings of the %s share at once, on two nodes, stop at its end',
  async (share: Share, percent, room) => {
    await startAt(percent);
    const nodes = [deps.database, openNode()];
    const readings = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        readNetworkAccount(
          { ...deps, network: metered(), database: nodes[index % 2] ?? deps.database },
          { username: 'curious', limit: 1, share },
        ),
      ),
    );
    const kinds = Map.groupBy(readings, ({ kind }) => kind);
    expect(kinds.get('read')?.length).toBeLessThanOrEqual(room);
    expect(kinds.get('read')?.length).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(room + 1);
    const bucket = await deps.database.db
      .selectFrom('graph_bucket')
      .selectAll()
      .where('bucket_id', '=', BUCKET)
      .executeTakeFirstOrThrow();
    expect(bucket.usage_percent).toBeLessThanOrEqual(percent + 1 + room);
    expect(bucket.open_readings).toEqual({});
    await nodes[1]?.close();
  },
);

test('a reading whose process died gives its room back after a minute', async () => {
  await startAt(48);
  const asked = Promise.withResolvers<void>();
  const lost: SocialNetwork = {
    ...deps.network,
    readAccount() {
      asked.resolve();
      return new Promise(() => undefined);
    },
  };
  const request = { username: 'curious', limit: 1, share: 'unpaid' } as const;
  void readNetworkAccount({ ...deps, network: lost }, request);
  await asked.promise;
  const live = { ...deps, network: metered() };
  expect((await readNetworkAccount(live, request)).kind).toBe('throttled');
  deps.clock.advance(60_001);
  expect((await readNetworkAccount(live, request)).kind).toBe('read');
});
