import * as v from 'valibot';
import { uuid } from '../contract/fields.ts';
import { askedEntity, entityName } from './row.ts';
import { scopeName, version } from '../contract/scope.ts';

export const SNAPSHOT_PATH = '/user/sync/snapshot';

const digits = (max: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1), v.maxValue(max));

/**
 * `GET /user/sync/snapshot?scope&entity&after&account&limit&v` answers NDJSON: a `SnapshotHead`, then
 * `SnapshotChunk`s newest first, then a `SnapshotEnd`. A stream that ends without its end was cut: ask
 * again with the last chunk's entity (and those behind it) and its `after`, and keep the first head's
 * `v` as the cursor.
 */
export const SnapshotQuery = v.object({
  scope: scopeName,
  /** Comma list, read in this order; left out: all of the scope. */
  entity: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',')),
      v.array(askedEntity),
    ),
  ),
  /** Continues the first entity behind this key (a chunk's `after`). */
  after: v.optional(v.pipe(v.string(), v.maxLength(200))),
  /** Posts and orders of this account only, of accounts its own row. */
  account: v.optional(uuid),
  /** Ends after at least so many rows of each entity; accounts come all. */
  limit: v.optional(digits(1_000_000)),
  /** When resuming: the first head's `v`; 410 when changes since then are no longer known. */
  v: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
});
export type SnapshotQuery = v.InferOutput<typeof SnapshotQuery>;

/** First line. Every row that follows is at least as new as `v`; pull from `v` afterwards. */
export const SnapshotHead = v.object({
  epoch: uuid,
  v: version,
  schema: v.number(),
  /** Rows of each entity asked for, at about this time, for a progress bar; 0 of one account's. */
  count: v.record(entityName, v.number()),
});
export type SnapshotHead = v.InferOutput<typeof SnapshotHead>;

/** One line of at most 128 rows. */
export const SnapshotChunk = v.object({
  entity: entityName,
  /** `[id, v, row]` */
  rows: v.array(v.tuple([v.string(), version, v.looseObject({})])),
  /** Key of the last row, to resume behind. */
  after: v.string(),
});
export type SnapshotChunk = v.InferOutput<typeof SnapshotChunk>;

/** Last line. */
export const SnapshotEnd = v.object({
  end: v.literal(true),
  /** Rows in this answer. */
  count: v.number(),
  /** Entities that have more rows than `limit` let through, with the key to continue behind. */
  more: v.record(entityName, v.string()),
});
export type SnapshotEnd = v.InferOutput<typeof SnapshotEnd>;
