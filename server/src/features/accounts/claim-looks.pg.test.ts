import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantCustomer } from '#test/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import {
  type ClaimedLook,
  claimDueLooks,
  settleLooks,
  startWatching,
} from './account-watch.repository.ts';

const ACCOUNTS = 300;
const WORKERS = 8;

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  const now = new Date(deps.clock.now());
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const igUsername = `many${index}`;
    const customer = await plantCustomer(deps, { igId: `${1000 + index}`, igUsername });
    await deps.database.transaction((tx) => startWatching(tx, { ...customer, igUsername, now }));
  }
});
afterAll(() => deps.database.close());

/** Claims until nothing is due, writing what it claimed meanwhile, which moves the rows. */
async function work(now: Date, nextLookAt: Date): Promise<ClaimedLook[]> {
  const claimed: ClaimedLook[] = [];
  for (;;) {
    const looks = await claimDueLooks(deps.database.db, { now, nextLookAt, limit: 7 });
    if (looks.length === 0) return claimed;
    claimed.push(...looks);
    await settleLooks(
      deps.database.db,
      looks.map((look) => ({ ...look, digest: `d${look.fence}`, nextLookAt: undefined })),
    );
  }
}

test('eight workers that claim and write at once claim every due account once, round after round', async () => {
  for (let round = 1; round <= 5; round += 1) {
    const now = new Date(deps.clock.now());
    const nextLookAt = new Date(deps.clock.now() + 20_000);
    const claims = await Promise.all(Array.from({ length: WORKERS }, () => work(now, nextLookAt)));
    // A row that was locked when a worker looked is left to the next claim.
    const looks = [...claims.flat(), ...(await work(now, nextLookAt))];
    expect(looks).toHaveLength(ACCOUNTS);
    expect(new Set(looks.map(({ accountId }) => accountId)).size).toBe(ACCOUNTS);
    expect(new Set(looks.map(({ fence }) => fence))).toEqual(new Set([round]));
    deps.clock.advance(20_000);
  }
});
