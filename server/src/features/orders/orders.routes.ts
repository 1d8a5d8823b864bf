import type { Hono } from 'hono';
import { findLikeOrders as findLikeOrdersCall } from '#shared/contract/like-order.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { findLikeOrders } from './orders.service.ts';

/** `POST /user/likeOrders/find`: the receipts. */
export function registerOrderRoutes(app: Hono, deps: Deps): void {
  registerCall(app, findLikeOrdersCall, deps, async ({ input, session }) => ({
    data: await findLikeOrders(deps, {
      workspaceId: session.workspaceId,
      igId: input.igId,
      postId: input.postId,
    }),
  }));
}
