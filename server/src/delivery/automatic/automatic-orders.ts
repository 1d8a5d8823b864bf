import { type AutomaticOutcome, newPostsFrom } from '#shared/domain/delivery/automatic-likes.ts';
import { spreadMs } from '#shared/domain/delivery/delivery-speed.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Settings } from '#server/kit/settings.ts';
import type { AccountKey } from '#server/network/accounts/account.repository.ts';
import { insertLikeOrder, requestCancel } from '../orders/like-order.repository.ts';
import { type DecidedPost, setOutcomes } from '#server/network/posts/post.repository.ts';
import { useDay, readTakenSlots, takeSlot } from './automatic-slot.repository.ts';
import {
  type Deliverable,
  listDeliverables,
  listUndecided,
  type Undecided,
} from './automatic-facts.repository.ts';
import { takeAdvance } from './unpaid-posts.repository.ts';
import { type PostPayment, readPayment, readUnpaidFrom } from './unpaid-posts.ts';
import { type AutomaticDecision, decideAutomatic } from './automatic-decision.ts';
import type { PostEvents } from '#server/network/detection/post-events.ts';

export type OrderDeps = Pick<Deps, 'ids'> & { settings: Pick<Settings, 'appSecret'> };

/**
 * Decides all posts of these accounts that haven't been decided, and makes their orders. The accounts'
 * poll schedules must be locked: that, and the unique indexes, make it one order per subscription and post.
 *
 * A post seen while no subscription delivers stays undecided. One that begins later takes up what its
 * baseline lets through: posts from between the checkout's reading and its payment.
 */
async function orderAutomaticLikes(
  tx: Tx,
  deps: OrderDeps,
  accounts: readonly AccountKey[],
  now: Date,
): Promise<void> {
  const undecided = await listUndecided(tx, accounts);
  if (undecided.length === 0) return;
  const byAccount = Map.groupBy(undecided, ({ accountId }) => accountId);
  const waiting = accounts.filter(({ accountId }) => byAccount.has(accountId));
  const decided: DecidedPost[] = [];
  for (const deliverable of await listDeliverables(tx, waiting, now)) {
    const posts = byAccount.get(deliverable.accountId) ?? [];
    decided.push(...(await decidePosts(tx, deps, deliverable, posts, now)));
  }
  await setOutcomes(tx, decided);
}

async function decidePosts(
  tx: Tx,
  deps: OrderDeps,
  deliverable: Deliverable,
  posts: readonly Undecided[],
  now: Date,
): Promise<DecidedPost[]> {
  const [older, newer] = split(posts, (post) => isOfBaseline(post, deliverable));
  const decided = older.map((post) => decidedAs(post, 'before_subscription', null));
  const served = newer.filter((post) => !isWaiting(post, deliverable));
  const { timeZone } = deliverable;
  const terms = { ...deliverable, unpaidFrom: await readUnpaidFrom(tx, deliverable) };
  const days = served.map((post) => localDay(post.takenAt.getTime(), timeZone));
  const taken = await readTakenSlots(tx, deliverable, days);
  for (const post of served) {
    const payment = await readPayment(tx, deliverable, localDay(post.takenAt.getTime(), timeZone));
    const facts = { ...post, isInAdvance: payment === 'in_advance' };
    const decision = decideAutomatic(deps.settings.appSecret, terms, facts, taken);
    const outcome = await carryOut(tx, deps, { deliverable, post, payment, decision, now });
    if (!outcome) continue;
    if (decision.outcome === 'ordered' && outcome === 'ordered') {
      taken.push({ ...decision, timeZone, postedAtMs: post.takenAt.getTime() });
    }
    decided.push(decidedAs(post, outcome, now));
  }
  return decided;
}

interface Deed {
  deliverable: Deliverable;
  post: Undecided;
  payment: PostPayment;
  decision: AutomaticDecision;
  now: Date;
}

/** @returns what was done; undefined: it waits for a payment, or its slot has just been taken: decided again later */
async function carryOut(
  tx: Tx,
  deps: OrderDeps,
  deed: Deed,
): Promise<AutomaticOutcome | undefined> {
  const { deliverable, post, payment, decision, now } = deed;
  if (decision.outcome !== 'ordered') return decision.outcome;
  if (payment === 'waits') return undefined;
  const isInAdvance = payment === 'in_advance';
  if (isInAdvance && !(await takeAdvance(tx, deliverable, now))) return undefined;
  if (!(await useDay(tx, deliverable, decision.localDay, now))) return 'day_given_back';
  const postedAtMs = post.takenAt.getTime();
  const slot = { ...decision, timeZone: deliverable.timeZone, postedAtMs };
  if (!(await takeSlot(tx, deliverable, slot))) return undefined;
  await insertOrder(tx, deps, { deliverable, post, decision, isInAdvance, now });
  return 'ordered';
}

/** Posts of a pause, and those of an unpaid time, wait: for the baseline after it, or for the payment. */
function isWaiting({ takenAt }: Undecided, { pausesAt, postsWaitSince }: Deliverable): boolean {
  return [pausesAt, postsWaitSince].some((since) => since !== null && takenAt >= since);
}

function decidedAs(
  { workspaceId, accountId, id }: Undecided,
  outcome: AutomaticOutcome,
  detectedAt: Date | null,
): DecidedPost {
  return { workspaceId, accountId, id, outcome, detectedAt };
}

/** Posts of the baseline, or older than it, have had their chance before the subscription. */
function isOfBaseline(post: Undecided, deliverable: Deliverable): boolean {
  const newFrom = newPostsFrom({
    baselineReadMs: deliverable.baselineReadAt.getTime(),
    createdMs: deliverable.createdAt.getTime(),
    timeZone: deliverable.timeZone,
  });
  return post.takenAt.getTime() < newFrom || deliverable.baselinePostIds.includes(post.id);
}

function split<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

interface NewOrder extends Pick<Deed, 'deliverable' | 'post' | 'now'> {
  decision: Extract<AutomaticDecision, { outcome: 'ordered' }>;
  isInAdvance: boolean;
}

function insertOrder(
  tx: Tx,
  { ids }: OrderDeps,
  { deliverable, post, decision, isInAdvance, now }: NewOrder,
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
    posted_at: post.takenAt,
    detected_at: post.detectedAt ?? now,
    start_at: now,
    finish_by: new Date(now.getTime() + spreadMs(deliverable.speed, ordered + bonus)),
    plan_price_cents: decision.plan.priceCents,
    plan_likes: decision.plan.likes,
    period_days: decision.periodDays,
    in_advance: isInAdvance,
  });
}

/** New posts get their automatic likes; orders of posts that were deleted end. */
export function servePosts(deps: OrderDeps): PostEvents {
  return {
    onPostsStored: (tx, accounts, now) => orderAutomaticLikes(tx, deps, accounts, now),
    async onPostDeleted(tx, { workspaceId, accountId, postId }, now) {
      const cancel = { reason: 'post_deleted', now } as const;
      await requestCancel(tx, workspaceId, { accountId, postId }, cancel);
    },
  };
}
