/** One thing somebody did. Append-only: triggers refuse update, delete and truncate. */
export interface AuditEventTable {
  workspace_id: string;
  /** 1, 2, 3 ... per workspace, without gaps. */
  seq: number;
  at: Date;
  /** A user's id, "system" or "operator". */
  actor: string;
  action: string;
  /** Id of what it was done to. */
  subject: string | null;
  previous_hash: Buffer;
  hash: Buffer;
}

/** The last link of each workspace's chain; its lock puts writers in a row. */
export interface AuditHeadTable {
  workspace_id: string;
  seq: number;
  hash: Buffer;
}
