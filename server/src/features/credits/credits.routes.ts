import type { Hono } from 'hono';
import {
  addLikeOrder,
  buyCredits,
  buyCreditsWithSavedCard,
  findLedger,
  findPaymentReturns,
  findTransactions,
} from '#shared/contract/credits.ts';
import type { Deps } from '../../deps.ts';
import { refuseOtherMethods } from '../../http/not-found.ts';
import { registerCall } from '../../http/register-call.ts';
import { noSession } from '../../http/session.ts';
import type { InShare } from '../../http/session-share.ts';
import { createSubmits } from '../../http/submit.service.ts';
import { listPaymentReturns } from '../disputes/payment-return.repository.ts';
import { buyCredits as buy } from './buy-credits.service.ts';
import { orderExtraLikes } from './credit-order.service.ts';
import {
  downloadLedger,
  findLedger as ledgerOf,
  findTransactions as paymentsOf,
} from './credits.service.ts';

/** Beside the calls: `GET /user/creditsTransaction/ledger.csv`, the ledger as a download. */
const DOWNLOAD = { method: 'GET', path: '/user/creditsTransaction/ledger.csv' } as const;

export function registerCreditsRoutes(app: Hono, deps: Deps): void {
  const submits = createSubmits(deps);

  registerCall(app, buyCredits, deps, ({ input: form, ...asked }) =>
    buy(deps, submits, { ...asked, form }),
  );
  registerCall(app, buyCreditsWithSavedCard, deps, ({ input: form, ...asked }) =>
    buy(deps, submits, { ...asked, form }),
  );

  registerCall(app, addLikeOrder, deps, ({ session, input, idempotencyKey }) => {
    const { workspaceId, userId } = session;
    const order = (orderId: string) => orderExtraLikes(deps, { workspaceId, orderId, form: input });
    // Without the header every call is a new order (D4).
    if (idempotencyKey === undefined) return order(deps.ids.uuid());
    return submits.run(
      { workspaceId, userId, call: addLikeOrder.path, idempotencyKey, form: input },
      async (attemptId) => ({ kind: 'done', ...(await order(attemptId)) }),
    );
  });

  registerCall(app, findTransactions, deps, async ({ session }) => ({
    data: await paymentsOf(deps, session.workspaceId),
  }));

  registerCall(app, findPaymentReturns, deps, async ({ session }) => ({
    data: await listPaymentReturns(deps.database.db, session.workspaceId),
  }));

  registerCall(app, findLedger, deps, async ({ session, input }) => ({
    data: await ledgerOf(deps, session.workspaceId, input),
  }));

  app.get(DOWNLOAD.path, async (c) => {
    const session = c.get('session');
    if (!session) throw noSession(c.get('sessionEnd'));
    c.header('content-type', 'text/csv; charset=utf-8');
    c.header('content-disposition', 'attachment; filename="credits.csv"');
    return c.body(inBytes(downloadLedger(deps, session.workspaceId), c.get('inShare')));
  });
  refuseOtherMethods(app, DOWNLOAD);
}

/** Read no faster than it is sent; an error breaks the download off, so that it can't pass as whole. */
function inBytes(
  pieces: AsyncGenerator<string, void>,
  inShare: InShare,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const piece = await inShare(() => pieces.next());
      if (piece.done) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await pieces.return();
    },
  });
}
