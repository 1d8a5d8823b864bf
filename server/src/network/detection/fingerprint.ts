import { hash } from 'node:crypto';
import type { AccountId } from '#shared/domain/ids.ts';
import type { NetworkAccount, NetworkPost } from '#server/adapters/graph/social-network.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

/** An unchanged account is written again this often (`keptFingerprint`). */
const TOUCH_EVERY_MS = 5 * MINUTE_MS;

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
