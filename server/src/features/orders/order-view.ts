import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { LikeOrderRow } from './like-order.repository.ts';
import { reasonSentence } from './reasons.ts';

/** An order as its receipt shows it. A reason is shown once the order has really ended short. */
export function toLikeOrder(row: LikeOrderRow, igUsername: string): LikeOrder {
  const isShort = row.finished_at !== null && row.remains > 0;
  return {
    id: row.id,
    kind: row.kind,
    igId: row.ig_id,
    igUsername,
    postId: row.post_id,
    shortcode: row.shortcode,
    state: row.state,
    reason: isShort && row.reason !== null ? reasonSentence(row.reason) : null,
    speed: row.speed,
    startCount: row.start_count,
    ordered: row.ordered,
    bonus: row.bonus,
    delivered: row.delivered,
    remains: row.remains,
    creditsReturned: row.credits_returned,
    views: row.views,
    viewsDelivered: row.views_delivered,
    postedAt: row.posted_at.toISOString(),
    detectedAt: row.detected_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    finishBy: row.finish_by.toISOString(),
  };
}
