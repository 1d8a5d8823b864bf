import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { getPosts as getPostsCall } from '#shared/contract/post.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { type AccountRow, findAccount, findAccountByIgId } from '../accounts/account.repository.ts';
import { accountUnreadable } from '../accounts/account-unreadable.ts';
import { storeAccountReading } from '../accounts/store-reading.ts';
import { readCounted } from '../accounts/look-up-account.ts';
import { readNetworkAccount } from '../detection/network-reader.ts';
import { countDeliveredLikes, listOrdersOfPosts } from './post-orders.repository.ts';
import { seesOrganic } from './organic-right.repository.ts';
import { viewPost } from './post-view.ts';
import { listPosts, storePosts, type PostRow } from './post.repository.ts';

type PostsDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>;
type PostsRequest = CallParsed<typeof getPostsCall> & { workspaceId: string };
type PostsAnswer = CallData<typeof getPostsCall>;

/** What a first live reading shows, until the history is imported. */
const LIVE_POSTS = 25;

/**
 * Posts of a connected account, newest first, from the database; an account nothing is stored of, and
 * whose history isn't imported, is read live first.
 *
 * @throws ApiError `not_yours`, and when the live reading fails `account_unreadable`,
 *   `network_throttled`, `network_unreachable`, and `rate_limited` before the first payment
 */
export async function getPosts(deps: PostsDeps, request: PostsRequest): Promise<PostsAnswer> {
  const { workspaceId, igId } = request;
  const { db } = deps.database;
  let account = await findAccountByIgId(db, workspaceId, igId);
  if (!account) throw new ApiError('not_yours', 'This isn’t one of your accounts.');
  let rows = await list(deps, request, account);
  if (rows.length === 0 && account.imported_at === null && request.before === undefined) {
    await readLive(deps, account);
    account = (await findAccount(db, workspaceId, account.id)) ?? account;
    rows = await list(deps, request, account);
  }
  return {
    items: await viewAll(deps, account, rows),
    readAt: account.last_read_at?.toISOString() ?? null,
  };
}

function list(deps: PostsDeps, request: PostsRequest, account: AccountRow): Promise<PostRow[]> {
  return listPosts(deps.database.db, {
    workspaceId: request.workspaceId,
    accountId: account.id,
    limit: request.limit,
    before: request.before === undefined ? undefined : new Date(request.before),
    beforeId: request.beforeId,
  });
}

async function viewAll(
  deps: PostsDeps,
  account: AccountRow,
  rows: readonly PostRow[],
): Promise<PostsAnswer['items']> {
  const { db } = deps.database;
  const postIds = rows.map(({ id }) => id);
  const workspaceId = account.workspace_id;
  const orders = await listOrdersOfPosts(db, { workspaceId, accountId: account.id, postIds });
  const byPost = Map.groupBy(orders, (order) => order.post_id);
  const deliveredByAll = await countDeliveredLikes(db, postIds);
  const isShown = await seesOrganic(db, { workspaceId, accountId: account.id });
  return rows.map((row) =>
    viewPost(row, {
      igId: account.ig_id ?? '',
      appSecret: deps.settings.appSecret,
      orders: byPost.get(row.id) ?? [],
      deliveredByAll: deliveredByAll.get(row.id) ?? 0,
      seesOrganic: isShown,
    }),
  );
}

async function readLive(deps: PostsDeps, account: AccountRow): Promise<void> {
  const { workspace_id: workspaceId, id: accountId, ig_username: username } = account;
  const reading = await readCounted(deps, { workspaceId }, (share) =>
    readNetworkAccount(deps, { username, limit: LIVE_POSTS, share }),
  );
  const stored = await deps.database.transaction(async (tx) => {
    const outcome = await storeAccountReading(tx, { workspaceId, accountId, reading });
    if (reading.kind === 'read' && outcome === 'stored') {
      await storePosts(tx, { workspaceId, accountId, reading });
    }
    return outcome;
  });
  switch (reading.kind) {
    case 'read':
      if (stored === 'other_account') throw accountUnreadable(username);
      return;
    case 'unreadable':
      throw accountUnreadable(username);
    case 'throttled':
      throw new ApiError(
        'network_throttled',
        'Instagram is limiting our requests right now. Posts appear here as soon as we can read them.',
        { retryAfterMs: reading.retryAfterMs },
      );
    case 'unreachable':
      throw new ApiError(
        'network_unreachable',
        'Instagram isn’t responding right now. Posts appear here as soon as it does.',
      );
  }
}
