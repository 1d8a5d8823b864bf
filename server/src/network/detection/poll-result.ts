import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { type Backoff, backoffMs } from '#server/kit/async/backoff.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { ClaimedPoll, SettledPoll } from '../accounts/poll-schedule.repository.ts';
import type { AccountReading } from '../allowance/network-reader.ts';

export type ReadPoll = Extract<AccountReading, { kind: 'read' }>;

/** What a poll leaves to be written; polls that saw nothing new leave nothing. */
export type PollResult =
  /** Something about the account or its posts differs from what is known. */
  | { kind: 'content'; poll: ClaimedPoll; reading: ReadPoll; fingerprint: string }
  /** Only the time of reading and the account's figures are written. */
  | { kind: 'touch'; poll: ClaimedPoll; reading: ReadPoll; fingerprint: string }
  | { kind: 'failed'; poll: ClaimedPoll; cause: 'unreadable' | 'unreachable' }
  /** Not taken: throttled, or the process stops. It keeps its place in the queue. */
  | { kind: 'given_back'; poll: ClaimedPoll };

/** A failed poll is retried sooner than the next regular one would come, at first. */
const UNREACHABLE: Backoff = { firstMs: 2000, longestMs: MINUTE_MS };
/** It recovers by itself when the owner makes it readable again; meanwhile it costs allowance. */
const UNREADABLE: Backoff = { firstMs: 20_000, longestMs: 5 * MINUTE_MS };
/** Passing trouble isn't shown to the customer before so many polls in a row have failed. */
const FAILURES_TO_SHOW = 3;
const FAILURES_LIMIT = 1000;

/** How a poll is put back after it failed, and the problem the account then shows, if any. */
export function settleFailure(
  poll: ClaimedPoll,
  cause: 'unreadable' | 'unreachable',
  nowMs: number,
): { settled: SettledPoll; problem: 'unreadable' | 'unreachable' | undefined } {
  const failures = Math.min(FAILURES_LIMIT, poll.failures + 1);
  const delayMs = backoffMs(failures, cause === 'unreadable' ? UNREADABLE : UNREACHABLE);
  const isShown = cause === 'unreadable' || failures >= FAILURES_TO_SHOW;
  return {
    // Without a fingerprint the next good poll stores, and so clears the problem.
    settled: { ...keyOf(poll), fingerprint: null, failures, nextPollAt: new Date(nowMs + delayMs) },
    problem: isShown ? cause : undefined,
  };
}

/** `fingerprint` null makes the next poll store again. */
export function settleSuccess(poll: ClaimedPoll, fingerprint: string | null): SettledPoll {
  return { ...keyOf(poll), fingerprint, failures: 0, nextPollAt: undefined };
}

function keyOf({ workspaceId, accountId, fence }: ClaimedPoll): {
  workspaceId: WorkspaceId;
  accountId: AccountId;
  fence: number;
} {
  return { workspaceId, accountId, fence };
}
