import type { Hono } from 'hono';
import { getPosts as getPostsCall } from '#shared/contract/accounts/post.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { getPosts } from '#server/read-model/posts.service.ts';
import { findLikeOrders as findLikeOrdersCall } from '#shared/contract/accounts/like-order.ts';
import { findLikeOrders } from '#server/read-model/orders.service.ts';

/** Posts, and their receipts. */
export function registerPostRoutes(app: Hono, deps: Deps): void {
  registerCall(app, getPostsCall, deps, async ({ input, session }) => ({
    data: await getPosts(deps, { ...input, workspaceId: session.workspaceId }),
  }));

  registerCall(app, findLikeOrdersCall, deps, async ({ input, session: { workspaceId } }) => {
    const { igId, since, until, ...filter } = input;
    const data = await findLikeOrders(
      deps,
      { workspaceId, igId },
      {
        ...filter,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
      },
    );
    return { data };
  });
}
