import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantCustomer } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import {
  type ClaimedPoll,
  claimDuePolls,
  settlePolls,
  startPolling,
} from './poll-schedule.repository.ts';

const ACCOUNTS = 300;
const WORKERS = 8;

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  const now = new Date(deps.clock.now());
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const igUsername = `many${index}`;
    const customer = await plantCustomer(deps, { igId: `${1000 + index}`, igUsername });
    await deps.database.transaction((tx) => startPolling(tx, { ...customer, igUsername, now }));
  }
});
afterAll(() => deps.database.close());

/** Claims until nothing is due, writing what it claimed meanwhile, which moves the rows. */
async function work(now: Date, nextPollAt: Date): Promise<ClaimedPoll[]> {
  const claimed: ClaimedPoll[] = [];
  for (;;) {
    const polls = await claimDuePolls(deps.database.db, { now, nextPollAt, limit: 7 });
    if (polls.length === 0) return claimed;
    claimed.push(...polls);
    await settlePolls(
      deps.database.db,
      polls.map((poll) => ({ ...poll, fingerprint: `d${poll.fence}`, nextPollAt: undefined })),
    );
  }
}

test('eight workers that claim and write at once claim every due account once, round after round', async () => {
  for (let round = 1; round <= 5; round += 1) {
    const now = new Date(deps.clock.now());
    const nextPollAt = new Date(deps.clock.now() + 20_000);
    const claims = await Promise.all(Array.from({ length: WORKERS }, () => work(now, nextPollAt)));
    // A row that was locked when a worker looked is left to the next claim.
    const polls = [...claims.flat(), ...(await work(now, nextPollAt))];
    expect(polls).toHaveLength(ACCOUNTS);
    expect(new Set(polls.map(({ accountId }) => accountId)).size).toBe(ACCOUNTS);
    expect(new Set(polls.map(({ fence }) => fence))).toEqual(new Set([round]));
    deps.clock.advance(20_000);
  }
});
