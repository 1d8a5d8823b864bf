import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { findAccount } from '../accounts/account.repository.ts';
import { startWatching } from '../accounts/account-watch.repository.ts';
import type { CollectDeps } from '../billing/collect-charge.service.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { type AccountReading, readNetworkAccount } from '../detection/network-reader.ts';
import { notePause } from '../fair-clock/subscription-interval.repository.ts';
import { auditSubscription } from './audit-subscription.ts';
import { sendMail } from './send-mail.ts';
import { DAY_MS, periodStart } from './subscription-clock.ts';
import {
  changeSubscription,
  lockSubscription,
  type SubscriptionKey,
} from './subscription-work.repository.ts';

export type ResumeDeps = CollectDeps & Parameters<typeof readNetworkAccount>[0];
type Baseline = Extract<AccountReading, { kind: 'read' }>;
export type ResumeOutcome = 'resumed' | 'not_paused' | Exclude<AccountReading, Baseline>['kind'];

/** More than can appear in the tolerance before a baseline (D7), and a page every network gives. */
const BASELINE_POSTS = 25;

/**
 * Ends a pause, with a new baseline: what was posted meanwhile gets no likes (D7). Without that reading
 * it stays paused.
 */
export async function resumeSubscription(
  deps: ResumeDeps,
  key: SubscriptionKey,
  actor?: string,
): Promise<ResumeOutcome> {
  const account = await findPausedAccount(deps, key);
  if (!account) return 'not_paused';
  const reading = await readNetworkAccount(deps, {
    username: account.ig_username,
    limit: BASELINE_POSTS,
  });
  if (reading.kind !== 'read') return reading.kind;
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    const row = await lockSubscription(tx, key);
    if (row?.state !== 'Paused') return 'not_paused';
    if (reading.account.igId !== row.ig_id) return 'unreadable';
    await endPause(tx, deps, row, reading, now);
    const { workspace_id: workspaceId, account_id: accountId } = row;
    await startWatching(tx, { workspaceId, accountId, igUsername: account.ig_username, now });
    await auditSubscription(tx, row, { action: 'subscription_resumed', actor, now });
    return 'resumed';
  });
}

async function findPausedAccount({ database: { db } }: ResumeDeps, key: SubscriptionKey) {
  const row = await db
    .selectFrom('subscription')
    .select('account_id')
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.subscriptionId)
    .where('state', '=', 'Paused')
    .executeTakeFirst();
  return row && findAccount(db, key.workspaceId, row.account_id);
}

/** The planned days come off the shift, and those that were really paused go onto it, once. */
async function endPause(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  reading: Baseline,
  now: Date,
): Promise<void> {
  const pausedMs = row.paused_ms + now.getTime() - (row.paused_at ?? now).getTime();
  const pausedDays = Math.floor(pausedMs / DAY_MS);
  const shiftDays = row.shift_days - row.planned_pause_days + pausedDays;
  const nextBillingAt = periodStart({ ...row, shift_days: shiftDays }, row.period + 1);
  await changeSubscription(tx, row, {
    state: 'Active',
    paused_at: null,
    resumes_at: null,
    planned_pause_days: 0,
    paused_ms: pausedMs - pausedDays * DAY_MS,
    shift_days: shiftDays,
    next_billing_at: nextBillingAt,
    // Canceled meanwhile: it runs for what is left of the period paid for, and no longer.
    ...(row.ends_at && { ends_at: nextBillingAt }),
    baseline_read_at: reading.readAt,
    baseline_post_ids: reading.posts.map(({ id }) => id),
  });
  await notePause(tx, row, now);
  const until = nextBillingAt.toISOString();
  const mail = row.ends_at
    ? ({ kind: 'subscription_ending', subscriptionId: row.id, endsAt: until } as const)
    : ({ kind: 'subscription_resumed', subscriptionId: row.id, nextBillingAt: until } as const);
  await sendMail(tx, deps, row.workspace_id, mail, now);
}
