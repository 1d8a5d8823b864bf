import type { User } from '#shared/contract/people/user.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { BankDecline } from '#server/kit/db/tables/charge.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { logAudit } from '#server/audit/audit-notice.repository.ts';
import { type AttemptOutcome, type Attempts } from '#server/kit/attempts/attempt.service.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import {
  isWithinLimit,
  limitAll,
  LIMITS,
  takeBackLimit,
} from '#server/identity/limits/rate-limit.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import {
  type ChargeClaim,
  findCharge,
  insertPurchase,
  type NewCharge,
} from '../charges/charge.repository.ts';
import { CHARGE_LEASE_MS } from '../charges/charge-clock.ts';
import { collectCharge, resumeCharge } from '../settlement/collect-charge.service.ts';
import { type Settlement, settlementOf } from '../settlement/settle-charge.ts';
import {
  isBankDecline,
  paymentBeingChecked,
  paymentCameTooLate,
  paymentDeclined,
  paymentOpen,
  paymentUnavailable,
} from '../charges/payment-error.ts';
import { checkBudgets } from '../budgets/budgets.service.ts';
import { refuseMoreReturns } from '../charges/return-limits.ts';
import { countSpend } from './spend-limit.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';

/** Who pays, from where, and how they are answered, which the routes know. */
export interface Payer {
  session: Session;
  /** The client's. */
  address: string;
  idempotencyKey: string | undefined;
  viewUser: (session: Session) => Promise<User>;
}

/** One try to pay; whoever runs it again has the same id, which is the charge's too. */
export interface PurchaseAttempt {
  workspaceId: WorkspaceId;
  userId: string;
  attemptId: string;
  /** Nobody is there whom their bank could ask. */
  isAbsent?: boolean;
}

export interface CheckoutAttempt extends PurchaseAttempt {
  /** The client's. */
  address: string;
}

/** How far a checkout got before the gateway is asked for the money. */
export type Prepared =
  /** The charge is written; without a claim another run of this attempt has written it. */
  | { kind: 'charge'; claim: ChargeClaim | undefined }
  /** The bank refused the card. */
  | { kind: 'declined'; code: BankDecline }
  /** Not decided yet: a repeat prepares again. */
  | { kind: 'open'; error: ApiError }
  /** It is done, and nothing is charged. */
  | { kind: 'done'; message: string };

/** What one form says of its own; the rest is said by all in the same words. */
interface CheckoutSentences {
  paid?: string;
  /** The bank said no. */
  declined?: (code: BankDecline) => ApiError;
  /** The payment arrived when what it was for could no longer be had; it goes back. */
  returned?: () => ApiError;
}

interface CheckoutForm {
  /** Of the call. */
  path: string;
  /** What makes two of them the same one. */
  form: Readonly<Record<string, unknown>>;
  /** @throws ApiError nothing was begun, and the customer may try again */
  prepare: (attempt: CheckoutAttempt) => Promise<Prepared>;
  sentences?: CheckoutSentences;
}

/**
 * Every press of a pay button runs through here (D4): a plan, a plan change, credits; a new card
 * too, which costs nothing. Renewals are charged by their job.
 *
 *   attempt ──charge is there──────────────────────> resume it ─┐
 *      └─────prepare──┬─ charge written ──────────> collect it ─┴─> paid | declined | returned | needs action | open
 *                     ├─ another run wrote it ────> resume it
 *                     ├─ bank refused the card ───> declined
 *                     └─ nothing to pay ──────────> done
 *
 * One attempt makes one charge at most: the attempt's id is the charge's, so whoever runs it again (a repeat
 * after a lost answer, or after our process died) finds that charge and only resumes it. `paid`, `declined`
 * and `returned` are the answer of every repeat; after `needs action` (at the customer's bank) and `open` a
 * repeat asks again, and gets what is true then.
 */
export function runCheckout(
  deps: Deps,
  attempts: Attempts,
  payer: Payer,
  { path, form, prepare, sentences = {} }: CheckoutForm,
): Promise<{ data: User; message?: string }> {
  const { session, idempotencyKey, address } = payer;
  const { workspaceId, userId } = session;
  const request = { workspaceId, userId, call: path, idempotencyKey, form };
  return attempts.run(request, async (attemptId) => {
    const key = { workspaceId, chargeId: attemptId };
    const charge = await findCharge(deps.database.db, key);
    if (charge) {
      const mayPoll = await isWithinLimit(deps, { ...LIMITS.payment, key: workspaceId });
      const settlement = mayPoll ? await resumeCharge(deps, key) : settlementOf(charge);
      return answer(payer, settlement, sentences);
    }
    const attempt = { workspaceId, userId, attemptId, address };
    const prepared = await prepare(attempt).catch((error: unknown) =>
      logRefusedAmount(deps, attempt, error),
    );
    switch (prepared.kind) {
      case 'declined':
        return declined(prepared.code, sentences);
      case 'done': {
        const { message } = prepared;
        return { kind: 'done', data: await payer.viewUser(session), message };
      }
      case 'open':
        return { kind: 'unsettled', error: prepared.error };
      case 'charge':
        break;
    }
    const { claim } = prepared;
    const settlement = await (claim ? collectCharge(deps, claim) : resumeCharge(deps, key));
    return answer(payer, settlement, sentences);
  });
}

