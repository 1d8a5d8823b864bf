import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { automaticAmount } from '#shared/domain/delivery/automatic-likes.ts';
import { type BillingClock, daysOfPeriod, dueAt } from '#shared/domain/money/billing-period.ts';
import { spreadMs } from '#shared/domain/delivery/delivery-speed.ts';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { Db } from '#server/kit/db/database.ts';
import { DELIVERED_DAYS, type Owner, type ProviderOrder, scattered } from './planted-rows.ts';

/** What is younger may still be polled, or counted by the network. */
const YOUNGEST_MS = HOUR_MS;
const LOST_MAX = 0.06;
/** The same post has the same order, however often it is planted. */
const NO_CHANCE = new Uint8Array(16);

/** Likes that a planted post got when it was new, in full: one order, in our book and in the provider's. */
export interface PlantedDelivery {
  orderId: string;
  ordered: number;
  bonus: number;
  /** Both together: so many were delivered. */
  likes: number;
  /** Gone since. */
  lost: number;
  /** Likes of the post when delivery began. */
  startCount: number;
  detectedAt: Date;
  finishedAt: Date;
}

/** @param planNumber of the account's plan; null: it has none */
export function deliveryOf(
  nr: number,
  takenAt: Date,
  planNumber: number | null,
  nowMs: number,
): PlantedDelivery | undefined {
  const ageMs = nowMs - takenAt.getTime();
  if (planNumber === null || ageMs < YOUNGEST_MS || ageMs > DELIVERED_DAYS * DAY_MS) return;
  let draws = 0;
  const random = (): number => scattered(nr, 20 + (draws += 1));
  const { ordered, bonus } = automaticAmount(getPlan(planNumber).likes, undefined, random);
  const likes = ordered + bonus;
  const detectedMs = takenAt.getTime() + Math.ceil(4000 + scattered(nr, 8) ** 3 * 40_000);
  return {
    // As every order's: the replica keeps the newest ones, and tells by their ids which those are.
    orderId: v7({ msecs: detectedMs, seq: nr, random: NO_CHANCE }),
    ordered,
    bonus,
    likes,
    lost: Math.floor(likes * scattered(nr, 9) ** 2 * LOST_MAX),
    startCount: Math.floor(scattered(nr, 10) * 20),
    detectedAt: new Date(detectedMs),
    finishedAt: new Date(detectedMs + spreadMs('Instant', likes)),
  };
}

/** The same in the provider's book. */
export function bookedOrder(mediaId: string, delivery: PlantedDelivery): ProviderOrder {
  const { orderId: ref, likes, startCount, detectedAt, finishedAt } = delivery;
  const placedAtMs = detectedAt.getTime();
  return { ref, mediaId, likes, startCount, placedAtMs, finishedAtMs: finishedAt.getTime() };
}

/** The plan that a post was delivered under. */
interface OwnersPlan {
  subscriptionId: string;
  package: number;
  clock: BillingClock;
}

interface DeliveredPost {
  workspaceId: string;
  owner: Owner;
  plan: OwnersPlan;
  post: { id: string; shortcode: string; taken_at: Date };
  delivery: PlantedDelivery;
}

/** What the product would have written while it delivered. */
export function deliveryRows({ workspaceId, owner, plan, post, delivery }: DeliveredPost) {
  const { orderId, ordered, bonus, likes, startCount, detectedAt, finishedAt } = delivery;
  const { taken_at: postedAt } = post;
  const { subscriptionId, clock } = plan;
  const { likes: planLikes, priceCents } = getPlan(plan.package);
  const day = localDay(postedAt.getTime(), clock.timeZone);
  const order = {
    workspace_id: workspaceId,
    id: orderId,
    kind: 'automatic' as const,
    account_id: owner.id,
    post_id: post.id,
    ig_id: owner.igId,
    shortcode: post.shortcode,
    subscription_id: subscriptionId,
    local_day: day,
    // Each account posts every few days.
    slot: 1,
    state: 'Completed' as const,
    speed: 'Instant' as const,
    ordered,
    bonus,
    views: 0,
    views_delivered: 0,
    start_count: startCount,
    delivered: likes,
    remains: 0,
    provider_seq: PROVIDER_SEQ,
    known_at: finishedAt,
    posted_at: postedAt,
    detected_at: detectedAt,
    start_at: detectedAt,
    finish_by: finishedAt,
    started_at: detectedAt,
    finished_at: finishedAt,
    attempted_at: detectedAt,
    attempts: 1,
    fence: 1,
    cancel_requested: false,
    credits_settled_at: finishedAt,
    credits_returned: 0,
    plan_price_cents: priceCents,
    plan_likes: planLikes,
    period_days: periodDaysAt(clock, postedAt.getTime()),
    in_advance: false,
  };
  const of = { workspace_id: workspaceId, order_id: orderId, fence: 1 };
  const events = (['placed', 'started', 'finished'] as const).map((kind) => ({
    ...of,
    id: randomUUID(),
    kind,
    at: kind === 'finished' ? finishedAt : detectedAt,
  }));
  const served = { workspace_id: workspaceId, subscription_id: subscriptionId, local_day: day };
  const usedDay = { ...served, state: 'ordered' as const, found_at: detectedAt };
  const zone = { time_zone: clock.timeZone, posted_at: postedAt };
  return { order, events, usedDay, slot: { ...served, ...zone, ig_id: owner.igId, slot: 1 } };
}

/** Accepted, begun and completed: the number of the provider's last change. */
const PROVIDER_SEQ = 3;

function periodDaysAt(clock: BillingClock, atMs: number): number {
  let period = 0;
  while (dueAt(clock, period + 1) <= atMs) period += 1;
  return daysOfPeriod(clock, period);
}

interface PostOwner extends Owner {
  /** The plan that its posts were delivered under; null: none had likes. */
  plan: OwnersPlan | null;
}

/**
 * Accounts in the order of their numbers.
 * @param igIds pattern of those that were planted on the network; undefined: all, of which none has had likes
 */
export async function listOwners(
  db: Db,
  workspaceId: string,
  igIds: string | undefined,
): Promise<PostOwner[]> {
  const rows = await db
    .selectFrom('account')
    .leftJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'account.workspace_id')
        .onRef('subscription.account_id', '=', 'account.id'),
    )
    .select([
      'account.id',
      (eb) => eb.fn.coalesce('account.ig_id', eb.val('')).as('igId'),
      'subscription.id as subscriptionId',
      'subscription.package',
      'subscription.anchor_at',
      'subscription.time_zone',
      'subscription.shift_days',
    ])
    .where('account.workspace_id', '=', workspaceId)
    .$if(igIds !== undefined, (query) => query.where('account.ig_id', 'like', igIds ?? ''))
    .orderBy('account.ig_id')
    .execute();
  return rows.map(({ id, igId, subscriptionId, anchor_at: anchorAt, ...plan }) => {
    const { package: number, time_zone: timeZone, shift_days: shiftDays } = plan;
    if (igIds === undefined || !subscriptionId || !number || !anchorAt || !timeZone) {
      return { id, igId, plan: null };
    }
    const clock = { anchorMs: anchorAt.getTime(), timeZone, shiftDays: shiftDays ?? 0 };
    return { id, igId, plan: { subscriptionId, package: number, clock } };
  });
}
