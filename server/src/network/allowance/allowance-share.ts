import { MINUTE_MS } from '#shared/domain/durations.ts';

/**
 * Who may use how much of the network's allowance (D6), in percent of a token's. A paid checkout's baseline,
 * a plan that goes on, whose an account is, and detection have all of it: they ask without a share.
 */
export const SHARES = {
  /** What nobody paid for: look-ups, registrations, settings, names and pictures of an unpaid workspace. */
  unpaid: 50,
  /** Older posts: detection comes first. */
  history: 60,
  /** Look-ups, settings, names and pictures of a workspace that pays. */
  paying: 75,
} as const;

export type Share = keyof typeof SHARES;

/** A reading that takes longer than any call may has been lost with its process. */
export const READING_LOST_AFTER_MS = MINUTE_MS;

/**
 * A token nobody has asked for so long may be free again: nothing but a call tells. Without it a full share
 * would stay full where no detection runs.
 */
export const USAGE_STALE_AFTER_MS = 5 * MINUTE_MS;
