import type { User } from '#shared/contract/user.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import type { SubmitOutcome, Submits } from '../../http/submit.service.ts';
import { hasProof } from '../ownership/ownership.repository.ts';
import { hashNetworkAccount } from '../subscriptions/money-back-account.repository.ts';
import type { Session } from '../users/session.service.ts';
import { answerSettlement, type SettlementSentences } from './answer-settlement.ts';
import { bringOnCharge } from './bring-on-charge.service.ts';
import { findCharge } from './charge.repository.ts';
import { readBaseline } from './checkout-baseline.ts';
import { chooseCard } from './choose-card.service.ts';
import { checkCheckout, type PlanForm } from './checkout-checks.ts';
import { collectCharge } from './collect-charge.service.ts';
import { limitCheckouts } from './limit-checkouts.ts';
import { openCharge } from './open-charge.service.ts';
import { paymentDeclined, paymentReturned } from './payment-error.ts';
import { findNewestEndedId } from './subscription.repository.ts';

/** A subscription checkout as it arrived. */
export interface SubscriptionSubmit {
  session: Session;
  form: PlanForm;
  idempotencyKey: string | undefined;
  /** The client's. */
  address: string;
}

const SENTENCES: SettlementSentences = { declined: paymentDeclined, returned: paymentReturned };

/**
 * Charges the first month of a plan and starts the subscription (D4, D5). Answers the customer.
 *
 * The submit's attempt id is the charge's id. Whoever runs the attempt again (a repeat after a lost
 * answer, or after our process died) finds the charge by it and only brings that one on.
 */
export async function addSubscription(
  deps: Deps,
  submits: Submits,
  submit: SubscriptionSubmit,
): Promise<{ data: User; message?: string }> {
  const { workspaceId, userId } = submit.session;
  const { idempotencyKey } = submit;
  const form = idempotencyKey === undefined ? await namePurchase(deps, submit) : submit.form;
  return submits.run(
    { workspaceId, userId, call: CALLS.addSubscription.path, idempotencyKey, form },
    (attemptId) => attempt(deps, submit, attemptId),
  );
}

/**
 * Without a key of its own, the same form after a plan of the account has ended is another purchase. Not
 * so after one that began: that one is the first click of two.
 */
async function namePurchase(
  { database }: Deps,
  { session, form }: SubscriptionSubmit,
): Promise<Record<string, unknown>> {
  const after = await findNewestEndedId(database.db, session.workspaceId, form.igUsername);
  return { ...form, after };
}

async function attempt(
  deps: Deps,
  { session, form, address }: SubscriptionSubmit,
  attemptId: string,
): Promise<SubmitOutcome<User>> {
  const { workspaceId, userId } = session;
  const key = { workspaceId, chargeId: attemptId };
  if (await findCharge(deps.database.db, key)) {
    return answerSettlement(deps, session, await bringOnCharge(deps, key), SENTENCES);
  }
  const { plan, account } = await checkCheckout(deps, workspaceId, form);
  await limitCheckouts(deps, { workspaceId, address });
  const baseline = await readBaseline(deps, account.ig_username);
  const chosen = await chooseCard(deps, { workspaceId, userId, attemptId }, form);
  if (chosen.kind === 'declined') {
    return { kind: 'refused', error: paymentDeclined(chosen.code) };
  }
  const { card } = chosen;
  const { igId } = baseline.account;
  const now = new Date(deps.clock.now());
  const isProved = await hasProof(deps.database.db, { workspaceId, igId }, now);
  const provedAccount = isProved ? hashNetworkAccount(deps, igId) : undefined;
  const owner = { workspaceId, userId, attemptId, form };
  const ready = { ...owner, plan, account, baseline, card, provedAccount };
  const claim = await openCharge(deps, ready);
  const settlement = await (claim ? collectCharge(deps, claim) : bringOnCharge(deps, key));
  return answerSettlement(deps, session, settlement, SENTENCES);
}
