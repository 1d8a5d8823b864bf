import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Generated } from 'kysely';

/** A signed-in browser. Only the hash of its token is kept. */
export interface SessionTable {
  /** SHA-256 of the 256-bit token in the cookie. */
  token_hash: Buffer;
  /** Names the session where the token must not be shown (list of devices). */
  id: string;
  /** Its person's home. */
  workspace_id: WorkspaceId;
  user_id: string;
  /** Where they act; null: at home. */
  acting_workspace_id: WorkspaceId | null;
  keep_signed_in: boolean;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  /** Why it was ended from elsewhere; null of one that this browser ended itself, or that ran out. */
  end_reason: 'signed_out' | 'password_changed' | 'membership_ended' | null;
}

/** A session whose customer has deleted their account. */
export interface DeletedSessionTable {
  token_hash: Buffer;
  /** When its cookie is over. */
  expires_at: Date;
}

/** A browser, and the network it was in, from which a customer has logged in or recovered the password. */
export interface KnownBrowserTable {
  workspace_id: WorkspaceId;
  user_id: string;
  /** SHA-256 of the token in the browser's cookie. */
  browser_hash: Buffer;
  /** Keyed hash of the network; another one for each customer. */
  network_hash: Buffer;
  seen_at: Date;
}

/** A browser that is told when likes are done, as long as its session lives. */
export interface PushSubscriptionTable {
  workspace_id: WorkspaceId;
  session_id: string;
  /** Address at the browser's push service, and the keys that messages are encrypted with. */
  endpoint: string;
  p256dh: string;
  auth: string;
  created_at: Date;
  /** Orders that it is yet to be told of. */
  pending_order_ids: Generated<string[]>;
  /** Null: nothing is to be told. */
  next_attempt_at: Generated<Date | null>;
  /** How often it was tried in vain since it was last told something. */
  attempts: Generated<number>;
}

/**
 * One password recovery of one browser.
 *
 *   code sent ──right code──> granted ──new password──> gone
 *       └── 5 tries or 10 minutes: worth nothing, swept up later
 *
 * Rows for addresses nobody has look the same: nothing here tells them apart.
 */
export interface RecoveryTable {
  /** SHA-256 of the 256-bit token in the browser's cookie; a new token with the grant. */
  token_hash: Buffer;
  /** What the answer of S§7 calls `otp`: names the request, opens nothing. */
  id: string;
  /** Keyed hash of the address. */
  email_hash: string;
  /** Keyed hash of the code; null once it was right: from then on the row is a grant. */
  code_hash: Buffer | null;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

/** How often something was done in the current window; shared by all nodes. */
export interface RateLimitTable {
  /** What is limited, e.g. "login". */
  name: string;
  /** Keyed hash of who is limited: the table shows no address and no e-mail. */
  key_hash: string;
  used: number;
  /** When the window ends; a row past it counts as absent. */
  resets_at: Date;
}
