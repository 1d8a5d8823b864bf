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
