import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** What a person has chosen about the screens and the news; no row: nothing yet. */
export interface UserPreferenceTable {
  workspace_id: WorkspaceId;
  user_id: string;
  density: Generated<'comfortable' | 'compact'>;
  /** The account shown at the moment; null: the default one. */
  active_account_id: string | null;
  pinned_account_ids: Generated<string[]>;
  /** Whether a mail tells when the likes of an order are done. */
  likes_done_mail: Generated<boolean>;
}
