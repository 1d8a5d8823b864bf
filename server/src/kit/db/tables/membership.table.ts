import type { Generated } from 'kysely';
import type { Role } from '#shared/domain/people/may.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** Somebody in a workspace. Gone when they have left or were removed; the audit log knows. */
export interface MembershipTable {
  workspace_id: WorkspaceId;
  user_id: string;
  /** The person in this workspace, on the wire and in replicas; never given twice. */
  id: string;
  /** Where the person's own rows are: the workspace they signed up with, or their newest own one. */
  home_workspace_id: WorkspaceId;
  role: Role;
  /** False: the role holds for the workspace only, and clients are granted one by one. */
  all_clients: Generated<boolean>;
  /** What they may spend in a calendar month; null: no limit. Holds for managers. */
  spend_limit_cents: number | null;
  created_at: Date;
}

/** A link that was mailed. Open until it ends, or its time is over. */
export interface InvitationTable {
  workspace_id: WorkspaceId;
  id: string;
  /** As normalised; whoever accepts has it. */
  email: string;
  role: Role;
  all_clients: Generated<boolean>;
  /** SHA-256 of the 256-bit token in the link. */
  token_hash: Buffer;
  /** A user's id. */
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  outcome: 'accepted' | 'withdrawn' | null;
}

/** Who started a charge, if not an owner. */
export interface MemberChargeTable {
  workspace_id: WorkspaceId;
  charge_id: string;
  user_id: string;
  at: Date;
}

/** What somebody has a plan cost more a month, without a charge of theirs; below zero: less. */
export interface MemberRaiseTable {
  workspace_id: WorkspaceId;
  subscription_id: string;
  user_id: string;
  cents: number;
  at: Date;
}

/** Whom a workspace works for; accounts belong to one, or to none. */
export interface ClientTable {
  workspace_id: WorkspaceId;
  id: string;
  /** Unique in the workspace, in whatever case. */
  name: string;
  /** Left out where one is chosen; what is theirs stays as it was. */
  archived_at: Date | null;
  created_at: Date;
}

/** A role for one client, beside what the membership gives. */
export interface ClientGrantTable {
  workspace_id: WorkspaceId;
  user_id: string;
  client_id: string;
  role: Exclude<Role, 'Owner'>;
}
