import type { WorkspaceId } from '#shared/domain/ids.ts';

/** The tenant every business row belongs to; registration makes one of one person. */
export interface WorkspaceTable {
  id: WorkspaceId;
  created_at: Date;
  /** A manager's changes of many accounts that cost more wait for another person; null: none do. */
  approval_above_cents: number | null;
}

export interface UserTable {
  workspace_id: WorkspaceId;
  id: string;
  name: string;
  /** As normalised; unique through `email_directory`. */
  email: string;
  phone: string;
  /** argon2id, in its own encoded form. */
  password_hash: string;
  /** Plan number chosen at sign-up. */
  package: number;
  time_zone: string;
  default_account_id: string | null;
  created_at: Date;
}

/** Global: one user per e-mail address, whatever workspace it is in. */
export interface EmailDirectoryTable {
  email: string;
  workspace_id: WorkspaceId;
  user_id: string;
}
