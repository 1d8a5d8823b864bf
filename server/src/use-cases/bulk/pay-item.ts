import { formatCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { isWithinLimit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { findCharge } from '#server/money/charges/charge.repository.ts';
import {
  isBankDecline,
  paymentBeingChecked,
  paymentDeclined,
  paymentReturned,
  paymentUnavailable,
} from '#server/money/charges/payment-error.ts';
import { resumeCharge } from '#server/money/settlement/collect-charge.service.ts';
import type { Settlement } from '#server/money/settlement/settle-charge.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '#server/money/subscriptions/subscription.repository.ts';
import type { Applied } from './apply-change.service.ts';
import { type ItemClaim, listLastPayments } from './bulk.repository.ts';
import { seenPlan } from './seen-plan.ts';

/** After so many refusals of the bank one after the other the card isn't asked any more. */
export const DECLINES_LIMIT = 3;

/** Refuses to ask a card that was declined often enough. @throws ApiError `card_declined` */
export async function refuseDeclinedCard(
  { database: { db } }: Deps,
  item: ItemClaim,
): Promise<void> {
  const codes = await listLastPayments(db, item, DECLINES_LIMIT);
  if (codes.length < DECLINES_LIMIT || codes.includes(null)) return;
  const left = item.change.kind === 'begin' ? 'didn’t begin' : 'wasn’t changed';
  throw new ApiError(
    'card_declined',
    `Your card was declined several times in a row, so we stopped charging it. This plan ${left}.`,
  );
}

export function priceIsNow(cents: number): ApiError {
  return new ApiError(
    'price_changed',
    `The price is now ${formatCents(cents)}. Nothing was charged. Please check it and try again.`,
  );
}

export function overtaken(igUsername: string): ApiError {
  return new ApiError(
    'overtaken',
    `The plan of @${igUsername} changed after you checked these changes, so it was left as it is now.`,
  );
}

/** The plan that an account has, or the last one that it had. */
export async function newestOf(
  { database: { db } }: Deps,
  { workspace_id, account_id }: ItemClaim,
): Promise<SubscriptionRow | undefined> {
  return account_id === null
    ? undefined
    : (await listSubscriptions(db, workspace_id, [account_id]))[0];
}

/**
 * What became of the charge of this item; undefined: none was opened. Whose charge it is may no longer be allowed one,
 * and its account may be gone: what was paid is paid.
 * @throws ApiError nothing was charged, or it goes back
 */
export async function resumePayment(deps: Deps, item: ItemClaim): Promise<Applied | undefined> {
  if (item.change.kind !== 'plan' && item.change.kind !== 'begin') return undefined;
  const key = { workspaceId: item.workspace_id, chargeId: item.attempt_id };
  if (!(await findCharge(deps.database.db, key))) return undefined;
  return paidFor(deps, item, await resumeCharge(deps, key));
}

/** Whoever has no plan yet could have a card asked, and accounts read, for ever. */
export const unbegunOf = ({ workspace_id: key }: ItemClaim) => ({ ...LIMITS.unbegun, key });

/** A charge that was asked for, as what became of its item. @throws ApiError nothing was charged, or it goes back */
export async function paidFor(
  deps: Deps,
  item: ItemClaim,
  settlement: Settlement,
): Promise<Applied> {
  const isFirst = item.change.kind === 'begin';
  switch (settlement.kind) {
    case 'paid': {
      const leftAs = seenPlan(await newestOf(deps, item));
      return { kind: 'done', chargedCents: item.today_cents, undo: null, leftAs };
    }
    case 'returned':
      throw isFirst ? paymentReturned() : changeReturned();
    case 'declined':
      if (!isBankDecline(settlement.code)) throw paymentUnavailable();
      if (isFirst) await isWithinLimit(deps, unbegunOf(item));
      throw paymentDeclined(settlement.code);
    // Nobody is there to be asked: the charge ends by itself.
    case 'needs_action':
    case 'open':
      return { kind: 'open', error: paymentBeingChecked() };
    default:
      return settlement satisfies never;
  }
}

function changeReturned(): ApiError {
  return new ApiError(
    'price_changed',
    'The plan was stopped or changed during the payment. We’re returning the payment in full.',
  );
}
