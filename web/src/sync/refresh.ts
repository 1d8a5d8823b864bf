import { findConnectedAccounts } from '#shared/contract/connected-account.ts';
import { findLikeOrders } from '#shared/contract/like-order.ts';
import { getPosts, type Post } from '#shared/contract/post.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { isFinal } from '#shared/domain/order-state.ts';
import type { Answer, Api } from '../api/client.ts';
import { keepAccounts } from '../local-db/local-accounts.ts';
import type { LocalDatabase } from '../local-db/local-database.ts';
import { keepOrders } from '../local-db/local-orders.ts';
import { keepNewestPosts } from '../local-db/local-posts.ts';

export interface RefreshDeps {
  api: Api;
  db: LocalDatabase;
  userId: string;
  /** The account on screen; undefined before any is known. */
  activeUsername(): string | undefined;
  onAccounts(accounts: ConnectedAccount[]): void;
}

/** How one refresh ended. */
export type Refreshed =
  | { kind: 'fresh'; isInProgress: boolean }
  /** The server answered, but has no posts to show; `sentence` is its own. */
  | { kind: 'posts_unreadable'; sentence: string }
  | { kind: 'unreachable' }
  | { kind: 'session_ended' };

/** Reads accounts, posts and orders of the active account once and keeps them locally. */
export async function refresh(deps: RefreshDeps, signal: AbortSignal): Promise<Refreshed> {
  const { api, db, userId } = deps;
  const accounts = await api.call(findConnectedAccounts, { userId }, { signal });
  if (accounts.kind !== 'success') return failure(accounts);
  await keepAccounts(db, accounts.data);
  deps.onAccounts(accounts.data);

  const igId = accounts.data.find((one) => one.igUsername === deps.activeUsername())?.igId;
  if (!igId) return { kind: 'fresh', isInProgress: true };
  const [posts, orders] = await Promise.all([
    api.call(getPosts, { igId }, { signal }),
    api.call(findLikeOrders, { igId }, { signal }),
  ]);
  // Orders first: a screen that shows a post as delivered then also has the receipt that says so.
  if (orders.kind === 'success') await keepOrders(db, igId, orders.data);
  if (posts.kind !== 'success') return failure(posts, true);
  await keepNewestPosts(db, igId, posts.data.items);
  if (orders.kind !== 'success') return failure(orders);
  return { kind: 'fresh', isInProgress: posts.data.items.some(isPostInProgress) };
}

/** Whether a post's likes are still to come, so that its numbers are worth reading often. */
export function isPostInProgress(post: Post): boolean {
  return post.order ? !isFinal(post.order.state) : post.automaticOutcome === 'ordered';
}

function failure(
  answer: Exclude<Answer<unknown>, { kind: 'success' }>,
  ofPosts = false,
): Refreshed {
  if (answer.kind !== 'error') return { kind: 'unreachable' };
  if (answer.code === 'no_session') return { kind: 'session_ended' };
  return ofPosts ? { kind: 'posts_unreadable', sentence: answer.message } : { kind: 'unreachable' };
}
