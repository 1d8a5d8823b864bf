import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { may } from '#shared/domain/people/may.ts';
import { notAllowed } from '#server/identity/members/members.service.ts';
import type { Deps } from '#server/kit/deps.ts';
import { refuseOtherMethods } from '#server/kit/http/error-response.ts';
import { registerCall } from './http/register-call.ts';
import { noSession } from '#server/identity/users/no-session.ts';
import type { InShare } from '#server/identity/http/session-share.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { findBudgets, saveBudget } from '#server/money/budgets/budgets.service.ts';
import {
  replaceBillingInfo,
  enterCardElsewhere,
} from '#server/money/payments/billing-info.service.ts';
import { listPaymentReturns } from '#server/money/disputes/dispute.repository.ts';
import {
  listOwnDocuments,
  printDocument,
  saveTaxId,
} from '#server/money/documents/documents.service.ts';
import { downloadLedger, findLedger } from '#server/read-model/ledger.service.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { findTransactions } from '#server/read-model/wallet.service.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import {
  findPaymentState,
  listWaitingPayments,
} from '#server/money/payments/payment-state.service.ts';
import { confirmRenewal } from '#server/money/renewals/confirm-renewal.service.ts';

/** Beside the calls: `GET /user/creditsTransaction/ledger.csv`, the ledger as a download. */
const DOWNLOAD = { method: 'GET', path: '/user/creditsTransaction/ledger.csv' } as const;

/** The card, the payments, their documents and the ledger. */
export function registerBillingRoutes(app: Hono, deps: Deps, attempts: Attempts): void {
  registerCall(app, CALLS.replaceBillingInfo, deps, ({ input: form, ...asked }) =>
    replaceBillingInfo(deps, attempts, {
      ...asked,
      viewUser: (session) => viewUser(deps, session),
      form,
    }),
  );

  registerCall(app, CALLS.findTransactions, deps, async ({ session }) => ({
    data: await findTransactions(deps, session.workspaceId),
  }));

  registerCall(app, CALLS.findPaymentReturns, deps, async ({ session }) => ({
    data: await listPaymentReturns(deps.database.db, session.workspaceId),
  }));

  registerCall(app, CALLS.findLedger, deps, async ({ session, input }) => ({
    data: await findLedger(deps, session.workspaceId, input),
  }));

  registerCall(app, CALLS.findDocuments, deps, async ({ session, input }) => ({
    data: await listOwnDocuments(deps, session.workspaceId, input),
  }));

  registerCall(app, CALLS.downloadDocument, deps, async ({ session, input }) => ({
    data: await printDocument(deps, session.workspaceId, input.documentId),
  }));

  registerCall(app, CALLS.saveTaxId, deps, async ({ session, input }) => ({
    data: await saveTaxId(deps, session, input.taxId),
  }));

  registerCall(app, CALLS.findBudgets, deps, async ({ session, input }) => ({
    data: await findBudgets(deps, session.workspaceId, input),
  }));

  registerCall(app, CALLS.saveBudget, deps, async ({ session, input }) => {
    await saveBudget(deps, session, input);
    return { data: await findBudgets(deps, session.workspaceId, input) };
  });

  app.get(DOWNLOAD.path, async (c) => {
    const session = c.get('session');
    if (!session) throw noSession(c.get('sessionEnd'));
    if (!may(session, 'readMoney')) throw notAllowed('readMoney');
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

/** Payments that wait for their customer's bank, or for the customer. */
export function registerPaymentRoutes(app: Hono, deps: Deps, attempts: Attempts): void {
  const view = (session: Session): Promise<User> => viewUser(deps, session);

  registerCall(app, CALLS.findPaymentState, deps, async ({ session, input }) => ({
    data: await findPaymentState(deps, { session, viewUser: view }, input.paymentId),
  }));
  registerCall(app, CALLS.giveUpPayment, deps, async ({ session, input }) => ({
    data: await findPaymentState(deps, { session, viewUser: view }, input.paymentId, 'given_up'),
  }));
  registerCall(app, CALLS.findWaitingPayments, deps, async ({ session }) => ({
    data: await listWaitingPayments(deps, session.workspaceId),
  }));
  registerCall(app, CALLS.confirmRenewal, deps, ({ input: { accountId }, ...asked }) =>
    confirmRenewal(deps, attempts, { ...asked, viewUser: view, accountId }),
  );
  registerCall(app, CALLS.enterCardElsewhere, deps, async (asked) => ({
    data: await enterCardElsewhere(deps, asked),
  }));
}
