import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { stopWatching } from '../accounts/account-watch.repository.ts';
import { releaseReservation } from '../billing/reservation.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { endChosenPlan } from './past-plan.repository.ts';
import { changeSubscription } from './subscription-work.repository.ts';
import { tellDisplaced } from './tell-displaced.ts';

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
  await stopWatching(tx, { workspaceId: row.workspace_id, accountId: row.account_id });
  return ended;
}
