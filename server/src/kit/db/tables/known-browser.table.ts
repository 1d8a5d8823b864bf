import type { WorkspaceId } from '#shared/domain/ids.ts';

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
