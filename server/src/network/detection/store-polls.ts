import { BASELINE_TOLERANCE_MS } from '#shared/domain/delivery/automatic-likes.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { requestImports } from '../accounts/account-import.repository.ts';
import {
  type LockedSchedule,
  lockSchedules,
  settlePolls,
  stopPollingUnpaid,
} from '../accounts/poll-schedule.repository.ts';
import { showProblems, storeAccountReadings } from '../accounts/reading.repository.ts';
import { type OpenReading, renewOpenReadings } from '../posts/like-pair.repository.ts';
import { type SeenPost, upsertPosts } from '../posts/post.repository.ts';
import type { PostEvents } from './post-events.ts';
import { type PollResult, settleFailure, settleSuccess } from './poll-result.ts';
import { type MissingPost, countMissing, windowOf } from './missing-post.repository.ts';

type ContentResult = Extract<PollResult, { kind: 'content' }>;
type TouchResult = Extract<PollResult, { kind: 'touch' }>;
/** A content result whose fence still holds, with its locked row. */
type Held = ContentResult & { schedule: LockedSchedule };

/**
 * Stores polls that saw a change, and tells of new posts. Polls whose fence has been
 * overtaken are dropped.
 * @returns posts that must be asked about, because polls keep missing them
 */
export async function storeContent(
  tx: Tx,
  events: PostEvents,
  results: readonly ContentResult[],
  now: Date,
): Promise<MissingPost[]> {
  const held = await holdPolls(tx, results);
  const fitting = await storeAccountReadings(tx, held.map(accountReading));
  const ours = held.filter(({ poll }) => fitting.has(poll.accountId));
  const others = held.filter(({ poll }) => !fitting.has(poll.accountId));
  await storeFailures(
    tx,
    others.map(({ poll }) => ({ kind: 'failed', poll, cause: 'unreadable' })),
    now,
  );
  const inserted = await upsertPosts(
    tx,
    ours.flatMap((each) => seenPosts(each, now)),
  );
  const missing = await countMissing(
    tx,
    ours.flatMap(({ poll, reading }) => windowOf(poll, reading) ?? []),
  );
  const accounts = ours.map(({ schedule }) => schedule);
  await events.onPostsStored(tx, accounts, now);
  await requestImports(tx, accountsWithGap(ours, inserted), now);
  await stopPollingUnpaid(
    tx,
    accounts.filter(({ isPaid }) => !isPaid),
  );
  const isPending = new Set(missing.map(({ accountId }) => accountId));
  await settlePolls(
    tx,
    ours.map(({ poll, fingerprint }) =>
      settleSuccess(poll, isPending.has(poll.accountId) ? null : fingerprint),
    ),
  );
  return missing.filter(({ isToConfirm }) => isToConfirm);
}

async function holdPolls(tx: Tx, results: readonly ContentResult[]): Promise<Held[]> {
  const schedules = await lockSchedules(
    tx,
    results.map(({ poll }) => poll),
  );
  const byAccount = new Map(schedules.map((schedule) => [schedule.accountId, schedule]));
  // The newest poll of an account wins where two of them wait to be stored.
  const newest = new Map<string, Held>();
  for (const result of results) {
    const schedule = byAccount.get(result.poll.accountId);
    if (schedule?.fence === result.poll.fence)
      newest.set(schedule.accountId, { ...result, schedule });
  }
  return [...newest.values()];
}

const accountReading = ({ poll, reading }: ContentResult | TouchResult) => ({
  workspaceId: poll.workspaceId,
  accountId: poll.accountId,
  account: reading.account,
  readAt: reading.readAt,
});

function seenPosts({ poll, reading, schedule }: Held, now: Date): SeenPost[] {
  const { workspaceId, accountId } = poll;
  const appearedFrom = schedule.connectedAt.getTime() - BASELINE_TOLERANCE_MS;
  return reading.posts.map((post, listPosition) => ({
    workspaceId,
    accountId,
    post,
    listPosition,
    readAt: reading.readAt,
    detectedAt: post.takenAtMs >= appearedFrom ? now : null,
  }));
}

/**
 * A window in which nothing was known, in an account that was: more may have appeared than one poll
 * shows (after a long throttle). The history is read again for the rest.
 */
function accountsWithGap(
  held: readonly Held[],
  inserted: ReadonlyArray<{ accountId: AccountId }>,
): LockedSchedule[] {
  const counts = new Map<string, number>();
  for (const { accountId } of inserted) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return held
    .filter(({ schedule, reading }) => {
      const isAllNew = counts.get(schedule.accountId) === reading.posts.length;
      return schedule.isImported && isAllNew && reading.after !== undefined;
    })
    .map(({ schedule }) => schedule);
}

/**
 * Writes when unchanged accounts were last read.
 * @returns posts with an open reading, to be paired: the same count read later can prove more likes organic
 */
export async function storeTouches(
  db: Db,
  results: readonly TouchResult[],
): Promise<OpenReading[]> {
  if (results.length === 0) return [];
  await storeAccountReadings(db, results.map(accountReading));
  const open = await renewOpenReadings(
    db,
    results.flatMap(({ poll, reading }) =>
      reading.posts.map(({ id }) => ({
        workspace_id: poll.workspaceId,
        account_id: poll.accountId,
        id,
        open_reading_at: reading.readAt,
      })),
    ),
  );
  await settlePolls(
    db,
    results.map(({ poll, fingerprint }) => settleSuccess(poll, fingerprint)),
  );
  return open;
}

/** Puts failed polls back, and shows the problem where it isn't a passing one. */
export async function storeFailures(
  db: Db,
  results: ReadonlyArray<Extract<PollResult, { kind: 'failed' }>>,
  now: Date,
): Promise<void> {
  if (results.length === 0) return;
  const failures = results.map(({ poll, cause }) => settleFailure(poll, cause, now.getTime()));
  await settlePolls(
    db,
    failures.map(({ settled }) => settled),
  );
  await stopPollingUnpaid(
    db,
    failures.flatMap(({ settled, problem }) => (problem === 'unreadable' ? [settled] : [])),
  );
  await showProblems(
    db,
    failures.flatMap(({ settled, problem }) => (problem ? [{ ...settled, problem }] : [])),
    now,
  );
}
