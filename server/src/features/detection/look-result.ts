import type { ClaimedLook, SettledLook } from '../accounts/account-watch.repository.ts';
import type { AccountReading } from './network-reader.ts';

export type ReadLook = Extract<AccountReading, { kind: 'read' }>;

/** What a look leaves to be written; looks that saw nothing new leave nothing. */
export type LookResult =
  /** Something about the account or its posts differs from what is known. */
  | { kind: 'content'; look: ClaimedLook; reading: ReadLook; digest: string }
  /** Only the time of reading and the account's figures are written. */
  | { kind: 'touch'; look: ClaimedLook; reading: ReadLook; digest: string }
  | { kind: 'failed'; look: ClaimedLook; cause: 'unreadable' | 'unreachable' }
  /** Not taken: throttled, or the process stops. It keeps its place in the queue. */
  | { kind: 'given_back'; look: ClaimedLook };

interface Backoff {
  firstMs: number;
  mostMs: number;
}
/** A failed look is retried sooner than the next regular one would come, at first. */
const UNREACHABLE: Backoff = { firstMs: 2000, mostMs: 60_000 };
/** It recovers by itself when the owner makes it readable again; meanwhile it costs allowance. */
const UNREADABLE: Backoff = { firstMs: 20_000, mostMs: 5 * 60_000 };
/** Passing trouble isn't shown to the customer before so many looks in a row have failed. */
const FAILURES_TO_SHOW = 3;
const FAILURES_MOST = 1000;

/** How a look is put back after it failed, and the problem the account then shows, if any. */
export function settleFailure(
  look: ClaimedLook,
  cause: 'unreadable' | 'unreachable',
  nowMs: number,
): { settled: SettledLook; problem: 'unreadable' | 'unreachable' | undefined } {
  const { firstMs, mostMs } = cause === 'unreadable' ? UNREADABLE : UNREACHABLE;
  const failures = Math.min(FAILURES_MOST, look.failures + 1);
  const delayMs = Math.min(mostMs, firstMs * 2 ** Math.min(20, failures - 1));
  const isShown = cause === 'unreadable' || failures >= FAILURES_TO_SHOW;
  return {
    // Without a digest the next good look stores, and so clears the problem.
    settled: { ...keyOf(look), digest: null, failures, nextLookAt: new Date(nowMs + delayMs) },
    problem: isShown ? cause : undefined,
  };
}

/** `digest` null makes the next look store again. */
export function settleSuccess(look: ClaimedLook, digest: string | null): SettledLook {
  return { ...keyOf(look), digest, failures: 0, nextLookAt: undefined };
}

function keyOf({ workspaceId, accountId, fence }: ClaimedLook): {
  workspaceId: string;
  accountId: string;
  fence: number;
} {
  return { workspaceId, accountId, fence };
}