/** A form that names another amount than the server's: a page that is old, or somebody's hand. */
async function logRefusedAmount(
  { clock, database }: Deps,
  { workspaceId, userId: actor, attemptId: subject }: CheckoutAttempt,
  error: unknown,
): Promise<never> {
  if (error instanceof ApiError && error.code === 'amount_mismatch') {
    const now = new Date(clock.now());
    await logAudit(database.db, { workspaceId, actor, action: 'amount_refused', subject, now });
  }
  throw error;
}

/** What is charged, with all that settling it takes, however late and by whomever. */
export type Purchase = Pick<NewCharge, 'card' | 'amountCents' | 'description' | 'checkout'>;

/**
 * Writes the charge of a purchase, unless another run of this attempt has written it.
 * @param hold takes what is bought, in the same transaction; an ApiError refuses it
 * @throws ApiError those of `hold`, `payment_unavailable`, `spend_limit`, `budget_reached`, `session_ended`
 */
export async function openCharge(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  attempt: PurchaseAttempt,
  { card, checkout, ...purchase }: Purchase,
  hold: (tx: Tx) => Promise<void>,
): Promise<Extract<Prepared, { kind: 'charge' }>> {
  const { workspaceId, userId, attemptId: chargeId, isAbsent = false } = attempt;
  const key = { workspaceId, chargeId };
  const now = new Date(deps.clock.now());
  const presence = isAbsent ? ('absent' as const) : ('present' as const);
  const claim = await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (await findCharge(tx, key)) return undefined;
    await hold(tx);
    await refuseMoreReturns({ ...deps, database: { db: tx } }, attempt);
    await insertPurchase(tx, {
      ...key,
      ...purchase,
      invoiceId: deps.ids.uuid(),
      card,
      // A new card is to pay later charges, too, when nobody is there.
      presence: card.kind === 'new' ? 'present_sets_up' : presence,
      checkout: { ...checkout, ...(card.kind === 'new' && { isForAllPlans: card.isForAllPlans }) },
      now,
      nextCheckAt: new Date(now.getTime() + CHARGE_LEASE_MS),
    });
    const { amountCents } = purchase;
    await countSpend(tx, { ...key, userId, amountCents, now });
    const isPlan = checkout.kind === 'subscription';
    const accountId = isPlan ? checkout.accountId : null;
    const addedMonthlyCents = isPlan ? amountCents : 0;
    const added = { addedMonthlyCents, addedFrom: null };
    await checkBudgets(tx, { workspaceId, accountId, amountCents, ...added, now });
    return { ...key, fence: 0 };
  });
  return { kind: 'charge', claim };
}

/**
 * A settled charge as the answer of its attempt.
 * @throws ApiError `payment_unavailable`: the gateway can't be used, nothing was charged
 */
async function answer(
  { session, viewUser }: Payer,
  settlement: Settlement,
  sentences: CheckoutSentences,
): Promise<AttemptOutcome<User>> {
  switch (settlement.kind) {
    case 'paid': {
      const { paid: message } = sentences;
      return { kind: 'done', data: await viewUser(session), ...(message && { message }) };
    }
    case 'returned':
      return { kind: 'refused', error: (sentences.returned ?? paymentCameTooLate)() };
    case 'needs_action':
      return { kind: 'unsettled', error: paymentOpen(settlement.charge) };
    case 'open':
      return { kind: 'unsettled', error: paymentBeingChecked() };
    case 'declined':
      break;
  }
  if (!isBankDecline(settlement.code)) throw paymentUnavailable();
  return declined(settlement.code, sentences);
}

function declined(
  code: BankDecline,
  { declined: inWords = paymentDeclined }: CheckoutSentences,
): AttemptOutcome<never> {
  return { kind: 'refused', error: inWords(code) };
}

type LimitDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;
type Origin = Pick<CheckoutAttempt, 'workspaceId' | 'address'>;

const limitsOf = ({ workspaceId, address }: Origin) => [
  { ...LIMITS.checkout, key: workspaceId },
  ...usesByAddress(LIMITS.checkoutAddress, address),
];

/**
 * Counts one checkout, by customer and by address. Called when all that was sent has been found good, right
 * before the gateway is asked: what is refused beforehand doesn't count.
 * @throws ApiError `rate_limited`
 */
export async function limitCheckouts(deps: LimitDeps, origin: Origin): Promise<void> {
  await limitAll(deps, limitsOf(origin));
}

/**
 * The same of one that is paid, where a new card may go to the gateway before the charge is opened.
 * @throws ApiError `rate_limited`, `payment_unavailable`
 */
export async function limitPayments(deps: LimitDeps, attempt: CheckoutAttempt): Promise<void> {
  await refuseMoreReturns(deps, attempt);
  await limitCheckouts(deps, attempt);
}

/** Takes one back that turned out to be refused before the gateway was asked. */
export async function takeBackCheckout(deps: LimitDeps, origin: Origin): Promise<void> {
  for (const each of limitsOf(origin)) await takeBackLimit(deps, each);
}
