import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';

/** A code that was asked for, to show whose a network account is (D6). */
export interface OwnershipProofTable {
  workspace_id: WorkspaceId;
  ig_id: IgId;
  /** Part of what the code is made from: asked again after its end, it is another one. */
  asked_at: Date;
  expires_at: Date;
  /** When the code was found in the profile's text; null: not yet. */
  proved_at: Date | null;
}

/** Global: who last took a network account over by showing that it is theirs. */
export interface NetworkOwnerTable {
  /** Keyed hash of the network's id. */
  account_hash: string;
  workspace_id: WorkspaceId;
  proved_at: Date;
}
