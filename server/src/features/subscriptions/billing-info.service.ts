import type { CallParsed } from '#shared/contract/call.ts';
import { replaceBillingInfo as replaceBillingInfoCall } from '#shared/contract/subscription.ts';
import type { User } from '#shared/contract/user.ts';
import type { Deps } from '../../deps.ts';
import type { SubmitOutcome, Submits } from '../../http/submit.service.ts';
import { checkCard } from '../billing/checkout-checks.ts';
import { newCard } from '../billing/checkout.repository.ts';
import { limitCheckouts } from '../billing/limit-checkouts.ts';
import { cardDisputed, paymentDeclined } from '../billing/payment-error.ts';
import { saveCard } from '../billing/save-card.service.ts';
import { isCardDisputed } from '../disputes/disputed-card.repository.ts';
import type { Session } from '../users/session.service.ts';
import { findUser } from '../users/user.repository.ts';
import { viewUser } from '../users/user-view.service.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { chargeOwed } from './advance-subscription.service.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

export type BillingInfoForm = CallParsed<typeof replaceBillingInfoCall>;

/** A new card as it arrived. */
export interface BillingInfoSubmit {
  session: Session;
  form: BillingInfoForm;
  idempotencyKey: string | undefined;
  /** The client's. */
  address: string;
}

/**
 * Makes another card the saved one, and charges past-due subscriptions to it at once. A repeat and a
 * twin of the submit get the first one's answer.
 * @throws ApiError `card_invalid`, `card_declined`, `payment_unavailable`, `rate_limited`,
 * `idempotency_conflict`, `payment_unknown`, `session_ended`
 */
export function replaceBillingInfo(
  deps: Deps,
  submits: Submits,
  submit: BillingInfoSubmit,
): Promise<{ data: User; message?: string }> {
  const { workspaceId, userId } = submit.session;
  const { idempotencyKey, form } = submit;
  return submits.run(
    { workspaceId, userId, call: replaceBillingInfoCall.path, idempotencyKey, form },
    (attemptId) => attempt(deps, submit, attemptId),
  );
}

async function attempt(
  deps: Deps,
  { session, form, address }: BillingInfoSubmit,
  attemptId: string,
): Promise<SubmitOutcome<User>> {
  const { workspaceId, userId } = session;
  const user = await findUser(deps.database.db, session);
  checkCard(form, user?.time_zone ?? 'UTC', deps.clock.now());
  await limitCheckouts(deps, { workspaceId, address });
  const saved = await saveCard(deps, { workspaceId, userId, attemptId }, form);
  if (saved.kind === 'declined') return { kind: 'refused', error: paymentDeclined(saved.code) };
  const now = new Date(deps.clock.now());
  const card = newCard(attemptId, saved.card, form, now);
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (await isCardDisputed(tx, deps, { ...card, workspaceId })) throw cardDisputed();
    await tx
      .insertInto('card')
      .values({ ...card, workspace_id: workspaceId, in_use_since: now })
      // This attempt's own, from before its process died.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  const message = await chargeAllOwed(deps, workspaceId);
  return { kind: 'done', data: await viewUser(deps, session), message };
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
    return 'Your card has been replaced, but a payment that’s due hasn’t gone through yet.';
  }
  return paid > 0
    ? 'Your card has been replaced, and the payment that was due went through.'
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
