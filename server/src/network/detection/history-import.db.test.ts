import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type {
  ReadAccountOutcome,
  ReadAccountRequest,
} from '#server/adapters/graph/social-network.ts';
import { claimImports } from '../accounts/account-import.repository.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import type { Customer } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { GraphBudget } from '../allowance/graph-budget.ts';
import { importHistory, createHistoryImportJob } from './history-import.job.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { NetworkReader } from '../allowance/network-reader.ts';

const BUCKET = '17841400000000001';
let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
  deps.network.setUsage(BUCKET, undefined);
  deps.logged.length = 0;
});

/** A customer of an account that had posts, an hour apart, before it was connected. */
async function scheduleWithHistory(count: number): Promise<Customer> {
  const account = deps.network.addAccount('ada');
  for (let age = count; age > 0; age -= 1) {
    deps.network.addPost('ada', { takenAtMs: deps.clock.now() - age * 3_600_000 });
  }
  const customer = await bench.schedule(account);
  await bench.poll();
  return customer;
}

type ReadAccount = (request: ReadAccountRequest) => Promise<ReadAccountOutcome>;

async function runImport(
  { workspaceId, accountId, igUsername }: Customer,
  readAccount: ReadAccount = (request) => deps.network.readAccount(request),
  signal = new AbortController().signal,
) {
  const budget = new GraphBudget(deps);
  await budget.refresh();
  const network = { ...deps.network, readAccount };
  const reader = new NetworkReader({ ...deps, network }, budget);
  const source = { budget, reader, events: servePosts(deps) };
  const claimed = { workspaceId, accountId, igUsername };
  return importHistory(deps, source, claimed, signal);
}

test('the whole history is stored, undetected and without likes, and the account is imported', async () => {
  const customer = await scheduleWithHistory(60);
  const from = deps.network.calls.length;
  expect(await runImport(customer)).toEqual({ kind: 'finished', pages: 3 });
  expect(deps.network.calls.slice(from).map(({ limit }) => limit)).toEqual([25, 25, 25]);
  const posts = await bench.posts(customer);
  expect(posts).toHaveLength(60);
  expect(new Set(posts.map((post) => post.automatic_outcome))).toEqual(
    new Set(['before_subscription']),
  );
  expect(posts.every((post) => post.detected_at === null)).toBe(true);
  expect((await bench.account(customer)).imported_at).toEqual(new Date(deps.clock.now()));
  expect((await bench.scheduleRow(customer)).next_import_at).toBeNull();
});

test('an empty page in the middle is not the end', async () => {
  const customer = await scheduleWithHistory(30);
  let pages = 0;
  const withEmptyPage: ReadAccount = async (request) => {
    pages += 1;
    const { after, ...first } = request;
    // The second page is empty; what follows it begins where the second should have begun.
    if (pages !== 2) return deps.network.readAccount(pages < 2 || !after ? first : request);
    const outcome = await deps.network.readAccount(request);
    return outcome.kind === 'read' ? { ...outcome, posts: [], after } : outcome;
  };
  expect(await runImport(customer, withEmptyPage)).toEqual({ kind: 'finished', pages: 3 });
  expect(await bench.posts(customer)).toHaveLength(30);
});

test('a cursor that has become invalid starts the history over, at most 3 times', async () => {
  const customer = await scheduleWithHistory(60);
  let invalid = 2;
  const withInvalidCursors: ReadAccount = (request) => {
    const isInvalid = request.after !== undefined && invalid > 0;
    if (!isInvalid) return deps.network.readAccount(request);
    invalid -= 1;
    return Promise.resolve<ReadAccountOutcome>({ kind: 'cursor_invalid', usage: undefined });
  };
  expect(await runImport(customer, withInvalidCursors)).toMatchObject({ kind: 'finished' });
  expect(await bench.posts(customer)).toHaveLength(60);
  invalid = Infinity;
  expect(await runImport(customer, withInvalidCursors)).toMatchObject({
    kind: 'postponed',
    reason: 'cursor_invalid',
  });
});

