import type { WorkspaceId } from '#shared/domain/ids.ts';

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
