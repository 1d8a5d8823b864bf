import type { ErrorCode } from '#shared/contract/error-code.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type ChargeClaim, findCharge } from '../charges/charge.repository.ts';
import { countSpend } from '../checkout/spend-limit.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { CollectDeps } from '../charges/charge-clock.ts';
import { collectCharge } from '../settlement/collect-charge.service.ts';
import type { Settlement } from '../settlement/settle-charge.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import {
  auditSubscription,
  changeSubscription,
  isBeingCharged,
  keyOf,
  lockSubscription,
  oweMail,
  type SubscriptionClaim,
  type SubscriptionKey,
} from '../subscriptions/subscription-work.repository.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { listRenewalsToConfirm, openRenewal, wasTried } from './open-renewal.ts';
import { becomePastDue } from '../subscriptions/renew-subscription.ts';
import { makeSavedCardDue } from '../cards/card-refresh.repository.ts';
import { beginPause, endPause } from '../cancellation/pause.service.ts';
import {
  comingPlan,
  isReminded,
  pauseBeginsAt,
  reminderAt,
} from '../subscriptions/subscription-clock.ts';

/** A charge under way settles the subscription by itself; this is only in case it doesn't. */
const CHECK_AGAIN_MS = 10 * MINUTE_MS;

/** What a subscription asks for once its row has been advanced. */
type Next = { kind: 'nothing' } | { kind: 'collect'; claim: ChargeClaim };

/**
 * Does what is due for a claimed subscription: the begin or end of a pause, the end asked for, the reminder, the
 * charge. Killed at any point, whoever claims it next finds what is written and goes on from there.
 */
export async function advanceSubscription(
  deps: CollectDeps,
  claim: SubscriptionClaim,
): Promise<void> {
  const now = new Date(deps.clock.now());
  const next = await deps.database.transaction(async (tx): Promise<Next> => {
    const row = await lockSubscription(tx, claim);
    if (!row || row.fence !== claim.fence) return { kind: 'nothing' };
    return takeStep(tx, deps, row, now);
  });
  if (next.kind === 'collect') await collectCharge(deps, next.claim);
}

/**
 * Charges a past-due subscription now, not at its next try; undefined: there is nothing to charge, or the saved
 * card has been tried already.
 * @param askedBy whose spending it is: beyond their limit they begin no charge
 * @throws ApiError `session_ended`
 */
export async function chargeOwed(
  deps: CollectDeps,
  key: SubscriptionKey,
  askedBy: string | null,
): Promise<Settlement | { kind: 'beyond_limit' } | undefined> {
  const { workspaceId } = key;
  const now = new Date(deps.clock.now());
  const writing = deps.database.transaction(async (tx) => {
    const row = await lockOwing(tx, key);
    await lockWorkspace(tx, workspaceId);
    const opened = row && (await openRenewal(tx, deps, row, now));
    const charge = opened && (await findCharge(tx, opened));
    if (charge && askedBy !== null) await countSpend(tx, { ...charge, userId: askedBy, now });
    return opened;
  });
  const claim = await writing.catch((error: unknown) => {
    const isBeyond = error instanceof ApiError && error.code in BEYOND_LIMIT;
    if (isBeyond) return 'beyond_limit' as const;
    throw error;
  });
  if (claim === 'beyond_limit') return { kind: claim };
  return claim && collectCharge(deps, claim);
}

/** They may not spend that much, or nothing any more. */
const BEYOND_LIMIT: Partial<Record<ErrorCode, true>> = { spend_limit: true, not_allowed: true };

/** The same by the job, in its next round or at its next try. @returns whether there is something to charge */
export function leaveOwedToJob(
  { clock, database }: CollectDeps,
  key: SubscriptionKey,
  when: 'next_round' | 'next_try',
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const row = await lockOwing(tx, key);
    if (row && when === 'next_round') await changeSubscription(tx, row, {}, new Date(clock.now()));
    return row !== undefined;
  });
}

/** A past-due subscription that the saved card hasn't been charged for. */
async function lockOwing(tx: Tx, key: SubscriptionKey): Promise<SubscriptionRow | undefined> {
  const row = await lockSubscription(tx, key);
  if (!row || row.state !== 'Past due' || (await isBeingCharged(tx, key))) return undefined;
  return (await wasTried(tx, row)) ? undefined : row;
}

async function takeStep(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<Next> {
  switch (row.state) {
    case 'Canceled':
    case 'Expired':
      return schedule(tx, row);
    case 'Paused':
      if (!row.resumes_at || row.resumes_at > now) return schedule(tx, row);
      // It waited for another account and was given none.
      if (row.displaced_at) return stopAtPeriodEnd(tx, deps, row, now);
      await endPause(tx, deps, row, { now });
      return { kind: 'nothing' };
    case 'Active':
    case 'Past due':
      break;
  }
  if (row.pauses_at && pauseBeginsAt(row.pauses_at) <= now) {
    await beginPause(tx, row);
    return { kind: 'nothing' };
  }
  if (row.ends_at) {
    return row.ends_at <= now ? stopAtPeriodEnd(tx, deps, row, now) : schedule(tx, row);
  }
  if (await isBeingCharged(tx, keyOf(row))) {
    return schedule(tx, row, new Date(now.getTime() + CHECK_AGAIN_MS));
  }
  if (row.next_billing_at <= now) return renew(tx, deps, row, now);
  if (!isReminded(row) && reminderAt(row.next_billing_at) <= now) await remind(tx, deps, row, now);
  else await schedule(tx, row);
  return { kind: 'nothing' };
}

async function schedule(tx: Tx, row: SubscriptionRow, actAt?: Date): Promise<Next> {
  await changeSubscription(tx, row, {}, actAt);
  return { kind: 'nothing' };
}

async function renew(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<Next> {
  const isPastDue = row.state === 'Past due';
  const [toConfirm] = isPastDue ? await listRenewalsToConfirm(tx, row.workspace_id, row.id) : [];
  if (toConfirm) {
    const { amountCents } = toConfirm;
    await becomePastDue(tx, deps, row, { amountCents, code: 'authentication_required' }, now);
    return { kind: 'nothing' };
  }
  const claim = await openRenewal(tx, deps, row, now);
  if (!claim) return { kind: 'nothing' };
  await schedule(tx, row, new Date(now.getTime() + CHECK_AGAIN_MS));
  return { kind: 'collect', claim };
}

async function stopAtPeriodEnd(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<Next> {
  await endSubscription(tx, deps, row, { state: 'Canceled', now });
  const stoppedAt = (row.ends_at ?? now).toISOString();
  const mail = { kind: 'subscription_stopped', subscriptionId: row.id, stoppedAt } as const;
  await oweMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'subscription_stopped', now });
  return { kind: 'nothing' };
}

async function remind(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<void> {
  const plan = comingPlan(row);
  await changeSubscription(tx, row, { reminded_for: row.next_billing_at });
  await makeSavedCardDue(tx, row.workspace_id, now);
  const mail = {
    kind: 'renewal_reminder',
    subscriptionId: row.id,
    package: plan.number,
    amountCents: plan.priceCents,
    dueAt: row.next_billing_at.toISOString(),
  } as const;
  await oweMail(tx, deps, row.workspace_id, mail, now);
}
