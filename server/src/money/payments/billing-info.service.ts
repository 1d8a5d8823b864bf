import type { CallParsed } from '#shared/contract/call.ts';
import { replaceBillingInfo as replaceBillingInfoCall } from '#shared/contract/money/subscription.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { isWithinLimit, limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { customerGone, lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import type { SavedCard } from '#server/adapters/stripe/card-gateway.ts';
import type { Db } from '#server/kit/db/database.ts';
import { returnUrlOf } from '../settlement/ask-bank.ts';
import { CHARGE_LEASE_MS, type CollectDeps } from '../charges/charge-clock.ts';
import {
  cardBeingChecked,
  cardDeclined,
  cardDisputed,
  cardOpen,
  paymentUnavailable,
} from '../charges/payment-error.ts';
import { hasSpendLimit } from '../checkout/spend-limit.ts';
import {
  type CheckoutAttempt,
  limitCheckouts,
  type Payer,
  type Prepared,
  runCheckout,
} from '../checkout/run-checkout.service.ts';
import { chargeOwed, leaveOwedToJob } from '../renewals/advance-subscription.service.ts';
import { keyOf, listPastDue } from '../subscriptions/subscription-work.repository.ts';
import {
  type CardSetupKey,
  type CardSetupRow,
  changeCardSetup,
  findCardSetup,
  listOpenCardSetups,
  insertCardSetup,
} from '../cards/card-setup.repository.ts';
import { limitNewCards } from '../charges/card-limits.ts';
import { newCard } from '../cards/card.repository.ts';
import { type CardOwner, checkCard, ensureCustomer, saveCard } from '../checkout/card.service.ts';
import { isCardDisputed } from '../cards/disputed-card.repository.ts';
import { advanceSetUp, type SetUpSettlement } from './set-up-card.service.ts';

type BillingInfoForm = CallParsed<typeof replaceBillingInfoCall>;

/**
 * Makes another card the saved one, and charges past-due subscriptions to it at once. A repeat and a
 * duplicate of the attempt get the first one's answer.
 * @throws ApiError `card_invalid`, `card_disputed`, and those of `runCheckout`
 */
export function replaceBillingInfo(
  deps: Deps,
  attempts: Attempts,
  { form, ...payer }: Payer & { form: BillingInfoForm },
): Promise<{ data: User; message?: string }> {
  return runCheckout(deps, attempts, payer, {
    path: replaceBillingInfoCall.path,
    form,
    prepare: (attempt) => replaceCard(deps, form, attempt),
    sentences: { declined: cardDeclined },
  });
}

async function replaceCard(
  deps: Deps,
  form: BillingInfoForm,
  attempt: CheckoutAttempt,
): Promise<Prepared> {
  const { workspaceId, attemptId: setUpId } = attempt;
  const key = { workspaceId, setUpId };
  const begun = await findCardSetup(deps.database.db, key);
  if (begun?.state === 'needs_action') {
    const mayPoll = await isWithinLimit(deps, { ...LIMITS.payment, key: workspaceId });
    if (!mayPoll) return { kind: 'open', error: cardOpen(begun) };
  }
  if (!begun) {
    const user = await findUser(deps.database.db, attempt);
    checkCard(deps, form, user?.time_zone ?? 'UTC');
    await hearOfSent(deps, workspaceId);
    const waiting = await findOtherCard(deps.database.db, attempt);
    if (waiting) throw cardOpen(waiting);
    await limitCheckouts(deps, attempt);
    const saved = await saveCard(deps, attempt, form);
    if (saved.kind === 'declined') return saved;
    const other = await openSetUp(deps, attempt, saved.card);
    if (other) return { kind: 'open', error: cardOpen(other) };
  }
  const finished = await finishSetUp(deps, key);
  const isRejected = finished.kind === 'declined' && finished.code === null;
  // With its customer a set-up is gone at the gateway, too.
  if (isRejected && !(await findUser(deps.database.db, attempt))) throw customerGone();
  return inWords(finished);
}

/**
 * The card's name and number go no further: what is kept of it is read again once its bank has agreed.
 * @returns another card that was first: nothing is begun
 */
async function openSetUp(
  deps: Deps,
  { workspaceId, userId, attemptId }: CardOwner,
  saved: SavedCard | undefined,
): Promise<CardSetupRow | undefined> {
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    if (saved) {
      const card = { ...newCard(attemptId, saved, now), workspaceId };
      if (await isCardDisputed(tx, deps, card)) throw cardDisputed();
    }
    const other = await findOtherCard(tx, { workspaceId, attemptId });
    if (other) return other;
    await insertCardSetup(tx, {
      workspace_id: workspaceId,
      id: attemptId,
      payment_method_id: saved?.paymentMethodId ?? null,
      asked_by: userId,
      created_at: now,
      next_check_at: new Date(now.getTime() + CHARGE_LEASE_MS),
    });
    return undefined;
  });
}

/** Another card that waits, or that nobody knows yet of whether it does. */
async function findOtherCard(
  db: Db,
  { workspaceId, attemptId }: Pick<CardOwner, 'workspaceId' | 'attemptId'>,
): Promise<CardSetupRow | undefined> {
  const open = await listOpenCardSetups(db, workspaceId);
  return open.find(({ id }) => id !== attemptId);
}

/**
 * Asks the gateway about cards whose answer nobody has heard, before the customer is asked for another one.
 * @returns the one that turned out to be the saved one by now
 */
