import type { CallParsed } from '#shared/contract/call.ts';
import {
  buyCredits as buyCreditsCall,
  type buyCreditsWithSavedCard,
} from '#shared/contract/credits.ts';
import type { User } from '#shared/contract/user.ts';
import { CREDIT_PACKAGES, type CreditPackage } from '#shared/domain/credit-packages.ts';
import { centsFromDollars, formatCents } from '#shared/domain/money.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import {
  paymentBeingChecked,
  type SubmitOutcome,
  type Submits,
} from '../../http/submit.service.ts';
import { answerSettlement, type SettlementSentences } from '../billing/answer-settlement.ts';
import { bringOnCharge } from '../billing/bring-on-charge.service.ts';
import { type ChargeClaim, findCharge } from '../billing/charge.repository.ts';
import { chooseCard } from '../billing/choose-card.service.ts';
import { checkMeans } from '../billing/checkout-checks.ts';
import { type ChargedCard, insertCharge } from '../billing/checkout.repository.ts';
import { CHARGE_LEASE_MS, collectCharge } from '../billing/collect-charge.service.ts';
import { limitCheckouts } from '../billing/limit-checkouts.ts';
import { paymentDeclined } from '../billing/payment-error.ts';
import type { Session } from '../users/session.service.ts';
import { findUser } from '../users/user.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { hasOpenPackCharge } from './pack-charge.repository.ts';

export type CreditsForm = CallParsed<typeof buyCreditsCall>;
/** A pack as it is bought, with a new card or the saved one. */
export type PackForm = CreditsForm | CallParsed<typeof buyCreditsWithSavedCard>;

/** A purchase of credits as it arrived. */
export interface CreditsSubmit {
  session: Session;
  form: PackForm;
  idempotencyKey: string | undefined;
  /** The client's. */
  address: string;
}

const SENTENCES: SettlementSentences = { declined: notProcessed, returned: paymentCameTooLate };

/**
 * Charges a pack of credits and adds them (D4). Answers the customer. As with plans, the submit's
 * attempt id is the charge's id: whoever runs the attempt again only brings that charge on.
 */
export async function buyCredits(
  deps: Deps,
  submits: Submits,
  submit: CreditsSubmit,
): Promise<{ data: User; message?: string }> {
  const { workspaceId, userId } = submit.session;
  const { idempotencyKey, form } = submit;
  return submits.run(
    { workspaceId, userId, call: buyCreditsCall.path, idempotencyKey, form },
    (attemptId) => attempt(deps, submit, attemptId),
  );
}

async function attempt(
  deps: Deps,
  { session, form, address }: CreditsSubmit,
  attemptId: string,
): Promise<SubmitOutcome<User>> {
  const { workspaceId, userId } = session;
  const key = { workspaceId, chargeId: attemptId };
  if (await findCharge(deps.database.db, key)) {
    return answerSettlement(deps, session, await bringOnCharge(deps, key), SENTENCES);
  }
  const pack = checkPackage(form);
  const user = await findUser(deps.database.db, session);
  checkMeans(form, user?.time_zone ?? 'UTC', deps.clock.now());
  if (await hasOpenPackCharge(deps.database.db, workspaceId)) throw paymentBeingChecked();
  await limitCheckouts(deps, { workspaceId, address });
  const chosen = await chooseCard(deps, { workspaceId, userId, attemptId }, form);
  if (chosen.kind === 'declined') return { kind: 'refused', error: notProcessed(chosen.code) };
  const claim = await openCharge(deps, { session, attemptId, pack, card: chosen.card });
  const settlement = await (claim ? collectCharge(deps, claim) : bringOnCharge(deps, key));
  return answerSettlement(deps, session, settlement, SENTENCES);
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

interface ReadyPurchase {
  session: Session;
  attemptId: string;
  pack: CreditPackage;
  card: ChargedCard;
}

/**
 * Writes the charge with all that settling it takes.
 * @returns the charge, claimed; undefined when another run of this attempt has opened it
 * @throws ApiError `payment_unknown`, `session_ended`
 */
async function openCharge(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { session, attemptId, pack, card }: ReadyPurchase,
): Promise<ChargeClaim | undefined> {
  const { workspaceId, userId } = session;
  const key = { workspaceId, chargeId: attemptId };
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (await findCharge(tx, key)) return undefined;
    if (await hasOpenPackCharge(tx, workspaceId)) throw paymentBeingChecked();
    await insertCharge(tx, {
      ...key,
      invoiceId: deps.ids.uuid(),
      card,
      amountCents: pack.priceCents,
      description: `${pack.credits.toLocaleString('en-US')} credits`,
      checkout: {
        kind: 'credits',
        userId,
        credits: pack.credits,
        ...(card.kind === 'new' && { isForAllPlans: card.isForAllPlans }),
      },
      now,
      nextCheckAt: new Date(now.getTime() + CHARGE_LEASE_MS),
    });
    return { ...key, fence: 0 };
  });
}

/** A definite no of the bank, in the words of this form (S§8). */
function notProcessed(code: Parameters<typeof paymentDeclined>[0]): ApiError {
  return code === 'card_invalid' || code === 'card_disputed'
    ? paymentDeclined(code)
    : new ApiError(code, 'Unable to process payment');
}

function paymentCameTooLate(): ApiError {
  return new ApiError(
    'payment_unavailable',
    'Your payment arrived too late. We’re returning it in full.',
  );
}
