import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { addLikeOrder as addLikeOrderCall } from '#shared/contract/money/credits.ts';
import {
  BONUS_WAITS,
  creditsTooLowSentence,
  likesOrderedSentence,
} from '#shared/domain/money/credit-packages.ts';
import { spreadMs } from '#shared/domain/delivery/delivery-speed.ts';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { notYourAccount } from '#server/network/accounts/account-refusals.ts';
import {
  type AccountRow,
  findAccountByUsername,
} from '#server/network/accounts/account.repository.ts';
import { customerGone, keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { findCreditOrder, insertLikeOrder } from '#server/delivery/orders/like-order.repository.ts';
import { lockPostToLike, type PostToLike } from '#server/network/posts/post.repository.ts';
import { showOrganic } from '#server/network/posts/organic-right.repository.ts';
import { readCreditStatus } from './ledger.repository.ts';
import { holdForOrder } from './ledger.service.ts';

type OrderDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;
type LikesForm = Pick<
  CallParsed<typeof addLikeOrderCall>,
  'igUsername' | 'postId' | 'shortCode' | 'likes'
>;
type LikesOrdered = CallData<typeof addLikeOrderCall>;

interface LikesRequest {
  workspaceId: WorkspaceId;
  userId: string;
  /** Becomes the order's id: the same one again is the same order. */
  orderId: OrderId;
  form: LikesForm;
}

/** An order as it stands, and the credits that are left. */
interface OrderedLikes {
  orderId: OrderId;
  likes: number;
  credits: number;
}

/**
 * Orders extra likes for any post of the workspace, old ones too: sets the credits aside and makes the
 * order, both or nothing. Videos get as many views (D7).
 *
 * @throws ApiError `not_yours`, `not_found`, `credits_too_low`, `rate_limited`, `session_ended`
 */
export async function orderExtraLikes(
  deps: OrderDeps,
  { workspaceId, userId, orderId, form }: LikesRequest,
): Promise<{ data: LikesOrdered; message: string }> {
  const { db } = deps.database;
  const known = await admitOrder(deps, { workspaceId, orderId });
  if (known) return answer(known);
  const account = await findAccountByUsername(db, workspaceId, form.igUsername);
  if (!account) throw notYourAccount();
  const order = { ...form, orderId, account, actor: userId };
  return answer(await deps.database.transaction((tx) => placeLikesOrder(tx, deps, order)));
}

function answer({ orderId, likes, credits }: OrderedLikes): {
  data: LikesOrdered;
  message: string;
} {
  return { data: { orderId, credits }, message: likesOrderedSentence(likes) };
}

/**
 * Counts an order that is to be made.
 * @returns the one that was made before under this id, which isn't counted again
 * @throws ApiError `rate_limited`
 */
export async function admitOrder(
  deps: OrderDeps,
  { workspaceId, orderId }: { workspaceId: WorkspaceId; orderId: OrderId },
): Promise<OrderedLikes | undefined> {
  const { db } = deps.database;
  const known = await findCreditOrder(db, workspaceId, orderId);
  if (!known) {
    await limit(deps, { ...LIMITS.order, key: workspaceId });
    return undefined;
  }
  const { balance } = await readCreditStatus(db, workspaceId);
  return { orderId, likes: known.ordered, credits: balance };
}

/** What is ordered, of an account that was found. */
interface LikesOrder extends Omit<LikesForm, 'igUsername'> {
  orderId: OrderId;
  account: AccountRow;
  /** Who orders them. */
  actor: string;
}

/**
 * Makes an admitted order in the caller's transaction, which a refusal must undo.
 * @throws ApiError `not_found`, `credits_too_low`, `session_ended`
 */
export async function placeLikesOrder(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  order: LikesOrder,
): Promise<OrderedLikes> {
  const { orderId, account, likes, actor } = order;
  const { workspace_id: workspaceId, speed } = account;
  if (!(await keepWorkspace(tx, workspaceId))) throw customerGone();
  const post = await getPostToLike(tx, order);
  const now = new Date(deps.clock.now());
  const credits = await holdForOrder(tx, deps, {
    workspaceId,
    orderId,
    igUsername: account.ig_username,
    shortcode: post.shortcode,
    credits: likes,
    now,
  });
  if (credits === undefined) throw await creditsTooLow(tx, workspaceId);
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
    speed,
    ordered: likes,
    bonus: 0,
    views: post.mediaType === 'VIDEO' ? likes : 0,
    posted_at: post.takenAt,
    detected_at: now,
    start_at: now,
    finish_by: new Date(now.getTime() + spreadMs(speed, likes)),
  });
  const placed = { action: 'order_placed', subject: orderId } as const;
  await appendAudit(tx, { workspaceId, actor, ...placed, now });
  return { orderId, likes, credits };
}

async function getPostToLike(
  tx: Tx,
  { account, postId, shortCode }: LikesOrder,
): Promise<PostToLike> {
  const post = await lockPostToLike(tx, account, postId);
  if (!post || post.shortcode !== shortCode) {
    throw new ApiError('not_found', 'We can’t find this post. Please reload your posts.');
  }
  if (post.deletedAt !== null) {
    throw new ApiError('not_found', 'This post was deleted, so it can’t get likes.');
  }
  return post;
}

async function creditsTooLow(tx: Tx, workspaceId: WorkspaceId): Promise<ApiError> {
  const { balance, lockedBonus } = await readCreditStatus(tx, workspaceId);
  const sentence = lockedBonus > 0 ? BONUS_WAITS : creditsTooLowSentence(balance);
  return new ApiError('credits_too_low', sentence, { fields: { likes: sentence } });
}
