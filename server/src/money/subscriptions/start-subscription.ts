import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { claimDefaultAccount } from '#server/identity/users/user.repository.ts';
import { startPolling } from '#server/network/accounts/poll-schedule.repository.ts';
import { findAccount } from '#server/network/accounts/account.repository.ts';
import type { ChargeCase } from '../charges/charge.repository.ts';
import type { SubscriptionCheckout } from '#server/kit/db/tables/charge.table.ts';
import { showOrganic } from '#server/network/posts/organic-right.repository.ts';
import { reminderAt } from './subscription-clock.ts';
import { recordPayment } from '../charges/payment.repository.ts';
import { hasNoPlan, takeNetworkAccount } from './network-account.ts';
import { findUnendedSubscription, insertSubscription } from './subscription.repository.ts';
import { adoptAccount } from './adopt-account.ts';

/** A charge for a plan's month. */
type SubscriptionCase = ChargeCase & { checkout: SubscriptionCheckout };

/**
 * Turns a paid checkout into a running subscription: all of it or, when the account has meanwhile
 * gone to somebody else or been removed, nothing. Call it once per charge, with the charge locked.
 *
 * @returns whether the subscription was started; if not, the money has to go back
 */
export async function startSubscription(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: SubscriptionCase,
  now: Date,
): Promise<boolean> {
  const { workspaceId, checkout } = paid;
  const account = await findAccount(tx, workspaceId, checkout.accountId);
  if (!account || account.removed_at !== null) return false;
  if (await findUnendedSubscription(tx, workspaceId, account.id)) return false;
  if (!(await holdNetworkAccount(tx, deps, paid, now))) return false;

  await insertPaid(tx, paid, now);
  await recordPayment(tx, paid, { id: deps.ids.uuid(), igUsername: account.ig_username, now });
  await claimDefaultAccount(tx, { workspaceId, userId: checkout.userId }, account.id);
  await startPolling(tx, {
    workspaceId,
    accountId: account.id,
    igUsername: account.ig_username,
    now,
  });
  return true;
}

/** Whether the network account is this checkout's; with a proof it becomes so. */
async function holdNetworkAccount(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, checkout }: SubscriptionCase,
  now: Date,
): Promise<boolean> {
  const { igId, subscriptionId, provedAccount: accountHash } = checkout;
  if (accountHash === undefined) {
    const ours = { ig_id: igId, workspace_id: workspaceId, subscription_id: subscriptionId };
    return takeNetworkAccount(tx, ours, hasNoPlan);
  }
  return adoptAccount(tx, deps, { workspaceId, igId, subscriptionId, accountHash }, now);
}

async function insertPaid(tx: Tx, paid: SubscriptionCase, now: Date): Promise<void> {
  const { checkout, workspaceId } = paid;
  await showOrganic(tx, { workspaceId, igId: checkout.igId });
  const clock = { anchorMs: now.getTime(), timeZone: checkout.timeZone, shiftDays: 0 };
  const nextBillingAt = new Date(dueAt(clock, 1));
  await insertSubscription(tx, {
    workspace_id: paid.workspaceId,
    id: checkout.subscriptionId,
    account_id: checkout.accountId,
    ig_id: checkout.igId,
    package: checkout.package,
    state: 'Active',
    anchor_at: now,
    shift_days: clock.shiftDays,
    time_zone: clock.timeZone,
    period: 0,
    period_started_at: now,
    next_billing_at: nextBillingAt,
    next_action_at: reminderAt(nextBillingAt),
    ends_at: null,
    card_id: paid.cardId,
    baseline_read_at: new Date(checkout.baselineReadAt),
    baseline_post_ids: checkout.baselinePostIds,
    created_at: now,
  });
}

/** What an invoice says of a plan's month. */
export function describePlan({ description }: Plan): string {
  return `Monthly plan: ${description} likes per post`;
}
