import { PLANS } from '#shared/domain/money/plans.ts';
import { daysOfPeriod } from '#shared/domain/money/billing-period.ts';
import { beat } from '#server/network/detection/service-clock.repository.ts';
import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { type BookedOrder, type BookedPlan, countOne, type World } from './world.ts';

const BATCH = { leaseMs: 30_000, batch: 100 };
/** More than an account's polls are apart. */
const CHECK_AGAIN_MS = 21_000;
/** A post that is gone is asked about at the second poll that misses it. */
const POLLS = 2;

/** Detection of what has happened on the network, and the orders it leads to. */
export async function detect(world: World): Promise<void> {
  const { deps, detector } = world;
  const { signal } = new AbortController();
  for (let poll = 0; poll < POLLS; poll += 1) {
    while ((await detector.round(signal)) === 'again') continue;
    await detector.settled();
    deps.clock.advance(CHECK_AGAIN_MS);
  }
  await bookNewOrders(world);
}

/** The service was at work all the time since the last step. */
export async function keepBeating({ deps }: World): Promise<void> {
  const now = new Date(deps.clock.now());
  const tables = deps.database.db;
  const { numUpdatedRows } = await tables
    .updateTable('service_clock')
    .set({ beat_at: now })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await beat(deps.database, now);
}

/** Writes down what each new order is worth, by the plan whose likes it has. */
async function bookNewOrders(world: World): Promise<void> {
  const rows = await world.deps.database.db
    .selectFrom('like_order as o')
    .leftJoin('subscription as s', (on) =>
      on.onRef('s.workspace_id', '=', 'o.workspace_id').onRef('s.id', '=', 'o.subscription_id'),
    )
    .select(['o.id', 'o.workspace_id', 'o.ig_id', 'o.ordered', 'o.plan_likes', 'o.in_advance'])
    .select(['s.id as subscription_id', 's.anchor_at', 's.time_zone', 's.state'])
    .select('s.period')
    .where('o.id', '>', world.lastBooked)
    .orderBy('o.id')
    .execute();
  for (const row of rows) {
    const player = world.byWorkspace.get(row.workspace_id);
    if (!player) throw new Error(`Nobody has workspace ${row.workspace_id}`);
    world.lastBooked = row.id;
    world.book.set(row.id, {
      id: row.id,
      player,
      plan: planOf(row),
      igId: row.ig_id,
      ordered: row.ordered,
      delivered: 0,
      orderedAtMs: world.deps.clock.now(),
      isInAdvance: row.in_advance,
    });
  }
}

interface PlanColumns {
  subscription_id: string | null;
  plan_likes: number | null;
  in_advance: boolean;
  anchor_at: Date | null;
  time_zone: string | null;
  period: number | null;
  state: string | null;
}

function planOf(row: PlanColumns): BookedPlan | undefined {
  const plan = PLANS.find(({ likes }) => likes === row.plan_likes);
  if (!plan || !row.subscription_id || !row.anchor_at || !row.time_zone) return undefined;
  const clock = { anchorMs: row.anchor_at.getTime(), timeZone: row.time_zone, shiftDays: 0 };
  // What is served before a renewal is paid belongs to the period that it pays for.
  const isOfNext = row.in_advance || row.state === 'Past due';
  const period = (row.period ?? 0) + (isOfNext ? 1 : 0);
  return {
    subscriptionId: row.subscription_id,
    likes: plan.likes,
    priceCents: plan.priceCents,
    days: daysOfPeriod(clock, period),
  };
}

/** The provider delivers what it has, some of it slowly, in part or not at all. Then new orders go there. */
export async function deliver(world: World): Promise<void> {
  const { deps, openRefs } = world;
  for (const ref of openRefs) if (work(world, ref)) openRefs.delete(ref);
  while ((await pollDueOrders(deps, BATCH)) === 'again') continue;
  for (const ref of openRefs) if (await hasEnded(world, ref)) openRefs.delete(ref);
  const before = deps.provider.calls.length;
  const place = { ...BATCH, lockClaimed: lockClaimedOrders };
  while ((await placeDueOrders(deps, place)) === 'again') continue;
  for (const call of deps.provider.calls.slice(before)) {
    if (call.call === 'placeOrders') for (const { ref } of call.orders) openRefs.add(ref);
  }
}

/** Stopped by us. */
async function hasEnded({ deps }: World, ref: string): Promise<boolean> {
  const outcome = await deps.provider.readProgress([ref]);
  const status = outcome.kind === 'answered' ? outcome.answer[0]?.status : undefined;
  return status === 'Partial' || status === 'Canceled';
}

/** @returns whether the order has come to its end */
function work(world: World, ref: string): boolean {
  const { provider } = world.deps;
  const order = provider.orders.get(ref);
  const booked = world.book.get(ref);
  if (!order || !booked) return true;
  const total = order.likes;
  if (!isReachable(world, booked, order.mediaId))
    return end(world, booked, booked.delivered, total);
  const dice = world.random();
  if (dice < 0.5) return end(world, booked, total, total);
  const some = booked.delivered + Math.floor((total - booked.delivered) * world.random());
  if (world.hasFaults && dice > 0.95) return end(world, booked, some, total);
  booked.delivered = some;
  provider.advance(ref, {
    status: 'In progress',
    delivered: some,
    views: order.views > 0 ? some : 0,
  });
  return false;
}

function end(world: World, booked: BookedOrder, delivered: number, total: number): true {
  const { provider } = world.deps;
  booked.delivered = delivered;
  if (delivered === total) provider.complete(booked.id);
  else {
    const views = (provider.orders.get(booked.id)?.views ?? 0) > 0 ? delivered : 0;
    provider.advance(booked.id, {
      status: delivered > 0 ? 'Partial' : 'Canceled',
      delivered,
      views,
    });
    countOne(world, 'order ended early');
  }
  return true;
}

/** Members like what they can see. */
function isReachable(world: World, { player }: BookedOrder, mediaId: string): boolean {
  const post = world.posts.get(mediaId);
  return post?.isThere === true && !player.accounts[post.account].isHidden;
}
