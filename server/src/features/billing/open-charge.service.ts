import type { Plan } from '#shared/domain/plans.ts';
import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { paymentBeingChecked } from '../../http/submit.service.ts';
import type { AccountRow } from '../accounts/account.repository.ts';
import { storeAccountReading } from '../accounts/store-reading.ts';
import { storePosts } from '../posts/post.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { type ChargeClaim, findCharge, hasOpenCharge } from './charge.repository.ts';
import type { SubscriptionCheckout } from './charge.table.ts';
import type { Baseline } from './checkout-baseline.ts';
import type { PlanForm } from './checkout-checks.ts';
import { type ChargedCard, insertCharge, type NewCharge } from './checkout.repository.ts';
import { CHARGE_LEASE_MS } from './collect-charge.service.ts';
import { accountAlreadySubscribed, ownershipNeeded } from './payment-error.ts';
import { releaseReservation, reserveNetworkAccount } from './reservation.repository.ts';
import { describePlan } from './start-subscription.ts';
import { findUnendedSubscription } from './subscription.repository.ts';

/** Everything known of a checkout when its charge is written down. */
export interface ReadyCheckout {
  workspaceId: string;
  userId: string;
  /** Becomes the charge's id. */
  attemptId: string;
  form: PlanForm;
  plan: Plan;
  account: AccountRow;
  baseline: Baseline;
  card: ChargedCard;
  /** Keyed hash of the network account, where it was shown whose it is; its plan elsewhere gives way. */
  provedAccount: string | undefined;
}

/**
 * In one transaction: takes the network account, stores what was read of it, and writes the charge
 * with all that settling it takes, so that it can be settled however late and by whomever.
 *
 * @returns the charge, claimed; undefined when another run of this attempt has opened it
 * @throws ApiError `account_already_subscribed`, `account_unreadable`, `payment_unknown`,
 * `session_ended`
 */
export async function openCharge(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  ready: ReadyCheckout,
): Promise<ChargeClaim | undefined> {
  const charge = newCharge(deps, ready);
  const { workspaceId, chargeId, checkout } = charge;
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const isReserved = await reserveNetworkAccount(tx, {
      ig_id: checkout.igId,
      workspace_id: workspaceId,
      subscription_id: checkout.subscriptionId,
    });
    if (await findCharge(tx, charge)) {
      await releaseReservation(tx, checkout);
      return undefined;
    }
    await checkStillFree(tx, ready, isReserved);
    await storeBaseline(tx, ready);
    await insertCharge(tx, charge);
    return { workspaceId, chargeId, fence: 0 };
  });
}

function newCharge(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  ready: ReadyCheckout,
): NewCharge & { checkout: SubscriptionCheckout } {
  const { plan, card } = ready;
  const now = new Date(clock.now());
  return {
    workspaceId: ready.workspaceId,
    chargeId: ready.attemptId,
    invoiceId: ids.uuid(),
    card,
    amountCents: plan.priceCents,
    description: describePlan(plan),
    checkout: newCheckout(ids.uuid(), ready),
    now,
    nextCheckAt: new Date(now.getTime() + CHARGE_LEASE_MS),
  };
}

function newCheckout(subscriptionId: string, ready: ReadyCheckout): SubscriptionCheckout {
  const { baseline } = ready;
  return {
    kind: 'subscription',
    userId: ready.userId,
    subscriptionId,
    accountId: ready.account.id,
    igId: baseline.account.igId,
    ...(ready.provedAccount !== undefined && { provedAccount: ready.provedAccount }),
    ...(ready.card.kind === 'new' && { isForAllPlans: ready.card.isForAllPlans }),
    package: ready.plan.number,
    timeZone: ready.form.timeZone,
    baselineReadAt: baseline.readAt.toISOString(),
    baselinePostIds: baseline.posts.map(({ id }) => id),
  };
}

async function checkStillFree(
  tx: Tx,
  { workspaceId, account, provedAccount }: ReadyCheckout,
  isReserved: boolean,
): Promise<void> {
  if (await findUnendedSubscription(tx, workspaceId, account.id)) {
    throw accountAlreadySubscribed(account.ig_username);
  }
  if (await hasOpenCharge(tx, workspaceId, account.id)) throw paymentBeingChecked();
  if (!isReserved && provedAccount === undefined) throw ownershipNeeded(account.ig_username);
}

async function storeBaseline(
  tx: Tx,
  { workspaceId, account, baseline }: ReadyCheckout,
): Promise<void> {
  const accountId = account.id;
  const stored = await storeAccountReading(tx, { workspaceId, accountId, reading: baseline });
  if (stored === 'other_account') {
    throw new ApiError(
      'account_unreadable',
      `@${account.ig_username} is now a different account from the one you connected. You were not charged. Please connect it again.`,
    );
  }
  await storePosts(tx, { workspaceId, accountId, reading: baseline });
}
