import { sql } from 'kysely';
import { BASELINE_TOLERANCE_MS } from '#shared/domain/automatic-likes.ts';
import { type DeliverySpeed, spreadMs } from '#shared/domain/delivery-speed.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { Tx } from '../../db/database.ts';
import type { Ids } from '../../deps.ts';
import type { WatchKey } from '../accounts/account-watch.repository.ts';
import { insertLikeOrder } from '../orders/like-order.repository.ts';
import { type PostRow, setOutcome } from '../posts/post.repository.ts';
import { type AutomaticDecision, decideAutomatic, type LikesTerms } from './automatic-decision.ts';

/** A subscription that delivers now, with what its account says. */
interface Deliverable extends WatchKey, LikesTerms {
  igId: string;
  speed: DeliverySpeed;
  baselineReadAt: Date;
}

interface Undecided extends Pick<
  PostRow,
  'id' | 'shortcode' | 'media_type' | 'taken_at' | 'detected_at'
> {}

/**
 * Decides all posts of these accounts that haven't been decided, and makes their orders. The accounts'
 * watches must be locked: that, and the unique indexes, make it one order per subscription and post.
 *
 * A post seen while no subscription delivers stays undecided. One that begins later takes up what its
 * baseline lets through: posts from between the checkout's reading and its payment.
 */
export async function orderAutomaticLikes(
  tx: Tx,
  ids: Ids,
  accounts: readonly WatchKey[],
  now: Date,
): Promise<void> {
  const deliverables = await listDeliverables(tx, accounts, now);
  if (deliverables.length === 0) return;
  await settleOlderPosts(tx, deliverables);
  for (const deliverable of deliverables) await orderForAccount(tx, ids, deliverable, now);
}

async function listDeliverables(
  tx: Tx,
  accounts: readonly WatchKey[],
  now: Date,
): Promise<Deliverable[]> {
  const keys = accounts.map(({ workspaceId, accountId }) => ({ workspaceId, accountId }));
  const { rows } = await sql<
    Omit<Deliverable, 'range'> & { rangeMin: number | null; rangeMax: number | null }
  >`
    select s.workspace_id as "workspaceId", s.account_id as "accountId",
      s.id as "subscriptionId", s.package, s.time_zone as "timeZone", s.ig_id as "igId",
      s.baseline_read_at as "baselineReadAt", a.speed, a.automatic_likes as "automaticLikes",
      a.range_min as "rangeMin", a.range_max as "rangeMax"
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
      as k("workspaceId" uuid, "accountId" uuid)
    join subscription s on s.workspace_id = k."workspaceId" and s.account_id = k."accountId"
    join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
    where s.state in ('Active', 'Past due') and (s.ends_at is null or s.ends_at > ${now})
      and a.ig_id = s.ig_id
  `.execute(tx);
  return rows.map(({ rangeMin, rangeMax, ...row }) => ({
    ...row,
    range: rangeMin === null || rangeMax === null ? undefined : { min: rangeMin, max: rangeMax },
  }));
}

/** Posts of the baseline, or older than it, have had their chance before the subscription. */
async function settleOlderPosts(tx: Tx, deliverables: readonly Deliverable[]): Promise<void> {
  const values = deliverables.map(({ workspaceId, subscriptionId, baselineReadAt }) => ({
    workspaceId,
    subscriptionId,
    newFrom: new Date(baselineReadAt.getTime() - BASELINE_TOLERANCE_MS),
  }));
  await sql`
    update post p set automatic_outcome = 'before_subscription'
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb)
      as k("workspaceId" uuid, "subscriptionId" uuid, "newFrom" timestamptz)
    join subscription s on s.workspace_id = k."workspaceId" and s.id = k."subscriptionId"
    where p.workspace_id = s.workspace_id and p.account_id = s.account_id
      and p.automatic_outcome = 'no_subscription'
      and (p.taken_at < k."newFrom" or p.id = any(s.baseline_post_ids))
  `.execute(tx);
}

async function orderForAccount(
  tx: Tx,
  ids: Ids,
  deliverable: Deliverable,
  now: Date,
): Promise<void> {
  const posts = await listUndecided(tx, deliverable);
  if (posts.length === 0) return;
  const days = posts.map((post) => localDay(post.taken_at.getTime(), deliverable.timeZone));
  const takenSlots = await readTakenSlots(tx, deliverable, [...new Set(days)]);
  for (const post of posts) {
    const key = { ...deliverable, postId: post.id };
    const facts = { id: post.id, mediaType: post.media_type, takenAt: post.taken_at };
    const decision = decideAutomatic(deliverable, facts, takenSlots);
    if (decision.outcome === 'ordered') {
      takenSlots.set(decision.localDay, decision.slot);
      await insertOrder(tx, ids, deliverable, post, decision, now);
    }
    await setOutcome(tx, key, decision.outcome, now);
  }
}

/** In the order in which they count: as they appeared on the network. */
function listUndecided(tx: Tx, { workspaceId, accountId }: WatchKey): Promise<Undecided[]> {
  return tx
    .selectFrom('post')
    .select(['id', 'shortcode', 'media_type', 'taken_at', 'detected_at'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('automatic_outcome', '=', 'no_subscription')
    .where('deleted_at', 'is', null)
    .orderBy('taken_at')
    .orderBy('id')
    .execute();
}

/** The highest slot given out on each of these days; slots are given out from 1 without gaps. */
async function readTakenSlots(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
  days: string[],
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('like_order')
    .select((eb) => ['local_day', eb.fn.max('slot').as('slot')])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('kind', '=', 'automatic')
    .where('local_day', 'in', days)
    .groupBy('local_day')
    .execute();
  return new Map(rows.map(({ local_day: day, slot }) => [day ?? '', slot ?? 0]));
}

function insertOrder(
  tx: Tx,
  ids: Ids,
  deliverable: Deliverable,
  post: Undecided,
  decision: Extract<AutomaticDecision, { outcome: 'ordered' }>,
  now: Date,
): Promise<void> {
  const { ordered, bonus } = decision.amount;
  return insertLikeOrder(tx, {
    workspace_id: deliverable.workspaceId,
    id: ids.uuid(),
    kind: 'automatic',
    account_id: deliverable.accountId,
    post_id: post.id,
    ig_id: deliverable.igId,
    shortcode: post.shortcode,
    subscription_id: deliverable.subscriptionId,
    local_day: decision.localDay,
    slot: decision.slot,
    speed: deliverable.speed,
    ordered,
    bonus,
    views: decision.views,
    posted_at: post.taken_at,
    detected_at: post.detected_at ?? now,
    start_at: now,
    finish_by: new Date(now.getTime() + spreadMs(deliverable.speed, ordered + bonus)),
  });
}
