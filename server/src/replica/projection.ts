import type { EntityName } from '#shared/sync/entities.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { ScopeOwner } from './scope-owner.ts';

/** What making rows takes. */
export type ProjectionDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

/** A row as JSON text, with its place in a snapshot. */
export interface SnapshotRow {
  id: string;
  v: number;
  /** Of posts `taken_at|account|id`, newest first; else the id. */
  key: string;
  text: string;
}

export interface SnapshotPage {
  rows: SnapshotRow[];
  /** How many were there; a row that has gone since is left out of `rows`. */
  read: number;
  after: string | undefined;
}

/** How rows look now, which the read model knows; routes bring it. */
export interface Projection {
  /** Rows as JSON text by id; what is gone is missing. */
  projectRows(
    deps: ProjectionDeps,
    owner: ScopeOwner,
    entity: EntityName,
    ids: readonly string[],
  ): Promise<Map<string, string>>;
  /** Posts of a workspace (or one account) behind a key, newest first. */
  pageOfPosts(
    deps: ProjectionDeps,
    owner: ScopeOwner,
    page: { after: string | undefined; account: string | undefined; limit: number },
  ): Promise<SnapshotPage>;
}

/** What handing rows out takes. */
export type ReplicaDeps = ProjectionDeps & { projection: Projection };
