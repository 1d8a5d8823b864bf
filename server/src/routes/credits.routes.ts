import type { Hono } from 'hono';
import {
  addLikeOrder,
  buyCredits,
  buyCreditsWithSavedCard,
} from '#shared/contract/money/credits.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { OrderId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { buyCredits as buy } from '#server/money/checkout/buy-credits.service.ts';
import { orderExtraLikes } from '#server/money/credits/credit-order.service.ts';
import { viewUser } from '#server/read-model/users.service.ts';

export function registerCreditsRoutes(app: Hono, deps: Deps, attempts: Attempts): void {
  const view = (session: Session): Promise<User> => viewUser(deps, session);

  registerCall(app, buyCredits, deps, ({ input: form, ...asked }) =>
    buy(deps, attempts, { ...asked, viewUser: view, form }),
  );
  registerCall(app, buyCreditsWithSavedCard, deps, ({ input: form, ...asked }) =>
    buy(deps, attempts, { ...asked, viewUser: view, form }),
  );

  registerCall(app, addLikeOrder, deps, ({ session, input, idempotencyKey }) => {
    const { workspaceId, userId } = session;
    const order = (orderId: OrderId) =>
      orderExtraLikes(deps, { workspaceId, userId, orderId, form: input });
    // Without the header every call is a new order (D4).
    if (idempotencyKey === undefined) return order(deps.ids.uuid());
    return attempts.run(
      { workspaceId, userId, call: addLikeOrder.path, idempotencyKey, form: input },
      async (attemptId) => ({ kind: 'done', ...(await order(attemptId)) }),
    );
  });
}
