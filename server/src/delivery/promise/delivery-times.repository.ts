import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';

/** Read newest first along the index on the orders' ids, so that a long history costs nothing. */
const ORDERS_LIMIT = 2000;

/** Times of the newest completed automatic orders at Instant speed, in milliseconds; 0 without any. */
interface MeasuredTimes {
  orders: number;
  detectedP50Ms: number;
  detectedP95Ms: number;
  finishedP50Ms: number;
  finishedP95Ms: number;
}

export async function measureDeliveryTimes(db: Db): Promise<MeasuredTimes> {
  const { rows } = await sql<MeasuredTimes>`
    with newest as (
      select
        extract(epoch from detected_at - posted_at)::float8 * 1000 as detected_ms,
        extract(epoch from finished_at - detected_at)::float8 * 1000 as finished_ms
      from like_order
      where state = 'Completed' and kind = 'automatic' and speed = 'Instant'
        and finished_at is not null
      order by id desc
      limit ${ORDERS_LIMIT}
    )
    select
      count(*)::int as "orders",
      coalesce(percentile_cont(0.5) within group (order by detected_ms), 0) as "detectedP50Ms",
      coalesce(percentile_cont(0.95) within group (order by detected_ms), 0) as "detectedP95Ms",
      coalesce(percentile_cont(0.5) within group (order by finished_ms), 0) as "finishedP50Ms",
      coalesce(percentile_cont(0.95) within group (order by finished_ms), 0) as "finishedP95Ms"
    from newest`.execute(db);
  const [measured] = rows;
  if (!measured) throw new Error('An aggregate without groups answers one row.');
  return measured;
}
