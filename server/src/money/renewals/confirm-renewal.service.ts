import { confirmRenewal as confirmRenewalCall } from '#shared/contract/money/payment.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { NOT_PAID_IN_TIME, notNow } from '../cancellation/cancellation.service.ts';
import { refuseMoreReturns } from '../charges/return-limits.ts';
import { type ChargeClaim, findCharge } from '../charges/charge.repository.ts';
import { refuseSecondPayment } from '../charges/refuse-second-payment.ts';
import {
  type CheckoutAttempt,
  limitCheckouts,
  type Payer,
  runCheckout,
  takeBackCheckout,
} from '../checkout/run-checkout.service.ts';
import { countSpend } from '../checkout/spend-limit.ts';
import { isPayableNoMore } from '../subscriptions/subscription-clock.ts';
import { lockUnended } from '../subscriptions/subscription-work.repository.ts';
import { openRenewal } from './open-renewal.ts';

/**
 * Pays what a past-due plan owes with the saved card, while the customer is there to be asked by their bank,
 * which is asked to agree to later charges, too.
 * @throws ApiError `not_found`, `subscription_state`, `spend_limit`, and those of `runCheckout`
 */
export function confirmRenewal(
  deps: Deps,
  attempts: Attempts,
  { accountId, ...payer }: Payer & { accountId: AccountId },
): Promise<{ data: User; message?: string }> {
  return runCheckout(deps, attempts, payer, {
    path: confirmRenewalCall.path,
    form: { accountId },
    prepare: async (attempt) => {
      await limitCheckouts(deps, attempt);
      const claim = await openOwed(deps, attempt, accountId).catch(async (error: unknown) => {
        if (error instanceof ApiError) await takeBackCheckout(deps, attempt);
        throw error;
      });
      return { kind: 'charge', claim };
    },
    sentences: { paid: 'Your payment went through, and your plan continues.' },
  });
}

function openOwed(
  deps: Deps,
  attempt: CheckoutAttempt,
  accountId: AccountId,
): Promise<ChargeClaim> {
  const { workspaceId, userId, attemptId } = attempt;
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const row = await lockUnended(tx, workspaceId, accountId);
    await lockWorkspace(tx, workspaceId);
    if (!row) throw new ApiError('not_found', 'This account has no plan.');
    await refuseSecondPayment(tx, workspaceId, { subscriptionId: row.id });
    await refuseMoreReturns({ ...deps, database: { db: tx } }, attempt);
    const payer = { presence: 'present_sets_up', chargeId: attemptId } as const;
    if (isPayableNoMore(row, now)) throw notNow(NOT_PAID_IN_TIME);
    const claim =
      row.state === 'Past due' ? await openRenewal(tx, deps, row, now, payer) : undefined;
    if (!claim) throw new ApiError('subscription_state', 'This plan has no payment due.');
    const charge = await findCharge(tx, claim);
    if (charge) await countSpend(tx, { ...charge, userId, now });
    return claim;
  });
}
