import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** How a workspace calls itself on its reports. */
export interface ReportBrandTable {
  workspace_id: WorkspaceId;
  name: string;
  logo: Buffer | null;
  changed_at: Date;
}

/** Who is mailed a report each month. */
export interface ReportMailTable {
  workspace_id: WorkspaceId;
  /** The client's, or the workspace's. */
  id: string;
  client_id: string | null;
  addresses: string[];
  user_ids: string[];
  month: string;
  due_at: Date;
  fence: Generated<number>;
}

/** An address outside; gone with the member who added it, and when no report goes to it any more. */
export interface ReportAddressTable {
  workspace_id: WorkspaceId;
  /** As normalised. */
  email: string;
  id: string;
  /** A user's id. */
  added_by: string;
  added_at: Date;
  /** SHA-256 of the 256-bit token in the newest link. */
  token_hash: Buffer | null;
  /** Of the link. */
  expires_at: Date | null;
  /** Null: nothing is mailed to it but the link. */
  confirmed_at: Date | null;
}

/** A report that was mailed, once for each month. */
export interface SentReportTable {
  workspace_id: WorkspaceId;
  report_id: string;
  month: string;
  client_id: string | null;
  at: Date;
  title: string;
  agency: string | null;
  file_name: string;
  pdf: Buffer | null;
}