test('the history waits while detection needs the allowance', async () => {
  const customer = await scheduleWithHistory(60);
  deps.network.setUsage(BUCKET, { percent: 61, regainAfterMs: undefined });
  await bench.pollLater();
  const from = deps.network.calls.length;
  expect(await runImport(customer)).toMatchObject({ kind: 'postponed', reason: 'throttled' });
  expect(deps.network.calls).toHaveLength(from);
});

test.each<{ answer: ReadAccountOutcome; byMs: number }>([
  { answer: { kind: 'unreachable', reason: '503', usage: undefined }, byMs: 10_000 },
  { answer: { kind: 'unreadable', usage: undefined }, byMs: 1_800_000 },
])('a history that is $answer.kind is asked for again after $byMs ms', async ({ answer, byMs }) => {
  const customer = await scheduleWithHistory(1);
  const outcome = await runImport(customer, () => Promise.resolve(answer));
  expect(outcome).toEqual({ kind: 'postponed', byMs, reason: answer.kind });
});

test('two workers never import the same account at the same time', async () => {
  await scheduleWithHistory(1);
  const now = new Date(deps.clock.now());
  const claim = { now, leaseUntil: new Date(deps.clock.now() + 1000), limit: 4 };
  const claims = await Promise.all([
    claimImports(deps.database.db, claim),
    claimImports(deps.database.db, claim),
  ]);
  expect(claims.flat()).toHaveLength(1);
});

test('more new posts than a poll shows get what is theirs from the history read again', async () => {
  const customer = await scheduleWithHistory(3);
  await runImport(customer);
  for (let count = 0; count < 15; count += 1) {
    deps.clock.advance(1000);
    deps.network.addPost('ada');
  }
  await bench.pollLater();
  expect((await bench.scheduleRow(customer)).next_import_at).not.toBeNull();
  await runImport(customer);
  const outcomes = await bench.outcomes(customer);
  expect(outcomes).toHaveLength(18);
  expect(outcomes.filter((outcome) => outcome === 'ordered')).toHaveLength(4);
  expect(outcomes.filter((outcome) => outcome === 'daily_limit')).toHaveLength(11);
});

test('the job imports what is due, and leaves an unreadable account for later', async () => {
  const customer = await scheduleWithHistory(30);
  const hidden = await bench.schedule(deps.network.addAccount('hidden'));
  deps.network.hideAccount('hidden');
  const stop = new AbortController();
  const running = createHistoryImportJob(deps, servePosts(deps)).run(stop.signal);
  await expect.poll(async () => (await bench.account(customer)).imported_at).not.toBeNull();
  const laterThan = new Date(deps.clock.now() + 20 * 60_000);
  await expect
    .poll(async () => (await bench.scheduleRow(hidden)).next_import_at?.getTime())
    .toBeGreaterThan(laterThan.getTime());
  stop.abort();
  await running;
  expect(deps.logged).toEqual([]);
});

test('a history that the database refuses is asked for again a minute later', async () => {
  const customer = await scheduleWithHistory(1);
  const refusing = {
    ...servePosts(deps),
    onPostsStored: () => Promise.reject(new Error('no room left')),
  };
  const stop = new AbortController();
  const running = createHistoryImportJob(deps, refusing).run(stop.signal);
  await expect
    .poll(() => deps.logged.map(({ event }) => event))
    .toEqual(['history could not be stored']);
  stop.abort();
  await running;
  const { next_import_at: nextAt } = await bench.scheduleRow(customer);
  expect(nextAt).toEqual(new Date(deps.clock.now() + 60_000));
});

test('a worker that stops leaves the rest of a history to the next one, at once', async () => {
  const customer = await scheduleWithHistory(60);
  const stop = new AbortController();
  const stopping: ReadAccount = async (request) => {
    const answer = await deps.network.readAccount(request);
    stop.abort();
    return answer;
  };
  expect(await runImport(customer, stopping, stop.signal)).toEqual({
    kind: 'postponed',
    byMs: 0,
    reason: 'stopped',
  });
  expect(await bench.posts(customer)).toHaveLength(25);
});
