import { hash } from 'node:crypto';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { NetworkAccount, NetworkPost } from '#server/adapters/graph/social-network.ts';
import { type Backoff, backoffMs } from '#server/kit/async/backoff.ts';
import type { ClaimedPoll, SettledPoll } from '../accounts/poll-schedule.repository.ts';
import type { AccountReading } from '../allowance/network-reader.ts';

/** An unchanged account is written again this often (`keptFingerprint`). */
const TOUCH_EVERY_MS = 5 * 60_000;

export type Change =
  /** Nothing to store. */
  | 'none'
  /** Nothing but when it was last read, and the figures that change all the time. */
  | 'touch'
  | 'content';

/**
 * Sums up what a poll saw: which account, and each post with its counts and caption. Image addresses
 * count without their signed parameters, followers not at all: both differ from answer to answer.
 */
export function contentFingerprint(
  account: Pick<NetworkAccount, 'igId' | 'profilePictureUrl'>,
  posts: readonly NetworkPost[],
): string {
  const parts = [account.igId, bare(account.profilePictureUrl)];
  for (const post of posts) {
    const { id, mediaType, likeCount, commentCount, caption } = post;
    parts.push(id, mediaType, String(likeCount), String(commentCount), bare(post.imageUrl));
    parts.push(String(caption.length), caption);
  }
  return hash('sha1', parts.join('\n'), 'base64url');
}

/**
 * The fingerprint as it is kept: with the number of the five minutes it is from, so that an unchanged
 * account still gets its time of reading, followers and picture written now and then. Each account's
 * five minutes begin at another moment.
 */
export function keptFingerprint(content: string, accountId: AccountId, nowMs: number): string {
  const phaseMs = Number.parseInt(accountId.slice(-8), 16) % TOUCH_EVERY_MS;
  return `${Math.floor((nowMs + phaseMs) / TOUCH_EVERY_MS).toString(36)}.${content}`;
}

/** What has to be stored after a poll whose kept fingerprint is `seen`, where `known` was there before. */
export function compareFingerprints(known: string | null, seen: string): Change {
  if (known === seen) return 'none';
  const contentOf = (fingerprint: string): string =>
    fingerprint.slice(fingerprint.indexOf('.') + 1);
  return known !== null && contentOf(known) === contentOf(seen) ? 'touch' : 'content';
}

function bare(url: string | undefined): string {
  return url === undefined ? '' : (url.split('?', 1)[0] ?? '');
}

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
const UNREACHABLE: Backoff = { firstMs: 2000, longestMs: 60_000 };
/** It recovers by itself when the owner makes it readable again; meanwhile it costs allowance. */
const UNREADABLE: Backoff = { firstMs: 20_000, longestMs: 5 * 60_000 };
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
