import type { CallParsed } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { User } from '#shared/contract/people/user.ts';
import { centsFromDollars, formatCents } from '#shared/domain/money/money.ts';
import { findPlan, type Plan } from '#shared/domain/money/plans.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import {
  type AccountRow,
  findAccountByUsername,
} from '#server/network/accounts/account.repository.ts';
import { checkMeans, chooseCard } from './card.service.ts';
import { findNewestEndedId } from '../subscriptions/subscription.repository.ts';
import { paymentReturned } from '../charges/payment-error.ts';
import { checkFirstPlan, openFirstPlan, readBaseline } from './first-plan.service.ts';
import {
  type CheckoutAttempt,
  limitPayments,
  type Payer,
  type Prepared,
  runCheckout,
} from './run-checkout.service.ts';

export type SubscriptionForm = CallParsed<(typeof CALLS)['addSubscription']>;
/** A plan as it is bought, with a new card or the saved one. */
type PlanForm = SubscriptionForm | CallParsed<(typeof CALLS)['addSubscriptionWithSavedCard']>;

type PlanPayer = Payer & { form: PlanForm };

/**
 * Charges the first month of a plan to a new card or the saved one, and starts the subscription (D4, D5).
 * @throws ApiError `amount_mismatch`, `card_invalid`, `not_found`, those of `checkFirstPlan` and `runCheckout`
 */
export async function addSubscription(
  deps: Deps,
  attempts: Attempts,
  payer: PlanPayer,
): Promise<{ data: User; message?: string }> {
  return runCheckout(deps, attempts, payer, {
    path: CALLS.addSubscription.path,
    form: payer.idempotencyKey === undefined ? await namePurchase(deps, payer) : payer.form,
    prepare: (attempt) => prepare(deps, payer.form, attempt),
    sentences: { returned: paymentReturned },
  });
}

/**
 * Without a key of its own, the same form after a plan of the account has ended is another purchase. Not
 * so after one that began: that one is the first click of two.
 */
async function namePurchase(
  { database }: Deps,
  { session, form }: PlanPayer,
): Promise<Record<string, unknown>> {
  const after = await findNewestEndedId(database.db, session.workspaceId, form.igUsername);
  return { ...form, after };
}

async function prepare(deps: Deps, form: PlanForm, attempt: CheckoutAttempt): Promise<Prepared> {
  const { timeZone } = form;
  const plan = checkAmount(form);
  checkMeans(deps, form, timeZone);
  const account = await getConnected(deps, attempt.workspaceId, form.igUsername);
  await checkFirstPlan(deps, account);
  await limitPayments(deps, attempt);
  const baseline = await readBaseline(deps, account);
  const chosen = await chooseCard(deps, attempt, form);
  if (chosen.kind === 'declined') return chosen;
  const { card } = chosen;
  return openFirstPlan(deps, attempt, { plan, account, baseline, card, timeZone });
}

async function getConnected(
  { database: { db } }: Pick<Deps, 'database'>,
  workspaceId: WorkspaceId,
  igUsername: string,
): Promise<AccountRow> {
  const account = await findAccountByUsername(db, workspaceId, igUsername);
  if (account) return account;
  throw new ApiError(
    'not_found',
    `@${igUsername} isn’t one of your connected accounts. Please add it first.`,
  );
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
