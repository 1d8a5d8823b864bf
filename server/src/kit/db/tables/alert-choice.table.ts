import type { Generated, JSONColumnType } from 'kysely';
import type { AlertMute } from '#shared/domain/accounts/alert.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** What somebody in a workspace has chosen about alerts; no row: nothing yet. */
export interface AlertChoiceTable {
  workspace_id: WorkspaceId;
  user_id: string;
  /** The newest alert they have read. */
  read_until: Date | null;
  mutes: JSONColumnType<AlertMute[], string | undefined>;
  /** Of their own day; null: no mail. */
  mail_hour: number | null;
  /** When it is next checked whether there is something to mail. */
  mail_at: Date | null;
  fence: Generated<number>;
  /** The person's day of the last mail: "2026-11-23". */
  mailed_on: string | null;
  /** What happened until then was told, or there was nothing to tell. */
  mailed_until: Date | null;
}