async function hearOfSent(deps: Deps, workspaceId: WorkspaceId): Promise<string | undefined> {
  let saved: string | undefined;
  for (const { id: setUpId, state } of await listOpenCardSetups(deps.database.db, workspaceId)) {
    if (state !== 'sent') continue;
    if (!(await isWithinLimit(deps, { ...LIMITS.payment, key: workspaceId }))) break;
    const { kind } = await finishSetUp(deps, { workspaceId, setUpId });
    if (kind === 'saved') saved = setUpId;
  }
  return saved;
}

/** Brings a set-up as far as it goes; what is owed is charged to the new card at once, most of many by the job. */
export async function finishSetUp(
  deps: CollectDeps,
  key: CardSetupKey,
  giveUp?: 'given_up',
): Promise<FinishedSetUp> {
  const settlement = await advanceSetUp(deps, key, giveUp);
  if (settlement.kind !== 'saved') return settlement;
  const setUp = await findCardSetup(deps.database.db, key);
  return { kind: 'saved', message: await chargeAllOwed(deps, key, setUp?.asked_by ?? null) };
}

type FinishedSetUp =
  | Exclude<SetUpSettlement, { kind: 'saved' }>
  | { kind: 'saved'; message: string };

/** @throws ApiError `payment_unavailable` */
function inWords(settlement: FinishedSetUp): Prepared {
  switch (settlement.kind) {
    case 'saved':
      return { kind: 'done', message: settlement.message };
    case 'needs_action':
      return { kind: 'open', error: cardOpen(settlement.setUp) };
    case 'open':
      return { kind: 'open', error: cardBeingChecked() };
    case 'declined':
      break;
  }
  if (settlement.code === null) throw paymentUnavailable();
  return { kind: 'declined', code: settlement.code };
}

/**
 * Opens a page of the gateway's on which the customer enters a card; the one that is open, where one is. Where the
 * card has been entered there meanwhile, the address is that of our page that says so.
 * @throws ApiError `payment_needs_action`: another card waits for its bank; `payment_unknown`: nobody knows yet if
 * it does; `payment_unavailable`, `rate_limited`, `session_ended`
 */
export async function enterCardElsewhere(
  deps: Deps,
  { session, address }: Pick<Payer, 'session' | 'address'>,
): Promise<{ paymentId: string; url: string }> {
  const { workspaceId, userId } = session;
  await limit(deps, { ...LIMITS.payment, key: workspaceId });
  const saved = await hearOfSent(deps, workspaceId);
  if (saved) return { paymentId: saved, url: returnUrlOf(deps.settings, saved) };
  const [open] = await listOpenCardSetups(deps.database.db, workspaceId);
  if (open && open.payment_method_id !== null) throw cardOpen(open);
  const setUpId = open?.id ?? deps.ids.uuid();
  if (!open) {
    await limitCheckouts(deps, { workspaceId, address });
    const owner = { workspaceId, userId, attemptId: setUpId };
    await limitNewCards(deps, owner);
    await ensureCustomer(deps, owner);
    const other = await openSetUp(deps, owner, undefined);
    if (other) throw cardOpen(other);
  }
  const opened = await finishSetUp(deps, { workspaceId, setUpId });
  if (opened.kind === 'saved') {
    return { paymentId: setUpId, url: returnUrlOf(deps.settings, setUpId) };
  }
  // The page that was open is over: the next one.
  if (open && opened.kind === 'declined') return enterCardElsewhere(deps, { session, address });
  // It is one page for all: whoever asked for it last counts as who enters the card.
  if (open) await changeCardSetup(deps.database.db, open, { asked_by: userId });
  const url = opened.kind === 'needs_action' && opened.setUp.action_url;
  if (!url) throw paymentUnavailable();
  return { paymentId: setUpId, url };
}

/** Each may take as long as the gateway takes to answer; whoever waits for all of them has a claim or a page open. */
const OWED_AT_ONCE = 3;

/** Whoever has a limit begins what fits it; the rest is charged at its next try, as every renewal is. */
async function chargeAllOwed(
  deps: CollectDeps,
  { workspaceId }: CardSetupKey,
  askedBy: string | null,
): Promise<string> {
  const { db } = deps.database;
  const hasLimit = askedBy !== null && (await hasSpendLimit(db, { workspaceId, userId: askedBy }));
  const rest = hasLimit ? 'next_try' : 'next_round';
  const count = { paid: 0, unpaid: 0, next_round: 0, next_try: 0 };
  for (const row of await listPastDue(db, workspaceId)) {
    if (count.paid + count.unpaid >= OWED_AT_ONCE) {
      if (await leaveOwedToJob(deps, keyOf(row), rest)) count[rest] += 1;
      continue;
    }
    const charged = await chargeOwed(deps, keyOf(row), askedBy);
    if (charged?.kind === 'beyond_limit') count.next_try += 1;
    else if (charged) count[charged.kind === 'paid' ? 'paid' : 'unpaid'] += 1;
  }
  if (count.unpaid > 0) {
    return 'Your card has been replaced, but a payment that’s due hasn’t gone through yet.';
  }
  if (count.next_try > 0) {
    return 'Your card has been replaced. Because of your spending limit, not everything that’s due is charged now. The rest will be charged on its next date.';
  }
  if (count.next_round > 0) {
    return 'Your card has been replaced, and the payments that are due are being charged.';
  }
  return count.paid > 0
    ? 'Your card has been replaced, and the payment that was due went through.'
    : 'Your card has been replaced.';
}
