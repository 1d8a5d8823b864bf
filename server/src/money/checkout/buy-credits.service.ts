import type { CallParsed } from '#shared/contract/call.ts';
import {
  buyCredits as buyCreditsCall,
  type buyCreditsWithSavedCard,
} from '#shared/contract/money/credits.ts';
import type { User } from '#shared/contract/people/user.ts';
import { CREDIT_PACKAGES, type CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { centsFromDollars, formatCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { checkMeans, chooseCard } from './card.service.ts';
import { findOpenCharge } from '../charges/waiting-charge.repository.ts';
import { paymentDeclined, paymentOpen } from '../charges/payment-error.ts';
import {
  type CheckoutAttempt,
  limitPayments,
  openCharge,
  type Payer,
  type Prepared,
  runCheckout,
} from './run-checkout.service.ts';

/** A pack as it is bought, with a new card or the saved one. */
export type PackForm =
  | CallParsed<typeof buyCreditsCall>
  | CallParsed<typeof buyCreditsWithSavedCard>;

const CREDITS = { kind: 'credits' } as const;

/**
 * Charges a pack of credits to a new card or the saved one, and adds them (D4).
 * @throws ApiError `amount_mismatch`, `card_invalid`, those of `runCheckout`
 */
export function buyCredits(
  deps: Deps,
  attempts: Attempts,
  { form, ...payer }: Payer & { form: PackForm },
): Promise<{ data: User; message?: string }> {
  return runCheckout(deps, attempts, payer, {
    path: buyCreditsCall.path,
    form,
    prepare: (attempt) => prepare(deps, form, attempt),
    sentences: { declined: (code) => paymentDeclined(code, 'Unable to process payment') },
  });
}

async function prepare(deps: Deps, form: PackForm, attempt: CheckoutAttempt): Promise<Prepared> {
  const { db } = deps.database;
  const pack = checkPackage(form);
  const user = await findUser(db, attempt);
  checkMeans(deps, form, user?.time_zone ?? 'UTC');
  await refuseSecondPack(db, attempt);
  await limitPayments(deps, attempt);
  const chosen = await chooseCard(deps, attempt, form);
  if (chosen.kind === 'declined') return chosen;
  const purchase = {
    card: chosen.card,
    amountCents: pack.priceCents,
    description: `${pack.credits.toLocaleString('en-US')} credits`,
    checkout: { ...CREDITS, userId: attempt.userId, credits: pack.credits },
  };
  return openCharge(deps, attempt, purchase, (tx) => refuseSecondPack(tx, attempt));
}

/**
 * A pack, unlike a plan, can be bought again at once: a form that is told of another one's check would ask until that
 * one is paid, and then pay a second time. So it is told no.
 * @throws ApiError `payment_needs_action` with the payment that waits, `payment_unknown`: of this attempt itself,
 * `payment_unavailable`
 */
async function refuseSecondPack(
  db: Db,
  { workspaceId, attemptId }: CheckoutAttempt,
): Promise<void> {
  const open = await findOpenCharge(db, workspaceId, CREDITS);
  if (!open) return;
  const told = paymentOpen(open);
  if (told.code === 'payment_needs_action' || open.chargeId === attemptId) throw told;
  throw new ApiError(
    'payment_unavailable',
    'Your last payment for credits is still being checked. You were not charged again. You can see how it ended under Billing.',
  );
}

/** @throws ApiError `amount_mismatch`: no such pack, or not at this price */
function checkPackage({ credits, amount }: PackForm): CreditPackage {
  const pack = CREDIT_PACKAGES.find((each) => each.credits === credits);
  if (!pack) {
    throw new ApiError(
      'amount_mismatch',
      'There’s no such credit package. You were not charged. Please choose one from the list.',
    );
  }
  if (centsFromDollars(amount) !== pack.priceCents) {
    throw new ApiError(
      'amount_mismatch',
      `This package costs ${formatCents(pack.priceCents)}. You were not charged. Please reload the page and check the price.`,
    );
  }
  return pack;
}
