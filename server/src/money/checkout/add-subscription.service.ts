import type { CallParsed } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { User } from '#shared/contract/user.ts';
import { centsFromDollars, formatCents } from '#shared/domain/money.ts';
import { findPlan, type Plan } from '#shared/domain/plans.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { SubscriptionCheckout } from '#server/kit/db/tables/charge.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import {
  type AccountRow,
  findAccountByUsername,
} from '#server/network/accounts/account.repository.ts';
import { asRead, type ReadAccount } from '#server/network/accounts/look-up-account.ts';
import { hasProof, isOwnedByOthers } from '#server/network/accounts/ownership.repository.ts';
import { storeAccountReading } from '#server/network/accounts/reading.repository.ts';
import { READ_POSTS, readNetworkAccount } from '#server/network/allowance/network-reader.ts';
import { storePosts } from '#server/network/posts/post.repository.ts';
import { checkMeans, chooseCard } from './card.service.ts';
import { refuseSecondPayment } from '../charges/refuse-second-payment.ts';
import { hashNetworkAccount } from '../subscriptions/refund-right.repository.ts';
import {
  findNewestEndedId,
  findReservation,
  findUnendedSubscription,
} from '../subscriptions/subscription.repository.ts';
import { isOnlyWaiting, keepNetworkAccount } from '../subscriptions/network-account.ts';
import { describePlan } from '../subscriptions/start-subscription.ts';
import {
  accountAlreadySubscribed,
  ownedByOthers,
  ownershipNeeded,
  paymentReturned,
} from '../charges/payment-error.ts';
import {
  type CheckoutAttempt,
  limitPayments,
  openCharge,
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
 * @throws ApiError those of `checkCheckout` and `runCheckout`
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
  const { workspaceId } = attempt;
  const { plan, account } = await checkCheckout(deps, workspaceId, form);
  await limitPayments(deps, attempt);
  // Without a reading of the account as it is before its plan begins, there is no charge (D7).
  const { ig_username: username } = account;
  const reading = await readNetworkAccount(deps, { username, limit: READ_POSTS.page });
  const baseline = asRead(username, reading, 'You were not charged. ');
  const chosen = await chooseCard(deps, attempt, form);
  if (chosen.kind === 'declined') return chosen;
  const { igId } = baseline.account;
  const now = new Date(deps.clock.now());
  const isProved = await hasProof(deps.database.db, { workspaceId, igId }, now);
  const subscriptionId = deps.ids.uuid();
  const checkout: SubscriptionCheckout = {
    kind: 'subscription',
    userId: attempt.userId,
    subscriptionId,
    accountId: account.id,
    igId,
    ...(isProved && { provedAccount: hashNetworkAccount(deps, igId) }),
    package: plan.number,
    timeZone: form.timeZone,
    baselineReadAt: baseline.readAt.toISOString(),
    baselinePostIds: baseline.posts.map(({ id }) => id),
  };
  const { priceCents: amountCents } = plan;
  const purchase = { card: chosen.card, amountCents, description: describePlan(plan), checkout };
  return openCharge(deps, attempt, purchase, async (tx) => {
    await takeAccount(tx, { account, igId, subscriptionId, isProved });
    await storeBaseline(tx, account, baseline, new Date(deps.clock.now()));
  });
}

/**
 * Everything about a checkout that can be refused without asking anybody outside.
 * @throws ApiError `amount_mismatch`, `card_invalid`, `not_found`, `account_already_subscribed` (also
 * where it must be shown first whose the account is),
 * `payment_needs_action` or `payment_unknown` while another payment for the account is being decided
 */
async function checkCheckout(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  workspaceId: WorkspaceId,
  form: PlanForm,
): Promise<{ plan: Plan; account: AccountRow }> {
  const plan = checkAmount(form);
  checkMeans(deps, form, form.timeZone);
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
  await refuseSecondPayment(db, workspaceId, { accountId: account.id });
  if (account.ig_id !== null) await checkOwnership(deps, account, account.ig_id);
  return { plan, account };
}

/**
 * Known before any card: somebody else's plan gives way only to who has shown that the account is theirs. Who only
 * waits at their bank has no plan.
 */
async function checkOwnership(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  { workspace_id: workspaceId, ig_username: igUsername }: AccountRow,
  igId: IgId,
): Promise<void> {
  const { db } = deps.database;
  const holder = await findReservation(db, igId);
  if (!holder || holder.workspace_id === workspaceId || (await isOnlyWaiting(db, holder))) return;
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

/**
 * Reserves the network account for this checkout; another workspace may still pay for it first. If
 * it has a plan in another workspace, only its proved owner may go on: that plan ends when this
 * payment succeeds.
 * @throws ApiError `account_already_subscribed`, `payment_needs_action`, `payment_unknown`
 */
async function takeAccount(
  tx: Tx,
  {
    account: { workspace_id, id: accountId, ig_username: igUsername },
    igId: ig_id,
    subscriptionId: subscription_id,
    isProved,
  }: { account: AccountRow; igId: IgId; subscriptionId: string; isProved: boolean },
): Promise<void> {
  const mayGoOn = await keepNetworkAccount(tx, { ig_id, workspace_id, subscription_id });
  if (await findUnendedSubscription(tx, workspace_id, accountId)) {
    throw accountAlreadySubscribed(igUsername);
  }
  await refuseSecondPayment(tx, workspace_id, { accountId });
  if (!mayGoOn && !isProved) throw ownershipNeeded(igUsername);
}

/** @throws ApiError `account_unreadable` */
async function storeBaseline(
  tx: Tx,
  { workspace_id: workspaceId, id: accountId, ig_username: igUsername }: AccountRow,
  reading: ReadAccount,
  now: Date,
): Promise<void> {
  const stored = await storeAccountReading(tx, { workspaceId, accountId, reading, now });
  if (stored === 'other_account') {
    throw new ApiError(
      'account_unreadable',
      `@${igUsername} is now a different account from the one you connected. You were not charged. Please connect it again.`,
    );
  }
  await storePosts(tx, { workspaceId, accountId, reading });
}
