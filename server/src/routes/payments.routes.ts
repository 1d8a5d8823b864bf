import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { User } from '#shared/contract/user.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { enterCardElsewhere } from '#server/money/payments/billing-info.service.ts';
import {
  findPaymentState,
  listWaitingPayments,
} from '#server/money/payments/payment-state.service.ts';
import { confirmRenewal } from '#server/money/renewals/confirm-renewal.service.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { registerCall } from './http/register-call.ts';

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
