import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { addLikeOrder as addLikeOrderCall } from '#shared/contract/credits.ts';
import {
  BONUS_WAITS,
  creditsTooLowSentence,
  likesOrderedSentence,
} from '#shared/domain/credit-packages.ts';
import { spreadMs } from '#shared/domain/delivery-speed.ts';
import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { type AccountRow, findAccountByUsername } from '../accounts/account.repository.ts';
import { customerGone, keepWorkspace } from '../users/workspace-lock.ts';
import { findCreditOrder, findPostToLike, type PostToLike } from './credit-order.repository.ts';
import { insertLikeOrder } from '../orders/like-order.repository.ts';
import { showOrganic } from '../posts/organic-right.repository.ts';
import { readCreditStanding } from './ledger.repository.ts';
import { holdForOrder } from './ledger.service.ts';

type OrderDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;
type LikesForm = Pick<
  CallParsed<typeof addLikeOrderCall>,
  'igUsername' | 'postId' | 'shortCode' | 'likes'
>;
type LikesOrdered = CallData<typeof addLikeOrderCall>;

export interface LikesRequest {
  workspaceId: string;
  /** Becomes the order's id: the same one again is the same order. */
  orderId: string;
  form: LikesForm;
}

/**
 * Orders extra likes for any post of the workspace, old ones too: sets the credits aside and makes the
 * order, both or nothing. Videos get as many views (D7).
 *
 * @throws ApiError `not_yours`, `not_found`, `credits_too_low`, `rate_limited`, `session_ended`
 */
export async function orderExtraLikes(
  deps: OrderDeps,
  { workspaceId, orderId, form }: LikesRequest,
): Promise<{ data: LikesOrdered; message: string }> {
  const { db } = deps.database;
  const known = await findCreditOrder(db, workspaceId, orderId);
  if (known) {
    const { balance } = await readCreditStanding(db, workspaceId);
    return likesOrdered(orderId, known.ordered, balance);
  }
  await limit(deps, { ...LIMITS.order, key: workspaceId });
  const account = await findAccountByUsername(db, workspaceId, form.igUsername);
  if (!account) throw new ApiError('not_yours', 'This isn’t one of your accounts.');
  const credits = await deps.database.transaction(async (tx) => {
    if (!(await keepWorkspace(tx, workspaceId))) throw customerGone();
    const post = await lockPost(tx, account, form);
    return placeOrder(deps, tx, { workspaceId, orderId, form, account, post });
  });
  if (credits === undefined) throw await creditsTooLow(deps, workspaceId);
  return likesOrdered(orderId, form.likes, credits);
}

async function lockPost(tx: Tx, account: AccountRow, form: LikesForm): Promise<PostToLike> {
  const post = await findPostToLike(tx, account, form.postId);
  if (!post || post.shortcode !== form.shortCode) {
    throw new ApiError('not_found', 'We can’t find this post. Please reload your posts.');
  }
  if (post.deletedAt !== null) {
    throw new ApiError('not_found', 'This post was deleted, so it can’t get likes.');
  }
  return post;
}

/** @returns the balance afterwards; undefined when there are too few credits, and nothing was done */
async function placeOrder(
  deps: OrderDeps,
  tx: Tx,
  order: LikesRequest & { account: AccountRow; post: PostToLike },
): Promise<number | undefined> {
  const { workspaceId, orderId, form, account, post } = order;
  const { likes } = form;
  const now = new Date(deps.clock.now());
  const credits = await holdForOrder(tx, deps, {
    workspaceId,
    orderId,
    igUsername: account.ig_username,
    shortcode: post.shortcode,
    credits: likes,
    now,
  });
  if (credits === undefined) return undefined;
  await showOrganic(tx, { workspaceId, igId: post.igId });
  await insertLikeOrder(tx, {
    workspace_id: workspaceId,
    id: orderId,
    kind: 'credit',
    account_id: account.id,
    post_id: post.id,
    ig_id: post.igId,
    shortcode: post.shortcode,
    subscription_id: null,
    local_day: null,
    slot: null,
    speed: account.speed,
    ordered: likes,
    bonus: 0,
    views: post.mediaType === 'VIDEO' ? likes : 0,
    posted_at: post.takenAt,
    detected_at: now,
    start_at: now,
    finish_by: new Date(now.getTime() + spreadMs(account.speed, likes)),
  });
  return credits;
}

function likesOrdered(
  orderId: string,
  likes: number,
  credits: number,
): { data: LikesOrdered; message: string } {
  return { data: { orderId, credits }, message: likesOrderedSentence(likes) };
}

async function creditsTooLow(deps: OrderDeps, workspaceId: string): Promise<ApiError> {
  const { balance, lockedBonus } = await readCreditStanding(deps.database.db, workspaceId);
  const sentence = lockedBonus > 0 ? BONUS_WAITS : creditsTooLowSentence(balance);
  return new ApiError('credits_too_low', sentence, { fields: { likes: sentence } });
}
