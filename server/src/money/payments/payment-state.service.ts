import type { PaidFor, PaymentState, WaitingPayment } from '#shared/contract/money/payment.ts';
import type { User } from '#shared/contract/people/user.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { BankDecline, Checkout, NoChargeCode } from '#server/kit/db/tables/charge.table.ts';
import { logAudit } from '#server/audit/audit-notice.repository.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { findAccount } from '#server/network/accounts/account.repository.ts';
import { finishSetUp } from './billing-info.service.ts';
import { findCardSetup, listOpenCardSetups } from '../cards/card-setup.repository.ts';
import { type CollectDeps, confirmUntil } from '../charges/charge-clock.ts';
import { type ChargeCase, findCharge } from '../charges/charge.repository.ts';
import { giveUpCharge, resumeCharge } from '../settlement/collect-charge.service.ts';
import type { Settlement } from '../settlement/settle-charge.ts';
import { listOpenCharges } from '../charges/waiting-charge.repository.ts';
import { listRenewalsToConfirm } from '../renewals/open-renewal.ts';
import { lastTryAt } from '../subscriptions/subscription-clock.ts';
import {
  cardBeingChecked,
  cardDeclined,
  cardOpen,
  isBankDecline,
  paymentBeingChecked,
  paymentCameTooLate,
  paymentDeclined,
  paymentOpen,
  paymentUnavailable,
} from '../charges/payment-error.ts';

/** Who asks, and how they are shown once they have paid. */
interface Asker {
  session: Session;
  viewUser: (session: Session) => Promise<User>;
}

/**
 * Where a payment stands by the gateway's own word, which is asked first.
 * @param giveUp the customer doesn't want it any more: canceled, unless their yes was first
 * @throws ApiError `not_found`: no payment of theirs, which is audited; `rate_limited`
 */
export async function findPaymentState(
  deps: CollectDeps,
  asker: Asker,
  paymentId: string,
  giveUp?: 'given_up',
): Promise<PaymentState> {
  const { session } = asker;
  const { workspaceId } = session;
  await limit(deps, { ...LIMITS.payment, key: workspaceId });
  const key = { workspaceId, chargeId: paymentId };
  const charge = await findCharge(deps.database.db, key);
  if (charge) {
    const settlement = await (giveUp ? giveUpCharge(deps, key) : resumeCharge(deps, key));
    return viewCharge(deps, asker, charge, settlement);
  }
  const setUp = { workspaceId, setUpId: paymentId };
  if (!(await findCardSetup(deps.database.db, setUp)))
    throw await unknownPayment(deps, asker, paymentId);
  const finished = await finishSetUp(deps, setUp, giveUp);
  switch (finished.kind) {
    case 'saved':
      return { kind: 'paid', what: 'card', amount: 0, user: await asker.viewUser(session) };
    case 'needs_action':
      return needsAction('card', cardOpen(finished.setUp));
    case 'open':
      return checking(cardBeingChecked());
    case 'declined':
      break;
  }
  return declined({ what: 'card' }, finished.code, cardDeclined);
}

async function viewCharge(
  deps: CollectDeps,
  { session, viewUser }: Asker,
  { checkout, amountCents }: ChargeCase,
  settlement: Settlement,
): Promise<PaymentState> {
  const { db } = deps.database;
  switch (settlement.kind) {
    case 'paid': {
      const name = await nameOf(db, session.workspaceId, checkout);
      const amount = dollarsFromCents(amountCents);
      const user = await viewUser(session);
      return { kind: 'paid', what: checkout.kind, ...name, amount, user };
    }
    case 'needs_action':
      return needsAction(checkout.kind, paymentOpen(settlement.charge));
    case 'open':
      return checking();
    case 'returned':
      return { kind: 'returned', message: paymentCameTooLate().message };
    case 'declined':
      break;
  }
  const { igUsername } = await nameOf(db, session.workspaceId, checkout);
  const refused = { what: checkout.kind, ...(igUsername !== undefined && { igUsername }) };
  return declined(refused, settlement.code);
}

function needsAction(what: PaidFor, { message, action }: ApiError): PaymentState {
  return action ? { kind: 'needs_action', what, message, action } : { kind: 'checking', message };
}

function checking({ message } = paymentBeingChecked()): PaymentState {
  return { kind: 'checking', message };
}

function declined(
  refused: { what: PaidFor; igUsername?: string },
  code: NoChargeCode | null,
  inWords: (code: BankDecline) => ApiError = paymentDeclined,
): PaymentState {
  const error = isBankDecline(code) ? inWords(code) : paymentUnavailable();
  return { kind: 'declined', ...refused, code: error.code, message: error.message };
}

async function nameOf(
  db: Db,
  workspaceId: WorkspaceId,
  checkout: Checkout,
): Promise<{ accountId?: AccountId; igUsername?: string }> {
  if (checkout.kind === 'credits') return {};
  const { accountId } = checkout;
  const account = await findAccount(db, workspaceId, accountId);
  return { accountId, ...(account && { igUsername: account.ig_username }) };
}

/** Somebody else's, or made up: which, nobody is told. */
async function unknownPayment(
  { clock, database }: CollectDeps,
  { session: { workspaceId, userId: actor } }: Asker,
  subject: string,
): Promise<ApiError> {
  const now = new Date(clock.now());
  const action = 'unknown_payment_asked';
  await logAudit(database.db, { workspaceId, actor, action, subject, now });
  return new ApiError('not_found', 'We can’t find this payment.');
}

/**
 * What waits for the customer: at their bank or on the gateway's page, and renewals that they have to confirm. What
 * is still being checked has no address; `findPaymentState` says how it ends.
 */
export async function listWaitingPayments(
  { database: { db } }: Pick<CollectDeps, 'database'>,
  workspaceId: WorkspaceId,
): Promise<WaitingPayment[]> {
  const waiting: WaitingPayment[] = [];
  for (const charge of await listOpenCharges(db, workspaceId)) {
    const { chargeId: paymentId, checkout, actionUrl: url, amountCents } = charge;
    waiting.push({
      paymentId,
      what: checkout.kind,
      ...(await nameOf(db, workspaceId, checkout)),
      amount: dollarsFromCents(amountCents),
      url,
      until: confirmUntil(charge).toISOString(),
    });
  }
  for (const setUp of await listOpenCardSetups(db, workspaceId)) {
    const { id: paymentId, action_url: url, created_at: createdAt } = setUp;
    const until = confirmUntil({ createdAt }).toISOString();
    const isCardPage = setUp.payment_method_id === null;
    waiting.push({ paymentId, what: 'card', amount: 0, url, isCardPage, until });
  }
  for (const renewal of await listRenewalsToConfirm(db, workspaceId)) {
    const { accountId, igUsername, amountCents, pastDueSince, isBeingCharged } = renewal;
    if (isBeingCharged) continue;
    waiting.push({
      paymentId: null,
      what: 'renewal',
      accountId,
      ...(igUsername !== null && { igUsername }),
      amount: dollarsFromCents(amountCents),
      url: null,
      until: lastTryAt(pastDueSince).toISOString(),
    });
  }
  return waiting;
}
