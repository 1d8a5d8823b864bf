import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { getPosts as getPostsCall, Post } from '#shared/contract/accounts/post.ts';
import { type PostChange } from '#shared/sync/entities.ts';
import { postKey } from '#shared/contract/scope.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  type AccountRow,
  findAccount,
  getAccountByIgId,
} from '#server/network/accounts/account.repository.ts';
import { accountUnreadable } from '#server/network/accounts/account-refusals.ts';
import { storeAccountReading } from '#server/network/accounts/reading.repository.ts';
import { readCounted } from '#server/network/accounts/look-up-account.ts';
import { READ_POSTS, readNetworkAccount } from '#server/network/allowance/network-reader.ts';
import { listPostIds, storePosts } from '#server/network/posts/post.repository.ts';
import { projectPosts } from './posts.repository.ts';

type PostsDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>;
type PostsRequest = CallParsed<typeof getPostsCall> & { workspaceId: WorkspaceId };
type PostsAnswer = CallData<typeof getPostsCall>;

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
  let account = await getAccountByIgId(db, workspaceId, igId);
  let ids = await list(deps, request, account);
  if (ids.length === 0 && account.imported_at === null && request.before === undefined) {
    await readLive(deps, account);
    account = (await findAccount(db, workspaceId, account.id)) ?? account;
    ids = await list(deps, request, account);
  }
  return {
    items: await viewPosts(deps, account, ids),
    readAt: account.last_read_at?.toISOString() ?? null,
  };
}

function list(deps: PostsDeps, request: PostsRequest, account: AccountRow): Promise<string[]> {
  return listPostIds(deps.database.db, {
    workspaceId: request.workspaceId,
    accountId: account.id,
    limit: request.limit,
    before: request.before === undefined ? undefined : new Date(request.before),
    beforeId: request.beforeId,
  });
}

async function viewPosts(
  deps: PostsDeps,
  { workspace_id: workspaceId, id: accountId }: AccountRow,
  ids: readonly string[],
): Promise<Post[]> {
  const keys = ids.map((id) => postKey(accountId, id));
  const texts = await projectPosts(deps, { workspaceId }, keys);
  return keys.flatMap((key) => {
    const text = texts.get(key);
    if (text === undefined) return [];
    // Only replicas need these two.
    const { accountId: _account, listPosition: _place, ...post } = JSON.parse(text) as PostChange;
    return [post];
  });
}

async function readLive(deps: PostsDeps, account: AccountRow): Promise<void> {
  const { workspace_id: workspaceId, id: accountId, ig_username: username } = account;
  const reading = await readCounted(deps, { workspaceId }, (share) =>
    readNetworkAccount(deps, { username, limit: READ_POSTS.page, share }),
  );
  const stored = await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const outcome = await storeAccountReading(tx, { workspaceId, accountId, reading, now });
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
