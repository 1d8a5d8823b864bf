import type { Hono } from 'hono';
import { findLikeOrders as findLikeOrdersCall } from '#shared/contract/like-order.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import { findLikeOrders } from '#server/read-model/orders.service.ts';

/** `POST /user/likeOrders/find`: the receipts. */
export function registerOrderRoutes(app: Hono, deps: Deps): void {
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
