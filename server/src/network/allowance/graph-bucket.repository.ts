import { type Selectable, sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import { READING_LOST_AFTER_MS, USAGE_STALE_AFTER_MS } from './allowance-share.ts';
import type { GraphBucketTable } from '#server/kit/db/tables/graph-bucket.table.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';

export type GraphBucketRow = Selectable<GraphBucketTable>;

export function listBuckets(db: Db, bucketIds: readonly string[]): Promise<GraphBucketRow[]> {
  return db
    .selectFrom('graph_bucket')
    .selectAll()
    .where('bucket_id', 'in', [...bucketIds])
    .execute();
}

export async function insertMissingBuckets(
  db: Db,
  bucketIds: readonly string[],
  now: Date,
): Promise<void> {
  await db
    .insertInto('graph_bucket')
    .values(
      bucketIds.map((bucketId) => ({
        bucket_id: bucketId,
        usage_percent: 0,
        blocked_until: null,
        throttles: 0,
        refused_code: null,
        retry_at: null,
        paced_at: null,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.column('bucket_id').doNothing())
    .execute();
}

/** Writes how much a bucket has used, as an answer to a call made at `calledAt` said. */
export async function storeUsage(
  db: Db,
  usage: { bucketId: string; percent: number; calledAt: Date; now: Date },
): Promise<void> {
  await db
    .updateTable('graph_bucket')
    .set({
      usage_percent: sql`case when used_at < ${usage.calledAt} then ${usage.percent}::float8
        when used_at = ${usage.calledAt} then greatest(usage_percent, ${usage.percent}::float8)
        else usage_percent end`,
      used_at: sql`greatest(used_at, ${usage.calledAt})`,
      blocked_until: null,
      throttles: 0,
      updated_at: usage.now,
    })
    .where('bucket_id', '=', usage.bucketId)
    // An answer to a call from before the block says nothing about its end.
    .where((eb) =>
      eb.or([eb('blocked_until', 'is', null), eb('blocked_until', '<=', usage.calledAt)]),
    )
    .execute();
}

interface Block {
  bucketId: string;
  calledAt: Date;
  now: Date;
  /** As the network says; undefined: 1-2-4... minutes, at most 30, by the throttles in a row. */
  waitMs: number | undefined;
  /** 1 or a little more, so that nodes don't come back in step. */
  stretch: number;
}

/**
 * Stops a bucket. Many calls are under way when a network begins to throttle: of those only the first
 * counts as a throttle; a longer wait than known is always adopted.
 */
export async function blockBucket(db: Db, block: Block): Promise<GraphBucketRow | undefined> {
  const { bucketId, calledAt, now, waitMs, stretch } = block;
  const wait =
    waitMs === undefined
      ? sql`least(30, power(2, least(throttles, 10))) * 60000 * ${stretch}::float8`
      : sql`${waitMs * stretch}::float8`;
  const isFirst = sql<boolean>`(blocked_until is null or blocked_until <= ${calledAt})`;
  const until = sql<Date>`${now}::timestamptz + ${wait} * interval '1 millisecond'`;
  const { rows } = await sql<GraphBucketRow>`
    update graph_bucket set
      throttles = least(100, throttles + case when ${isFirst} then 1 else 0 end),
      usage_percent = greatest(100, usage_percent),
      blocked_until = ${until},
      updated_at = ${now}
    where bucket_id = ${bucketId}
      and (${isFirst} or (${waitMs !== undefined} and blocked_until < ${until}))
    returning *
  `.execute(db);
  return rows[0];
}

/** A refused token is tried again after 15 minutes, then 30, and every 4 hours at last. */
export const FIRST_RETRY_MS = 15 * MINUTE_MS;
const RETRY_LIMIT_MS = 4 * HOUR_MS;

/** Takes a bucket out of service; false when it already was, for the same reason. */
export async function refuseBucket(
  db: Db,
  refusal: { bucketId: string; code: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('graph_bucket')
    .set((eb) => ({
      refused_code: refusal.code,
      refusals: eb.fn('greatest', [eb.lit(1), 'refusals']),
      retry_at: eb.fn.coalesce(
        'retry_at',
        eb.val(new Date(refusal.now.getTime() + FIRST_RETRY_MS)),
      ),
      updated_at: refusal.now,
    }))
    .where('bucket_id', '=', refusal.bucketId)
    .where((eb) => eb('refused_code', 'is distinct from', refusal.code))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether this caller, and no other, is to try a refused bucket with one call now. */
export async function claimTrial(db: Db, bucketId: string, now: Date): Promise<boolean> {
  const wait = sql`least(${RETRY_LIMIT_MS}::float8, ${FIRST_RETRY_MS} * power(2, least(refusals, 10)))`;
  const { numUpdatedRows } = await db
    .updateTable('graph_bucket')
    .set({
      refusals: sql`least(100, refusals + 1)`,
      retry_at: sql`${now}::timestamptz + ${wait} * interval '1 millisecond'`,
      updated_at: now,
    })
    .where('bucket_id', '=', bucketId)
    .where('refused_code', 'is not', null)
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives refused buckets another chance; an operator has changed something, or it was tried. */
export async function returnToService(
  db: Db,
  bucketIds: readonly string[],
  now: Date,
): Promise<void> {
  await db
    .updateTable('graph_bucket')
    .set({ refused_code: null, retry_at: null, refusals: 0, updated_at: now })
    .where('bucket_id', 'in', [...bucketIds])
    .where('refused_code', 'is not', null)
    .execute();
}

/** Whether polls may be handed out now, `spacingMs` after the last time, by whichever node. */
export async function startPacedClaim(
  db: Db,
  claim: { bucketId: string; now: Date; spacingMs: number },
): Promise<boolean> {
  const before = new Date(claim.now.getTime() - claim.spacingMs);
  const { numUpdatedRows } = await db
    .updateTable('graph_bucket')
    .set({ paced_at: claim.now })
    .where('bucket_id', '=', claim.bucketId)
    .where((eb) => eb.or([eb('paced_at', 'is', null), eb('paced_at', '<=', before)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A reading of somebody's share that is under way with a bucket. */
export interface OpenShare {
  bucketId: string;
  id: string;
}

/**
 * Begins a reading where the share has room: what a bucket has used, and one percent for each reading that
 * is under way on any node, stay below `belowPercent`. One statement, so that two nodes see each other's.
 */
export async function openReading(
  db: Db,
  reading: OpenShare & { belowPercent: number; now: Date },
): Promise<boolean> {
  const { bucketId, id, belowPercent, now } = reading;
  const nowMs = now.getTime();
  const staleBefore = new Date(nowMs - USAGE_STALE_AFTER_MS);
  const running = sql`select key, value from jsonb_each(open_readings)
    where value::text::float8 > ${nowMs}::float8`;
  const { rows } = await sql`
    update graph_bucket set open_readings =
      (select coalesce(jsonb_object_agg(key, value), '{}') from (${running}) r)
        || jsonb_build_object(${id}::text, ${nowMs + READING_LOST_AFTER_MS}::float8)
    where bucket_id = ${bucketId} and refused_code is null
      and (blocked_until is null or blocked_until <= ${now})
      and (usage_percent + (select count(*) from (${running}) r) < ${belowPercent}
        or (updated_at <= ${staleBefore} and not exists (${running})))
    returning bucket_id
  `.execute(db);
  return rows.length > 0;
}

/** Ends a reading; what its answer said of the usage is stored before. */
export async function closeReading(
  db: Db,
  { bucketId, id, now }: OpenShare & { now: Date },
): Promise<void> {
  await sql`
    update graph_bucket set open_readings = open_readings - ${id}::text, updated_at = ${now}
    where bucket_id = ${bucketId}
  `.execute(db);
}
