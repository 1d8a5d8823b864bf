import type { CallParsed } from '#shared/contract/call.ts';
import type { replaceBillingInfo as replaceBillingInfoCall } from '#shared/contract/subscription.ts';
import type { User } from '#shared/contract/user.ts';
import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { checkCard } from '../billing/checkout-checks.ts';
import { newCard } from '../billing/checkout.repository.ts';
import { paymentDeclined } from '../billing/payment-error.ts';
import { saveCard } from '../billing/save-card.service.ts';
import type { Session } from '../users/session.service.ts';
import { findUser } from '../users/user.repository.ts';
import { viewUser } from '../users/user-view.service.ts';
import { chargeOwed } from './advance-subscription.service.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

export type BillingInfoForm = CallParsed<typeof replaceBillingInfoCall>;

/**
 * Makes another card the saved one, and charges past-due subscriptions to it at once.
 * @throws ApiError `card_invalid`, `card_declined`, `payment_unavailable`, `rate_limited`
 */
export async function replaceBillingInfo(
  deps: Deps,
  session: Session,
  form: BillingInfoForm,
): Promise<{ data: User; message: string }> {
  const { workspaceId, userId } = session;
  await limit(deps, { ...LIMITS.checkout, key: workspaceId });
  const user = await findUser(deps.database.db, session);
  checkCard(form, user?.time_zone ?? 'UTC', deps.clock.now());
  const attemptId = deps.ids.uuid();
  const saved = await saveCard(deps, { workspaceId, userId, attemptId }, form);
  if (saved.kind === 'declined') throw paymentDeclined(saved.code);
  const now = new Date(deps.clock.now());
  const card = newCard(deps.ids.uuid(), saved.card, form, now);
  await deps.database.db
    .insertInto('card')
    .values({ ...card, workspace_id: workspaceId, in_use_since: now })
    .execute();
  const message = await chargeAllOwed(deps, workspaceId);
  return { data: await viewUser(deps, session), message };
}

async function chargeAllOwed(deps: Deps, workspaceId: string): Promise<string> {
  let paid = 0;
  let unpaid = 0;
  for (const key of await listPastDue(deps, workspaceId)) {
    const settlement = await chargeOwed(deps, key);
    if (settlement?.kind === 'paid') paid += 1;
    else if (settlement) unpaid += 1;
  }
  if (unpaid > 0) {
    return 'Your card has been replaced, but a payment that is due did not go through yet.';
  }
  return paid > 0
    ? 'Your card has been replaced, and the payment that was due is made.'
    : 'Your card has been replaced.';
}

function listPastDue({ database }: Deps, workspaceId: string): Promise<SubscriptionKey[]> {
  return database.db
    .selectFrom('subscription')
    .select(['workspace_id as workspaceId', 'id as subscriptionId'])
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'Past due')
    .orderBy('created_at')
    .execute();
}
