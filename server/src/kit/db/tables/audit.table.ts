import type { Generated } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';

/** One thing somebody did. Append-only: triggers refuse update, delete and truncate. */
export interface AuditEventTable {
  workspace_id: WorkspaceId;
  /** 1, 2, 3 ... per workspace, without gaps. */
  seq: number;
  at: Date;
  /** A user's id, "visitor" (nobody signed in), "system" or "operator". */
  actor: string;
  action: string;
  /** Id of what it was done to. */
  subject: string | null;
  /** The change of many accounts that it is a part of. */
  operation_id: string | null;
  /** The account it was done to, by way of a plan, a payment or an order, too. */
  account_id: AccountId | null;
  /** `AuditDetail` as JSON: what it was changed to. */
  detail: string | null;
  previous_hash: Buffer;
  hash: Buffer;
}

/** The last link of each workspace's chain; its lock puts writers in a row. */
export interface AuditHeadTable {
  workspace_id: WorkspaceId;
  seq: number;
  hash: Buffer;
}

/** What strangers did, on its way into a chain; written without its lock. */
export interface AuditNoticeTable {
  workspace_id: WorkspaceId;
  seq: Generated<number>;
  at: Date;
  actor: string;
  action: string;
  subject: string | null;
}
