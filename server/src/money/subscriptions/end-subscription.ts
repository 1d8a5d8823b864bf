import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { stopPolling } from '#server/network/accounts/poll-schedule.repository.ts';
import { releaseReservation, type SubscriptionRow } from './subscription.repository.ts';
import { endChosenPlan } from './past-plan.repository.ts';
import { changeSubscription, listDisplaced, oweMail } from './subscription-work.repository.ts';

/**
 * Ends a locked subscription: no more likes, no more charges, the network account is free. A charge
 * under way finds it ended when it succeeds, and its money goes back.
 */
export async function endSubscription(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  end: { state: 'Canceled' | 'Expired'; now: Date },
): Promise<SubscriptionRow> {
  const ended = await endForAnother(tx, row, end);
  await tellDisplaced(tx, deps, row, end.now);
  return ended;
}

/** The same where another subscription takes the network account at once. */
export async function endForAnother(
  tx: Tx,
  row: SubscriptionRow,
  { state, now }: { state: 'Canceled' | 'Expired'; now: Date },
): Promise<SubscriptionRow> {
  await endChosenPlan(tx, row, now);
  const ended = await changeSubscription(tx, row, {
    state,
    ends_at: row.ends_at && row.ends_at < now ? row.ends_at : now,
    next_package: null,
    past_due_since: null,
    retry_at: null,
    posts_wait_since: null,
    pauses_at: null,
    resumes_at: null,
  });
  await releaseReservation(tx, { igId: row.ig_id, subscriptionId: row.id });
  await stopPolling(tx, { workspaceId: row.workspace_id, accountId: row.account_id });
  return ended;
}

/** A locked subscription has let go of its network account: who was displaced from it can have it back. */
export async function tellDisplaced(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { id, ig_id: igId }: Pick<SubscriptionRow, 'id' | 'ig_id'>,
  now: Date,
): Promise<void> {
  for (const waiting of await listDisplaced(tx, { igId, exceptId: id })) {
    const { workspace_id: workspaceId, id: subscriptionId, resumes_at: until } = waiting;
    if (!until) continue;
    const mail = { kind: 'account_free', subscriptionId, until: until.toISOString() } as const;
    await oweMail(tx, deps, workspaceId, mail, now);
  }
}
