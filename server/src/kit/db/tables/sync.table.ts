import type { Generated } from 'kysely';
import type { EntityName } from '#shared/sync/entities.ts';
import type { Scope } from '#shared/contract/scope.ts';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';

/** One row: cursors of another epoch are void. */
export interface SyncEpochTable {
  id: Generated<boolean>;
  epoch: string;
  /** Which database this was: another one means that it was restored. */
  cluster: string;
}

/** How far a scope has come. Its row lock is the write rule (docs/sync.md). */
export interface SyncHeadTable {
  workspace_id: WorkspaceId;
  scope: Scope;
  v: number;
  /** Tombstones up to this version may be gone. */
  gc_v: Generated<number>;
}

/** The last change of each row, one per row, so the log compacts itself. */
export interface SyncRowTable {
  workspace_id: WorkspaceId;
  scope: Scope;
  entity: EntityName;
  id: string;
  v: number;
  deleted: boolean;
  /** When the clean-up first saw the tombstone. */
  deleted_at: Date | null;
}

/** A replica that pulls or pushes. */
export interface SyncClientTable {
  workspace_id: WorkspaceId;
  user_id: string;
  client_id: string;
  /** The mutation that was executed last. */
  last_mid: Generated<number>;
  schema_v: number;
  last_seen_at: Date;
}

/** How a mutation ended, for whoever asks again. */
export interface SyncMutationTable {
  workspace_id: WorkspaceId;
  user_id: string;
  client_id: string;
  mid: number;
  status: 'ok' | 'rejected';
  code: string | null;
  message: string | null;
  at: Date;
}

/** Order ids made by clients, unique over all workspaces. */
export interface ClientOrderTable {
  order_id: OrderId;
  workspace_id: WorkspaceId;
}
