import type { CallParsed } from '#shared/contract/call.ts';
import type { CALLS } from '#shared/contract/calls.ts';
import { isExpired } from '#shared/domain/card.ts';
import { centsFromDollars, formatCents } from '#shared/domain/money.ts';
import { findPlan, type Plan } from '#shared/domain/plans.ts';
import { toLocal } from '#shared/domain/time-zone.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { paymentBeingChecked } from '../../http/submit.service.ts';
import { type AccountRow, findAccountByUsername } from '../accounts/account.repository.ts';
import { hasOpenCharge } from './charge.repository.ts';
import { hasProof, isOwnedByOthers } from '../ownership/ownership.repository.ts';
import { hashNetworkAccount } from '../subscriptions/money-back-account.repository.ts';
import {
  accountAlreadySubscribed,
  cardInvalid,
  ownedByOthers,
  ownershipNeeded,
} from './payment-error.ts';
import { findUnendedSubscription } from './subscription.repository.ts';
import { findReservation } from './reservation.repository.ts';
import { isTestCard } from './test-cards.ts';

export type SubscriptionForm = CallParsed<(typeof CALLS)['addSubscription']>;
/** A plan as it is bought, with a new card or the saved one. */
export type PlanForm =
  | SubscriptionForm
  | CallParsed<(typeof CALLS)['addSubscriptionWithSavedCard']>;
/** A new card and its billing address. */
export type CardForm = Omit<CallParsed<(typeof CALLS)['replaceBillingInfo']>, 'userId'> & {
  forAllPlans: boolean;
};
/** What a payment is made with: a new card, or the saved one as the customer was shown it. */
export type MeansForm = CardForm | { savedCard: string };

/**
 * Everything about a checkout that can be refused without asking anybody outside.
 * @throws ApiError `amount_mismatch`, `card_invalid`, `not_found`, `account_already_subscribed` (also
 * where it must be shown first whose the account is),
 * `payment_unknown` while another payment for the account is being decided
 */
export async function checkCheckout(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  workspaceId: string,
  form: PlanForm,
): Promise<{ plan: Plan; account: AccountRow }> {
  const plan = checkAmount(form);
  checkMeans(form, form.timeZone, deps.clock.now());
  const { db } = deps.database;
  const account = await findAccountByUsername(db, workspaceId, form.igUsername);
  if (!account) {
    throw new ApiError(
      'not_found',
      `@${form.igUsername} isn’t one of your connected accounts. Please add it first.`,
    );
  }
  if (await findUnendedSubscription(db, workspaceId, account.id)) {
    throw accountAlreadySubscribed(account.ig_username);
  }
  if (await hasOpenCharge(db, workspaceId, account.id)) throw paymentBeingChecked();
  if (account.ig_id !== null) await checkOwnership(deps, account, account.ig_id);
  return { plan, account };
}

/** Known before any card: somebody else's plan gives way only to who has shown that the account is theirs. */
async function checkOwnership(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  { workspace_id: workspaceId, ig_username: igUsername }: AccountRow,
  igId: string,
): Promise<void> {
  const { db } = deps.database;
  const holder = await findReservation(db, igId);
  if (!holder || holder.workspace_id === workspaceId) return;
  const now = new Date(deps.clock.now());
  if (!(await hasProof(db, { workspaceId, igId }, now))) throw ownershipNeeded(igUsername);
  const accountHash = hashNetworkAccount(deps, igId);
  if (await isOwnedByOthers(db, { accountHash, workspaceId, now })) throw ownedByOthers(igUsername);
}

function checkAmount({ packageIndex, amount, price, credits }: PlanForm): Plan {
  const plan = findPlan(packageIndex);
  if (!plan) throw new ApiError('not_found', 'There’s no such plan.');
  const isOtherPrice = [amount, price].some(
    (dollars) => dollars !== undefined && centsFromDollars(dollars) !== plan.priceCents,
  );
  // A plan comes without credits: a client that names some means another purchase.
  if (isOtherPrice || (credits !== undefined && credits !== 0)) {
    throw new ApiError(
      'amount_mismatch',
      `This plan costs ${formatCents(plan.priceCents)}. You were not charged. Please reload the page and check the price.`,
    );
  }
  return plan;
}

/** A saved card has been checked, and its bank knows best. */
export function checkMeans(means: MeansForm, timeZone: string, nowMs: number): void {
  if (!('savedCard' in means)) checkCard(means, timeZone, nowMs);
}

/**
 * The card's month ends where the customer is.
 * @throws ApiError `card_invalid`: over, or not one of the test cards
 */
export function checkCard(
  { ccNum, ccMonth, ccYear }: Pick<CardForm, 'ccNum' | 'ccMonth' | 'ccYear'>,
  timeZone: string,
  nowMs: number,
): void {
  if (isExpired({ month: ccMonth, year: ccYear }, toLocal(nowMs, timeZone))) {
    throw cardInvalid({ ccMonth: 'The selected date must be in the future.' });
  }
  if (!isTestCard(ccNum)) throw cardInvalid({ ccNum: 'Card number is invalid' });
}
