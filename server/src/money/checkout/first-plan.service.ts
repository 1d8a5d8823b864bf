import type { IgId } from '#shared/domain/ids.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { SubscriptionCheckout } from '#server/kit/db/tables/charge.table.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type AccountRow, findAccount } from '#server/network/accounts/account.repository.ts';
import { asRead, type ReadAccount } from '#server/network/accounts/look-up-account.ts';
import { hasProof, isOwnedByOthers } from '#server/network/accounts/ownership.repository.ts';
import { storeAccountReading } from '#server/network/accounts/reading.repository.ts';
import type { Share } from '#server/network/allowance/allowance-share.ts';
import { READ_POSTS, readNetworkAccount } from '#server/network/allowance/network-reader.ts';
import { storePosts } from '#server/network/posts/post.repository.ts';
import type { ChargedCard } from '../cards/card.repository.ts';
import { refuseSecondPayment } from '../charges/refuse-second-payment.ts';
import {
  accountAlreadySubscribed,
  accountRemoved,
  ownedByOthers,
  ownershipNeeded,
} from '../charges/payment-error.ts';
import { hashNetworkAccount } from '../subscriptions/refund-right.repository.ts';
import {
  findReservation,
  findUnendedSubscription,
} from '../subscriptions/subscription.repository.ts';
import { isOnlyWaiting, keepNetworkAccount } from '../subscriptions/network-account.ts';
import { describePlan } from '../subscriptions/start-subscription.ts';
import { openCharge, type PurchaseAttempt } from './run-checkout.service.ts';

/*
 * The one door through which an account gets a plan: of its checkout, and of a change of many accounts.
 *
 *   checked ──> account read (no reading, no charge: D7) ──> account kept, baseline and charge written ──> collected
 */

interface CheckDeps extends Pick<Deps, 'clock' | 'settings'> {
  database: { db: Db };
}

/**
 * Everything about an account that refuses a plan without asking anybody outside.
 * @throws ApiError `account_already_subscribed` (also where it must be shown first whose the account is),
 * `payment_needs_action` or `payment_unknown` while another payment for the account is being decided
 */
export async function checkFirstPlan(deps: CheckDeps, account: AccountRow): Promise<void> {
  const { db } = deps.database;
  const { workspace_id: workspaceId, id: accountId } = account;
  if (await findUnendedSubscription(db, workspaceId, accountId)) {
    throw accountAlreadySubscribed(account.ig_username);
  }
  await refuseSecondPayment(db, workspaceId, { accountId });
  if (account.ig_id !== null) await checkOwnership(deps, account, account.ig_id);
}

/**
 * Known before any card: somebody else's plan gives way only to who has shown that the account is theirs. Who only
 * waits at their bank has no plan.
 */
async function checkOwnership(
  deps: CheckDeps,
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

/**
 * The account as it is before its plan begins.
 * @param share undefined: all of the network's allowance may be used
 * @throws ApiError for whatever isn't a reading
 */
export async function readBaseline(
  deps: Parameters<typeof readNetworkAccount>[0],
  { ig_username: username }: AccountRow,
  share?: Share,
): Promise<ReadAccount> {
  const reading = await readNetworkAccount(deps, { username, limit: READ_POSTS.page, share });
  return asRead(username, reading, 'You were not charged. ');
}

interface FirstPlan {
  plan: Plan;
  account: AccountRow;
  baseline: ReadAccount;
  card: ChargedCard;
  timeZone: string;
  /** Refuses it after all, in the transaction that writes the charge and holds the workspace. */
  check?: (tx: Tx) => Promise<void>;
}

/**
 * Writes the charge of an account's first month, and keeps the account for it.
 * @throws ApiError those of `openCharge`, and of `checkFirstPlan`; `not_found`: it was removed since
 */
export async function openFirstPlan(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  attempt: PurchaseAttempt,
  { plan, account, baseline, card, timeZone, check }: FirstPlan,
): ReturnType<typeof openCharge> {
  const { workspaceId, userId } = attempt;
  const { igId } = baseline.account;
  const now = new Date(deps.clock.now());
  const isProved = await hasProof(deps.database.db, { workspaceId, igId }, now);
  const subscriptionId = deps.ids.uuid();
  const checkout: SubscriptionCheckout = {
    kind: 'subscription',
    userId,
    subscriptionId,
    accountId: account.id,
    igId,
    ...(isProved && { provedAccount: hashNetworkAccount(deps, igId) }),
    package: plan.number,
    timeZone,
    baselineReadAt: baseline.readAt.toISOString(),
    baselinePostIds: baseline.posts.map(({ id }) => id),
  };
  const { priceCents: amountCents } = plan;
  const purchase = { card, amountCents, description: describePlan(plan), checkout };
  return openCharge(deps, attempt, purchase, async (tx) => {
    await check?.(tx);
    await takeAccount(tx, { account, igId, subscriptionId, isProved });
    await storeBaseline(tx, account, baseline, new Date(deps.clock.now()));
  });
}

/**
 * Reserves the network account for this checkout; another workspace may still pay for it first. If
 * it has a plan in another workspace, only its proved owner may go on: that plan ends when this
 * payment succeeds. Whoever removes an account holds the workspace, too.
 * @throws ApiError `not_found`, `account_already_subscribed`, `payment_needs_action`, `payment_unknown`
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
  const account = await findAccount(tx, workspace_id, accountId);
  if (!account || account.removed_at !== null) throw accountRemoved(igUsername);
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
