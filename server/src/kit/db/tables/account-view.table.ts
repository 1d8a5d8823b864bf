import type { WorkspaceId } from '#shared/domain/ids.ts';

/** A view of the table of accounts under a name. */
export interface AccountViewTable {
  workspace_id: WorkspaceId;
  id: string;
  /** Whose it is; null: the workspace's, which all see. */
  user_id: string | null;
  name: string;
  /** As an address says it: `?sort=-next`. */
  search: string;
}
